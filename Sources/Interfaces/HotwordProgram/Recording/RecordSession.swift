import Clips
import Corpora
import Glibc
import Platform
import SoundCheck

/// One run of `hotword record`: performs the actions of the record cycle.
struct RecordSession {
  /// Seconds between two numbers of the countdown.
  private static let countdownInterval = 0.5
  private static let endOfInput: Character = "\u{4}"

  var cycle: RecordCycle
  let phrase: String
  let folder: RecordingFolder
  let loop: ListeningLoop
  let recorder: TakeRecorder
  let player: ClipPlayer
  /// Whether a person presses keys.
  let isAttended: Bool
  /// The signal that ended the session.
  private(set) var signal: Int32?

  init(
    cycle: RecordCycle, phrase: String, folder: RecordingFolder, loop: ListeningLoop,
    recorder: TakeRecorder, player: ClipPlayer, isAttended: Bool
  ) {
    self.cycle = cycle
    self.phrase = phrase
    self.folder = folder
    self.loop = loop
    self.recorder = recorder
    self.player = player
    self.isAttended = isAttended
  }

  /// - Returns: the number of new recordings.
  mutating func run() throws -> Int {
    var recorded = 0
    var actions = cycle.begin()
    while true {
      while !actions.isEmpty {
        let action = actions.removeFirst()
        if case .end(let count) = action { recorded = count }
        if let input = try perform(action) { actions += cycle.advance(input) }
      }
      if cycle.isOver { return recorded }
      actions = cycle.advance(try nextKey())
    }
  }

  /// - Returns: what the cycle continues with.
  private mutating func perform(_ action: RecordCycle.Action) throws -> RecordCycle.Input? {
    switch action {
    case .prompt(let number, let count):
      say(RecordScreen.prompt(phrase, number: number, of: count))
      if isAttended { countDown() }
    case .listen:
      if isAttended { say("  speak now") }
      return input(of: try recorder.record())
    case .report(let flaw):
      say(RecordScreen.rejected(flaw))
      if isAttended { say(RecordScreen.keys(canKeep: false)) }
    case .offer(let take):
      say(RecordScreen.recorded(take))
      say(RecordScreen.keys(canKeep: true))
    case .play(let take):
      do throws(ClipFault) {
        try player.play(take.samples, until: { loop.hasInput })
      } catch {
        say("  \(error.message)")
      }
    case .save(let take):
      try folder.add(take.samples)
      if !isAttended { say(RecordScreen.recorded(take)) }
      return .saved
    case .keys(let canKeep): say(RecordScreen.keys(canKeep: canKeep))
    case .end: break
    }
    return nil
  }

  private mutating func input(of outcome: TakeRecorder.Outcome) -> RecordCycle.Input {
    switch outcome {
    case .take(let take): return .take(take)
    case .key(let key): return key == Self.endOfInput ? .ended : .key(key)
    case .ended: return .ended
    case .signal(let signal):
      self.signal = signal
      return .ended
    }
  }

  private mutating func nextKey() throws -> RecordCycle.Input {
    guard isAttended else { return .ended }
    while true {
      switch try loop.next(wantsAudio: false) {
      case .key(let key): return input(of: .key(key))
      case .signal(let signal): return input(of: .signal(signal))
      case .endOfKeys: return .ended
      case .audio, .timeout: break
      }
    }
  }

  private func countDown() {
    for number in [3, 2, 1] where !loop.hasInput {
      say("  \(number)")
      loop.waitForInput(seconds: Self.countdownInterval)
    }
  }

  private func say(_ line: String) { _ = writeAll(Array((line + "\n").utf8), to: STDERR_FILENO) }
}
