import Actions
import CommandLine
import Platform
import Recognition
import Understanding

/// Recognizers, intents and handlers by the names that command lines and configuration files give them.
enum PlugIns {
  /// The intents in `file`, or those of the default home.
  static func intents(_ file: String?) throws -> IntentFile {
    if let file { try IntentFile(reading: file) } else { try IntentFile.standard() }
  }

  /// `pocketsphinx`, its grammar compiled from `intents`; or `command:LINE`.
  ///
  /// - Parameter timeout: seconds that a command gets from the end of the audio.
  static func recognizer(
    _ name: String, intents: IntentFile, timeout: Double = 30
  ) throws -> any Recognizer {
    if name == "pocketsphinx" {
      let grammar = try Understanding.Grammar(intents)
      return PocketSphinxRecognizer(grammar: Recognition.Grammar(jsgf: grammar.jsgf, words: grammar.words))
    }
    if let line = commandLine(name) { return CommandRecognizer(command: line, timeout: timeout) }
    throw ServiceFault.unknownPlugIn(kind: "recognizer", name: name, expected: "pocketsphinx or command:LINE")
  }

  /// `print`, or `command:LINE`.
  ///
  /// - Parameters:
  ///   - timeout: seconds that a command gets.
  ///   - isCancelled: asked while a command runs.
  static func handler(
    _ name: String, timeout: Double, isCancelled: @escaping @Sendable () -> Bool
  ) throws -> any Handler {
    if name == "print" { return ReplyHandler() }
    if let line = commandLine(name) {
      return CommandHandler(line, timeout: timeout, isCancelled: isCancelled)
    }
    throw ServiceFault.unknownPlugIn(kind: "handler", name: name, expected: "print or command:LINE")
  }

  private static func commandLine(_ name: String) -> String? {
    guard name.hasPrefix("command:") else { return nil }
    let line = String(name.dropFirst("command:".count))
    return line.allSatisfy(\.isWhitespace) ? nil : line
  }
}
