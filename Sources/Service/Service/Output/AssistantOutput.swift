import Actions
import Assistant
import PCM
import Platform
import SpeechSynthesis
import Synchronization

/// What the user hears of the assistant: it speaks replies and prompts, plays sounds and alarms, and carries out actions on
/// them, such as setting a timer or the volume.
///
/// Nothing here waits: ``SpeechOutput`` has a thread and a queue of its own, of up to 100 items. The service's consumer owns
/// this; any thread may read ``timers`` and ``volume``. Times are positions in the stream.
package final class AssistantOutput: @unchecked Sendable {
  private struct Clock {
    var timers = Timers()
    var position: SampleIndex = 0
  }

  package let speech: SpeechOutput
  private let hasSounds: Bool
  private let queue: EventQueue
  private let clock = Mutex(Clock())
  /// Items that have not ended.
  private var pending = 0
  private var isPaused = false

  /// - Parameters:
  ///   - hasSounds: whether sounds say that the assistant listens, that it stops, and that it did not understand.
  ///   - queue: receives ``ServiceEvent/played(by:asked:_:)`` for each item.
  package init(_ speech: SpeechOutput, hasSounds: Bool, _ queue: EventQueue) {
    self.speech = speech
    self.hasSounds = hasSounds
    self.queue = queue
    speech.report { fault in
      queue.post(.result(.trouble(code: fault.exitCode.rawValue, message: fault.message)))
    }
  }

  /// The timers that run, and the position of the stream.
  package var timers: (timers: Timers, position: SampleIndex) { clock.withLock { ($0.timers, $0.position) } }

  /// The volume now, and the last one above 0.
  package var volume: (now: Double, audible: Double) { (speech.volume, speech.audibleVolume) }

  /// Whether nothing is being played or waits to be, except for what is paused.
  package var isIdle: Bool { pending == 0 || isPaused && speech.isIdle }

  /// Takes over the timers of `other`, and its volume if the setting has not changed.
  package func follow(_ other: AssistantOutput) {
    let past = other.clock.withLock { $0 }
    clock.withLock { $0 = past }
    guard other.speech.settings.volume == speech.settings.volume else { return }
    speech.volume = other.speech.audibleVolume
    speech.volume = other.speech.volume
  }

  /// Takes the position of the stream; timers that are over ring.
  ///
  /// - Returns: the fields of an `action` event for each of them.
  package func advance(to position: SampleIndex) -> [JSON] {
    let over = clock.withLock { clock in
      clock.position = position
      return clock.timers.advance(to: position)
    }
    return over.map { timer in
      play(.ring, isUrgent: true)
      let name = timer.name.map { [JSON.Member("name", .string($0))] } ?? []
      let fields = [JSON.Member("type", "timer_ring"), JSON.Member("time", .rounded(timer.seconds))]
      return ["action": .object(fields + name)]
    }
  }

  /// Does what follows from an event.
  package func follow(_ event: AssistantEvent) {
    switch event.kind {
    case .wake:
      stop()
      if hasSounds { play(.wake) }
    case .reply(let text): say(text)
    case .action(let result):
      if let action = result["action"].flatMap(Action.init(json:)) { perform(action, at: event.at) }
    case .idle(let reason): if hasSounds { play(reason == .notUnderstood ? .notUnderstood : .end) }
    case .ready, .listening, .partial, .transcript, .intent, .prompt, .device, .error: break
    }
  }

  /// Speaks `text` after what waits.
  ///
  /// - Parameter asking: the session whose prompt it is.
  package func say(_ text: String, asking session: Session? = nil) {
    pending += 1
    speech.say(text) { [self] in queue.post(.played(by: self, asked: session, $0)) }
  }

  /// Notes that an item has ended.
  package func finished() { pending -= 1 }

  private func play(_ sound: Sound, isUrgent: Bool = false) {
    pending += 1
    speech.play(sound, isUrgent: isUrgent) { [self] in queue.post(.played(by: self, asked: nil, $0)) }
  }

  /// Stops what is played and drops what waits.
  package func stop() {
    isPaused = false
    speech.stop()
  }

  private func perform(_ action: Action, at position: SampleIndex) {
    switch action.kind {
    case .timerSet(let seconds, let name):
      // While the device is lost, the clock is ahead of the stream.
      clock.withLock { _ = $0.timers.set(seconds: seconds, name: name, at: max(position, $0.position)) }
    case .timerReset(let choice): clock.withLock { $0.timers.reset(choice) }
    case .volume(let volume): speech.volume = volume
    case .control(.stop): stop()
    case .control(.pause):
      isPaused = true
      speech.pause()
    case .control(.resume):
      isPaused = false
      speech.resume()
    default: break
    }
  }
}
