import Assistant
import AudioCapture
import Detection
import Hermes
import Networking
import Platform
import Supervision
import Synchronization
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
    /// Nothing comes any more.
    case end
  }

  /// Bytes of messages from the broker that wait; further ones are dropped.
  private static let waitingLimit = 8 << 20
  /// Seconds after which the time-outs of the dialogue manager are checked while nothing happens.
  private static let tick = 0.2

  /// The site's audio, if it comes from the broker.
  package let audio: MessageSource?
  private let peer: String
  private let link: MQTTLink
  private let settings: HermesSettings
  private let inputs = JobQueue<Input>()
  private let waiting = Atomic<Int>(0)
  private let isConnected = Atomic<Bool>(false)
  /// Tells ``close(within:)`` that the dialogue manager has taken all that was noted.
  private let ended: ThreadSignal

  /// - Parameter bringsAudio: whether the site's audio comes from the broker.
  init(_ broker: MQTTBroker, _ settings: HermesSettings, bringsAudio: Bool) throws(NetworkFault) {
    peer = broker.address.peer
    self.settings = settings
    audio = bringsAudio ? MessageSource() : nil
    link = try MQTTLink(broker, status: settings.status, topics: settings.topics(audio: bringsAudio))
    do {
      ended = try ThreadSignal()
    } catch {
      throw .system(error)
    }
  }

  /// The broker, as a page shows it.
  package var connection: ServiceConnection {
    ServiceConnection("MQTT broker", peer, isConnected: isConnected.load(ordering: .relaxed))
  }

  /// Takes an event of the service.
  package func note(_ event: AssistantEvent) { inputs.append(.event(event)) }

  /// Goes on with another configuration.
  func change(_ scope: Scope) { inputs.append(.scope(scope)) }

  /// Connects to the broker and starts the threads.
  package func start(_ scope: Scope, _ queue: EventQueue, metrics: ServiceMetrics) throws {
    let seed = UInt64.random(in: 0 ... .max)
    try link.start { [self] in take($0, metrics) }
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
        case .link(.received(let message))?:
          waiting.subtract(Self.size(message), ordering: .relaxed)
          input = .received(message)
        case .link(let event)?: note(event, queue)
        case .end?: return ended.send()
        case nil: break
        }
        perform(manager.advance(input, at: MonotonicClock.now()), &manager, scope, queue, metrics)
      }
    }
  }

  /// Delivers what was noted and what waits, for up to `seconds`, and disconnects.
  package func close(within seconds: Double) {
    let deadline = MonotonicClock.now() + seconds
    inputs.append(.end)
    ended.wait(until: deadline)
    link.close(within: max(0, deadline - MonotonicClock.now()))
  }

  /// Passes on what happened at the broker, on its thread.
  private func take(_ event: MQTTLink.Event, _ metrics: ServiceMetrics) {
    if case .received(let message) = event {
      guard waiting.load(ordering: .relaxed) < Self.waitingLimit else {
        metrics.droppedMessages.add()
        return warn("messages come faster than they can be handled; some are dropped")
      }
      waiting.add(Self.size(message), ordering: .relaxed)
    }
    if case .tooLarge = event { metrics.droppedMessages.add() }
    inputs.append(.link(event))
  }

  /// The memory of a message that waits, about.
  private static func size(_ message: MQTTMessage) -> Int {
    message.topic.utf8.count + message.payload.count + 256
  }

  private func warn(_ text: String) { PeerLog.warning("hermes: \(text)", from: peer) }

  private func note(_ event: MQTTLink.Event, _ queue: EventQueue) {
    switch event {
    case .received: break
    case .tooLarge(let topic, let bytes):
      warn("a message of \(bytes) bytes on \(PlainText.line(topic, limit: 100)) is too large and was dropped")
    case .connected:
      isConnected.store(true, ordering: .relaxed)
      Log.note("hermes: connected to \(peer)")
    case .lost(let fault):
      isConnected.store(false, ordering: .relaxed)
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
      case .detect(let isOn):
        let reasons = manager.reasons.filter { !$0.isEmpty }.sorted().joined(separator: ", ")
        let why = reasons.isEmpty ? "" : " (\(PlainText.line(reasons, limit: 100)))"
        Log.note(isOn ? "hermes: hotwords are detected again" : "hermes: hotwords are switched off\(why)")
        queue.post(.hermes(.detect(isOn)))
      case .warn(let text): warn(text)
      case .listen(let prompt, let goal): queue.post(.hermes(.listen(prompt: prompt, goal)))
      case .dismiss(let wantsResult): queue.post(.hermes(.dismiss(wantsResult: wantsResult)))
      case .say(let text): queue.post(.hermes(.say(text)))
      case .understand(let query):
        let meaning = scope.understander.interpret(query.text).json
        let answer = manager.advance(.understood(query, meaning), at: MonotonicClock.now())
        perform(answer, &manager, scope, queue, metrics)
      case .audio(let wav):
        do throws(WAVFault) {
          try audio?.push(wav: wav)
        } catch {
          metrics.droppedMessages.add()
          warn("audio of the site was dropped: \(error.reason)")
        }
      }
    }
  }
}
