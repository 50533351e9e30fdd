import Assistant
import AudioCapture
import Hermes
import Networking
import Platform
import Synchronization
import Understanding

/// Joins the service to an MQTT broker, as Hermes has it: what the ``HermesDialogueManager`` decides is done here.
///
/// The manager belongs to a thread of its own; nobody who brings it news waits.
package final class HermesBridge: Sendable {
  private enum News: Sendable {
    case link(MQTTLink.Event)
    case event(AssistantEvent)
    /// From now on the service listens for and understands this.
    case components(Scope)
  }

  /// What the broker is told of, and what its queries are understood by.
  private struct Scope: Sendable {
    let hotwords: [HermesSettings.Hotword]
    let language: String
    let understander: Understander
    let output: AssistantOutput
  }

  /// Seconds between two looks at the clock while nothing happens.
  private static let tick = 0.2
  /// Seconds that the broker gets to take what is left at the end.
  private static let goodbye = 2.0

  /// The site's audio, where it comes over the broker.
  package let audio: MessageSource?
  private let peer: String
  private let link: MQTTLink
  private let settings: HermesSettings
  private let news = JobQueue<News>()
  private let detects = Atomic<Bool>(true)
  private let isFresh = Atomic<Bool>(false)

  /// - Parameter bringsAudio: whether the site's audio comes over the broker.
  init(_ broker: MQTTBroker, _ settings: HermesSettings, bringsAudio: Bool) throws(NetworkFault) {
    peer = broker.address.peer
    self.settings = settings
    audio = bringsAudio ? MessageSource() : nil
    link = try MQTTLink(broker, status: settings.status, topics: settings.topics(audio: bringsAudio))
  }

  /// Whether hotwords are heeded just now.
  var isDetecting: Bool { detects.load(ordering: .acquiring) }

  /// Whether they are heeded again since the last call, so that the detector must forget what it heard.
  func takeReturn() -> Bool { isFresh.exchange(false, ordering: .acquiring) }

  /// Tells the broker what the assistant goes through.
  func heed(_ event: AssistantEvent) { news.append(.event(event)) }

  /// Connects; from now on the broker is heard.
  func start(_ dialogue: Dialogue, _ components: ServiceComponents) throws {
    let seed = UInt64.random(in: 0 ... .max)
    let first = try Self.scope(components)
    try link.start { [news] in news.append(.link($0)) }
    try DetachedThread.start { [self] in
      var manager = HermesDialogueManager(settings, seed: seed)
      var scope = first
      while true {
        manager.settings.hotwords = scope.hotwords
        manager.settings.language = scope.language
        var input = HermesDialogueManager.Input.tick
        switch news.take(within: Self.tick) {
        case .components(let new)?: scope = new
        case .event(let event)?: input = .told(event)
        case .link(.received(let message))?: input = .heard(message)
        case .link(let event)?: note(event, dialogue)
        case nil: break
        }
        perform(manager.advance(input, at: MonotonicClock.now()), &manager, scope, dialogue)
      }
    }
  }

  /// Goes on with what was read anew.
  func adopt(_ components: ServiceComponents) throws { news.append(.components(try Self.scope(components))) }

  private static func scope(_ components: ServiceComponents) throws -> Scope {
    let intents = try PlugIns.intents(components.settings.intents)
    let hotwords = components.spotter.keywords.map {
      HermesSettings.Hotword(id: $0.name, phrase: $0.phrase, sensitivity: $0.sensitivity.value)
    }
    return Scope(
      hotwords: hotwords, language: intents.language, understander: try Understander(intents),
      output: components.output)
  }

  /// Hands over what is left.
  func close() { link.close(within: Self.goodbye) }

  /// Tells of the connection.
  private func note(_ event: MQTTLink.Event, _ dialogue: Dialogue) {
    switch event {
    case .received: break
    case .connected:
      Log.note("hermes: connected to \(peer)")
      audio?.recover()
    case .lost(let fault):
      dialogue.advance(.trouble(code: fault.exitCode.rawValue, message: "\(fault.message); trying again"))
      audio?.lose()
    }
  }

  private func perform(
    _ actions: [HermesDialogueManager.Action], _ manager: inout HermesDialogueManager, _ scope: Scope,
    _ dialogue: Dialogue
  ) {
    for action in actions {
      switch action {
      case .publish(let message): link.publish(message)
      case .detect(let isOn):
        if isOn { isFresh.store(true, ordering: .releasing) }
        detects.store(isOn, ordering: .releasing)
      case .listen(let prompt, let goal): dialogue.advance(.summoned(prompt: prompt, goal))
      case .dismiss(let wantsResult): dialogue.advance(.dismissed(wantsResult: wantsResult))
      case .say(let text): scope.output.speech.say(text)
      case .understand(let query):
        let meaning = scope.understander.interpret(query.text).json
        let answer = manager.advance(.understood(query, meaning), at: MonotonicClock.now())
        perform(answer, &manager, scope, dialogue)
      case .listenTo(let wav): audio?.push(wav: wav)
      }
    }
  }
}
