import Platform

/// Judges from the signs of life whether the service does its work: a state machine without clock or threads.
///
/// A device that is lost and being looked for is trouble, but not a fault of the process: a restart would not mend it.
package struct Liveness: Sendable {
  /// What the threads have done so far.
  package struct Signs: Sendable, Equatable {
    /// Rounds of the listening loop, and frames heard.
    package var turns: Int
    package var frames: Int
    package var isDeviceLost: Bool
    /// Seconds that the conversation has been at its job; 0 for none.
    package var jobSeconds: Double

    package init(turns: Int = 0, frames: Int = 0, isDeviceLost: Bool = false, jobSeconds: Double = 0) {
      self.turns = turns
      self.frames = frames
      self.isDeviceLost = isDeviceLost
      self.jobSeconds = jobSeconds
    }
  }

  package enum Trouble: Sendable, Equatable {
    /// The device is gone and being looked for; seconds since.
    case deviceLost(seconds: Double)
    /// The listening loop has not come round.
    case loopHangs(seconds: Double)
    /// The device is there and gives nothing.
    case noAudio(seconds: Double)
    /// A job of the conversation has outlived all its time-outs.
    case conversationHangs(seconds: Double)

    /// Whether a restart may mend it.
    package var isFatal: Bool {
      if case .deviceLost = self { false } else { true }
    }

    package var message: String {
      func text(_ seconds: Double) -> String { "\(Int(seconds)) s" }
      return switch self {
      case .deviceLost(let seconds): "the capture device has been lost for \(text(seconds)); it is looked for"
      case .loopHangs(let seconds): "the listening loop has been stuck for \(text(seconds))"
      case .noAudio(let seconds): "the capture device has given nothing for \(text(seconds))"
      case .conversationHangs(let seconds): "a recognizer or handler has been stuck for \(text(seconds))"
      }
    }
  }

  /// Seconds without a turn, which comes each second at least.
  package static let longestTurn = 5.0
  /// Seconds without audio; a quiet device counts as lost after five.
  package static let longestQuiet = 8.0

  private let expectsAudio: Bool
  private let longestJob: Double
  private var last = Signs()
  private var turned: Double?
  private var heard = 0.0
  private var lost: Double?

  /// - Parameters:
  ///   - expectsAudio: whether the input is a microphone, which never pauses.
  ///   - longestJob: seconds that a job of the conversation may take.
  package init(expectsAudio: Bool, longestJob: Double) {
    self.expectsAudio = expectsAudio
    self.longestJob = longestJob
  }

  /// Takes the signs at `now` and returns what is wrong.
  package mutating func observe(_ signs: Signs, at now: Double) -> [Trouble] {
    if turned == nil || signs.turns != last.turns { turned = now }
    if signs.frames != last.frames || signs.isDeviceLost || turned == nil || heard == 0 { heard = now }
    lost = signs.isDeviceLost ? lost ?? now : nil
    last = signs
    var troubles: [Trouble] = []
    if let turned, now - turned > Self.longestTurn { troubles.append(.loopHangs(seconds: now - turned)) }
    if expectsAudio, now - heard > Self.longestQuiet { troubles.append(.noAudio(seconds: now - heard)) }
    if signs.jobSeconds > longestJob { troubles.append(.conversationHangs(seconds: signs.jobSeconds)) }
    if let lost { troubles.append(.deviceLost(seconds: now - lost)) }
    return troubles
  }
}
