import Platform

/// Decides from the signs of life whether the service works: a state machine without clock or threads.
///
/// A lost device is a problem that a restart does not fix. While the whole process is stopped (`SIGSTOP`, a suspended
/// container), nobody observes, and that time counts as no thread's delay.
package struct Liveness: Sendable {
  /// The progress of the threads so far.
  package struct Signs: Sendable, Equatable {
    /// Rounds of the listening thread, rounds of the service's consumer, and frames.
    package var turns: Int
    package var rounds: Int
    package var frames: Int
    package var isDeviceLost: Bool
    /// The number of the conversation worker's job, counted from 1; 0 without a job.
    package var job: Int

    package init(
      turns: Int = 0, rounds: Int = 0, frames: Int = 0, isDeviceLost: Bool = false, job: Int = 0
    ) {
      self.turns = turns
      self.rounds = rounds
      self.frames = frames
      self.isDeviceLost = isDeviceLost
      self.job = job
    }
  }

  package enum Problem: Sendable, Equatable {
    /// The device is lost and the service tries to reopen it; seconds since the loss.
    case deviceLost(seconds: Double)
    /// The listening thread or the consumer makes no progress.
    case loopHangs(seconds: Double)
    /// The device is open and delivers nothing.
    case noAudio(seconds: Double)
    /// A job of the conversation worker has exceeded all its timeouts.
    case conversationHangs(seconds: Double)

    /// Whether a restart may fix it.
    package var isFatal: Bool {
      if case .deviceLost = self { false } else { true }
    }

    package var message: String { words { " for \(Int($0)) s" } }

    /// The message without how long it lasts.
    package var summary: String { words { _ in "" } }

    private func words(_ time: (Double) -> String) -> String {
      switch self {
      case .deviceLost(let seconds):
        "the capture device has been lost\(time(seconds)); the service tries to reopen it"
      case .loopHangs(let seconds): "the listening loop has been stuck\(time(seconds))"
      case .noAudio(let seconds): "the capture device has delivered nothing\(time(seconds))"
      case .conversationHangs(let seconds): "a recognizer or handler has been stuck\(time(seconds))"
      }
    }
  }

  /// Seconds without a turn, which comes each second at least.
  package static let longestTurn = 5.0
  /// Seconds without audio; a quiet device counts as lost after five.
  package static let longestQuiet = 8.0
  /// Seconds between two observations that count; they come each half second while the process runs.
  package static let longestStep = 1.0

  private let expectsAudio: Bool
  private let longestJob: Double
  private var last = Signs()
  /// The time of the last observation, and the seconds observed until then.
  private var observed: Double?
  private var clock = 0.0
  private var turned = 0.0
  private var wentRound = 0.0
  private var heard = 0.0
  private var jobBegan = 0.0
  private var lost: Double?

  /// - Parameters:
  ///   - expectsAudio: whether the input is a microphone, which never pauses.
  ///   - longestJob: seconds that a job of the conversation may take.
  package init(expectsAudio: Bool, longestJob: Double) {
    self.expectsAudio = expectsAudio
    self.longestJob = longestJob
  }

  /// Takes the signs at `time`, in seconds, and returns what is wrong.
  package mutating func observe(_ signs: Signs, at time: Double) -> [Problem] {
    clock += min(time - (observed ?? time), Self.longestStep)
    observed = time
    let now = clock
    if signs.rounds != last.rounds { wentRound = now }
    if signs.turns != last.turns { turned = now }
    if signs.frames != last.frames || signs.isDeviceLost { heard = now }
    if signs.job != last.job { jobBegan = now }
    lost = signs.isDeviceLost ? lost ?? now : nil
    last = signs
    var problems: [Problem] = []
    let still = now - min(turned, wentRound)
    if still > Self.longestTurn { problems.append(.loopHangs(seconds: still)) }
    if expectsAudio, now - heard > Self.longestQuiet { problems.append(.noAudio(seconds: now - heard)) }
    if signs.job > 0, now - jobBegan > longestJob {
      problems.append(.conversationHangs(seconds: now - jobBegan))
    }
    if let lost { problems.append(.deviceLost(seconds: now - lost)) }
    return problems
  }
}
