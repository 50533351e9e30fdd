import Actions
import Assistant
import PCM
import Platform
import SpeechSynthesis
import Synchronization

/// What is heard of the assistant: it says replies and questions, makes sounds, rings timers, and does what actions
/// ask of it.
///
/// Nothing waits here. Times are the stream's.
final class AssistantOutput: Sendable {
  private struct Clock {
    var timers = Timers()
    var position: SampleIndex = 0
  }

  let speech: SpeechOutput
  private let hasSounds: Bool
  private let clock = Mutex(Clock())

  /// - Parameter hasSounds: whether a sound tells that it listens, and another that it does not any more.
  init(_ speech: SpeechOutput, hasSounds: Bool) {
    self.speech = speech
    self.hasSounds = hasSounds
  }

  /// The timers that run, and where the stream stands.
  var timers: (timers: Timers, position: SampleIndex) { clock.withLock { ($0.timers, $0.position) } }

  /// The volume of what is played, and the last one above 0.
  var volume: (now: Double, audible: Double) { (speech.volume, speech.audibleVolume) }

  /// Takes over from `other`: its timers, and the volume that somebody has asked for.
  func follow(_ other: AssistantOutput) {
    let past = other.clock.withLock { $0 }
    clock.withLock { $0 = past }
    guard other.speech.settings.volume == speech.settings.volume else { return }
    speech.volume = other.speech.audibleVolume
    speech.volume = other.speech.volume
  }

  /// Notes where the stream stands; timers that are over ring.
  ///
  /// - Returns: the fields of an `action` event for each of them.
  func advance(to position: SampleIndex) -> [JSON] {
    let over = clock.withLock { clock in
      clock.position = position
      return clock.timers.advance(to: position)
    }
    return over.map { timer in
      speech.play(.ring, isUrgent: true)
      let name = timer.name.map { [JSON.Member("name", .string($0))] } ?? []
      let fields = [JSON.Member("type", "timer_ring"), JSON.Member("time", .rounded(timer.seconds))]
      return ["action": .object(fields + name)]
    }
  }

  /// Does what follows from an event.
  func heed(_ event: AssistantEvent) {
    switch event.kind {
    case .wake:
      speech.stop()
      if hasSounds { speech.play(.wake) }
    case .reply(let text): speech.say(text)
    case .action(let result):
      if let action = result["action"].flatMap(Action.init(json:)) { perform(action, at: event.at) }
    case .idle: if hasSounds { speech.play(.end) }
    case .ready, .listening, .partial, .transcript, .intent, .prompt, .device, .error: break
    }
  }

  private func perform(_ action: Action, at position: SampleIndex) {
    switch action.kind {
    case .timerSet(let seconds, let name):
      clock.withLock { _ = $0.timers.set(seconds: seconds, name: name, at: position) }
    case .timerReset(let choice): clock.withLock { $0.timers.reset(choice) }
    case .volume(let volume): speech.volume = volume
    case .control(.stop): speech.stop()
    case .control(.pause): speech.pause()
    case .control(.resume): speech.resume()
    default: break
    }
  }
}
