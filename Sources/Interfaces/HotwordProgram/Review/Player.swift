import AudioCapture
import Clips
import CommandLineParsing
import PCM
import Platform

/// What makes a clip heard: ALSA here, or any command that reads a WAV.
enum Player {
  case alsa(String)
  case command(String)

  /// Seconds that a command gets beyond the clip's own length.
  private static let patience = 20.0

  /// `alsa:NAME` or `command:LINE`, as `--player` takes it.
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

  /// Plays a clip to its end.
  ///
  /// - Parameter isStopped: asked twenty times a second; true ends the playing.
  func play(_ entry: ClipStore.Entry, until isStopped: () -> Bool) throws(ClipFault) {
    let samples: [Int16]
    do {
      samples = try AudioFile.read(entry.path)
    } catch {
      throw .audio(error)
    }
    try play(samples, until: isStopped)
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
        input: AudioFile.wave(samples), timeout: AudioFormat.seconds(samples.count) + Self.patience,
        keepsErrors: true, cancelled: isStopped)
    } catch {
      throw .system(error)
    }
    switch result.ending {
    case .exited(0), .cancelled: return
    case .exited(let status): throw .player(line, reason: result.lastErrorLine ?? "status \(status)")
    case .killed(let signal): throw .player(line, reason: "signal \(signal)")
    case .timedOut: throw .player(line, reason: "it did not end in time")
    }
  }
}
