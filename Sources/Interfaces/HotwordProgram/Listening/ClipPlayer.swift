import AudioCapture
import Clips
import CommandLineParsing
import PCM
import Platform

/// What plays a clip: an ALSA device, or a command that reads a WAV.
enum ClipPlayer {
  case alsa(String)
  case command(String)

  /// Seconds that a command may take beyond the clip's own length.
  private static let timeout = 20.0

  /// Parses `alsa:NAME` or `command:LINE`, the value of `--player`.
  init(_ arguments: Arguments) throws(UsageFault) {
    let text = arguments.value("--player") ?? "alsa:default"
    let name = text.firstIndex(of: ":").map { String(text[text.index(after: $0)...]) } ?? ""
    if text.hasPrefix("alsa:"), !name.isEmpty {
      self = .alsa(name)
    } else if text.hasPrefix("command:"), !name.allSatisfy(\.isWhitespace) {
      self = .command(name)
    } else {
      throw arguments.badValue("--player", "alsa:NAME or command:LINE")
    }
  }

  /// Plays a clip from two seconds before the end of the word to its end.
  ///
  /// - Parameter isStopped: called twenty times a second; true stops the playback.
  func play(_ entry: ClipStore.Entry, until isStopped: () -> Bool) throws(ClipFault) {
    let samples: [Int16]
    do {
      samples = try AudioFile.read(entry.path)
    } catch {
      throw .audio(error)
    }
    try play(Array(samples.suffix(2 * AudioFormat.sampleRate + ClipCutter.after)), until: isStopped)
  }

  /// Plays 16 kHz mono samples to their end.
  func play(_ samples: [Int16], until isStopped: () -> Bool) throws(ClipFault) {
    do {
      if case .alsa(let name) = self { try AlsaPlayback.play(samples, on: name, until: isStopped) }
    } catch {
      throw .audio(error)
    }
    guard case .command(let line) = self else { return }
    let result: Subprocess.Result
    do {
      result = try Subprocess(shell: line).run(
        input: AudioFile.wave(samples), timeout: AudioFormat.seconds(samples.count) + Self.timeout,
        keepsErrors: true, cancelled: isStopped)
    } catch {
      throw .system(error)
    }
    let program = Subprocess.name(ofShell: line)
    switch result.ending {
    case .exited(0), .cancelled: return
    case .exited(let status): throw .player(program, reason: result.lastErrorLine ?? "status \(status)")
    case .killed(let signal): throw .player(program, reason: "signal \(signal)")
    case .timedOut: throw .player(program, reason: "it did not end in time")
    }
  }
}
