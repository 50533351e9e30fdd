import Assistant
import FrontEnd
import PCM
import Platform
import SoundCheck

/// Cuts takes out of a stream: each from its request to the end of speech.
final class TakeRecorder {
  /// What came of a take.
  enum Outcome {
    case take(Take)
    /// A key was pressed before the end of speech.
    case key(Character)
    case signal(Int32)
    /// The input or the keys ended before anything was said.
    case ended
  }

  private let loop: ListeningLoop
  private let frontEnd: FrontEnd
  private var endOfSpeech: EndOfSpeech
  private let buffer = UnsafeMutableBufferPointer<Int16>.allocate(capacity: AudioFormat.frameLength)
  /// Whether the input continues between takes; otherwise it waits.
  private let isLive: Bool
  /// Whether the input has ended.
  private var isOver = false

  /// - Parameter loop: with its input open.
  init(_ loop: ListeningLoop, isLive: Bool) throws {
    self.loop = loop
    self.isLive = isLive
    frontEnd = try FrontEnd(.standard)
    var settings = EndOfSpeechSettings()
    settings.silence = 0.7
    settings.noSpeech = 8
    settings.longest = 7
    settings.leastSpeech = 0.15
    endOfSpeech = EndOfSpeech(settings)
    if isLive { loop.dropsAudio = true }
  }

  deinit { buffer.deallocate() }

  /// Records the next take, from now on.
  func record() throws -> Outcome {
    if isLive {
      loop.dropsAudio = false
      defer { loop.dropsAudio = true }
      return try recordFromNow()
    }
    return try recordFromNow()
  }

  private func recordFromNow() throws -> Outcome {
    var samples: [Int16] = []
    var isWhole = true
    endOfSpeech.begin()
    while !isOver {
      switch try loop.next() {
      case .key(let key): return .key(key)
      case .signal(let signal): return .signal(signal)
      case .endOfKeys: return .ended
      case .timeout: break
      case .audio(let frame):
        if frame.read.gap > 0 && !samples.isEmpty || frame.read.events.contains(.lost) { isWhole = false }
        samples += frame.samples[..<frame.read.count]
        isOver = frame.read.isEnd
        if frame.read.count > 0, case .ended = endOfSpeech(after: frame) {
          return .take(Take(samples, isWhole: isWhole))
        }
        if frame.read.isEnd {
          let last = Take(samples, isWhole: isWhole)
          return last.flaw == .noSpeech ? .ended : .take(last)
        }
      }
    }
    return .ended
  }

  private func endOfSpeech(after frame: AudioFrame) -> EndOfSpeech.State {
    _ = buffer.update(fromContentsOf: frame.samples)
    let activity = frontEnd.process(buffer)
    return endOfSpeech.push(voiced: activity.voiced, level: activity.level)
  }
}
