import Assistant
import AudioCapture
import Detection
import Hermes
import Networking
import Platform
import Supervision
import Understanding

/// Connects the service to an MQTT broker by the Hermes protocol: performs what the ``HermesDialogueManager`` decides.
///
/// The dialogue manager runs on a thread of its own. What it requests of the service goes to the event queue; what happens in
/// the service comes by ``note(_:)``, which does not wait. If the broker is slow or away, up to ``MQTTLink/limit`` messages
/// wait; later ones are dropped and counted in ``ServiceMetrics/droppedMessages``. At the end of the service the broker has
/// up to two seconds to take what waits.
package final class HermesBridge: Sendable {
  /// What the dialogue manager requests of the service.
  package enum Request: Sendable {
    /// Detect hotwords, after a restart of the detector, or ignore them.
    case detect(Bool)
    case listen(prompt: String?, Goal)
    case dismiss(wantsResult: Bool)
    case say(String)
  }

  /// What the service listens for and understands, for the dialogue manager.
  package struct Scope: Sendable {
    let hotwords: [HermesSettings.Hotword]
    let understander: Understander
    let language: String

    package init(keywords: [KeywordSpotter.Keyword], _ understander: Understander, language: String) {
      hotwords = keywords.map {
        HermesSettings.Hotword(id: $0.name, phrase: $0.phrase, sensitivity: $0.sensitivity.value)
      }
      self.understander = understander
      self.language = language
    }
  }

  private enum Input: Sendable {
    case link(MQTTLink.Event)
    case event(AssistantEvent)
    case scope(Scope)
  }

  /// Seconds after which the time-outs of the dialogue manager are checked while nothing happens.
  private static let tick = 0.2

  /// The site's audio, if it comes from the broker.
  package let audio: MessageSource?
  private let peer: String
  private let link: MQTTLink
  private let settings: HermesSettings
  private let inputs = JobQueue<Input>()

  /// - Parameter bringsAudio: whether the site's audio comes from the broker.
  init(_ broker: MQTTBroker, _ settings: HermesSettings, bringsAudio: Bool) throws(NetworkFault) {
    peer = broker.address.peer
    self.settings = settings
    audio = bringsAudio ? MessageSource() : nil
    link = try MQTTLink(broker, status: settings.status, topics: settings.topics(audio: bringsAudio))
  }

  /// Takes an event of the service.
  func note(_ event: AssistantEvent) { inputs.append(.event(event)) }

  /// Goes on with another configuration.
  func change(_ scope: Scope) { inputs.append(.scope(scope)) }

  /// Connects to the broker and starts the threads.
  func start(_ scope: Scope, _ queue: EventQueue, metrics: ServiceMetrics) throws {
    let seed = UInt64.random(in: 0 ... .max)
    try link.start { [inputs] in inputs.append(.link($0)) }
    try DetachedThread.start { [self] in
      var manager = HermesDialogueManager(settings, seed: seed)
      var scope = scope
      while true {
        manager.settings.hotwords = scope.hotwords
        manager.settings.language = scope.language
        var input = HermesDialogueManager.Input.tick
        switch inputs.take(within: Self.tick) {
        case .scope(let new)?: scope = new
        case .event(let event)?: input = .event(event)
        case .link(.received(let message))?: input = .received(message)
        case .link(let event)?: note(event, queue)
        case nil: break
        }
        perform(manager.advance(input, at: MonotonicClock.now()), &manager, scope, queue, metrics)
      }
    }
  }

  /// Delivers what waits, for up to `seconds`, and disconnects.
  func close(within seconds: Double) { link.close(within: seconds) }

  private func note(_ event: MQTTLink.Event, _ queue: EventQueue) {
    switch event {
    case .received: break
    case .connected:
      Log.note("hermes: connected to \(peer)")
      audio?.recover()
    case .lost(let fault):
      let message = "\(fault.message); trying again"
      queue.post(.result(.trouble(code: fault.exitCode.rawValue, message: message)))
      audio?.lose()
    }
  }

  private func perform(
    _ actions: [HermesDialogueManager.Action], _ manager: inout HermesDialogueManager, _ scope: Scope,
    _ queue: EventQueue, _ metrics: ServiceMetrics
  ) {
    for action in actions {
      switch action {
      case .publish(let message): if !link.publish(message) { metrics.droppedMessages.add() }
      case .detect(let isOn): queue.post(.hermes(.detect(isOn)))
      case .listen(let prompt, let goal): queue.post(.hermes(.listen(prompt: prompt, goal)))
      case .dismiss(let wantsResult): queue.post(.hermes(.dismiss(wantsResult: wantsResult)))
      case .say(let text): queue.post(.hermes(.say(text)))
      case .understand(let query):
        let meaning = scope.understander.interpret(query.text).json
        let answer = manager.advance(.understood(query, meaning), at: MonotonicClock.now())
        perform(answer, &manager, scope, queue, metrics)
      case .audio(let wav): audio?.push(wav: wav)
      }
    }
  }
}
