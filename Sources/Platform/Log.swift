import Glibc

/// Messages for people, on standard error; never for results, never from the audio thread.
public enum Log {
  public static func error(_ text: String) { write("hotword: \(text)") }
  public static func warning(_ text: String) { write("hotword: warning: \(text)") }
  public static func note(_ text: String) { write("hotword: \(text)") }

  private static func write(_ line: String) {
    _ = writeAll(Array((line + "\n").utf8), to: STDERR_FILENO)
  }
}
