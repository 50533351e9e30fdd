import Assistant
import Networking
import PCM
import Platform

/// The service's part in the Hermes protocol of Snips and Rhasspy: hotword, recognizer, understanding and, unless another
/// leads, dialogue manager.
///
/// A state machine without clock, threads or I/O: `advance` takes what happened and returns what to do, in order.
///
/// | session | input | to | actions |
/// |---|---|---|---|
/// | none | wake | open | publish detected, sessionStarted |
/// | none | startSession, action | open | publish sessionStarted; listen |
/// | none | startSession, notification | none | publish sessionStarted; say; publish sessionEnded |
/// | open | startSession that can wait | open | publish sessionQueued |
/// | open | transcript, intent | open | publish textCaptured, intent or intentNotRecognized |
/// | open | idle, its intent answered here | none | publish sessionEnded |
/// | open | idle, its intent not answered | waiting | none |
/// | waiting | continueSession | open | listen |
/// | waiting | endSession, patience over, wake | none | (say;) publish sessionEnded |
/// | open | endSession | none | cancel; on idle say, publish sessionEnded |
///
/// Whoever leads, toggles are a set of reasons, `startListening` makes a text of what is said next, and `query` is
/// understood.
public struct HermesDialogueManager: Sendable {
  public enum Input: Sendable {
    /// Something came on one of the topics.
    case heard(MQTTMessage)
    /// The assistant tells what it goes through.
    case told(AssistantEvent)
    /// A line of `hotword understand` for a query.
    case understood(HermesQuery, JSON)
    /// Time has passed.
    case tick
  }

  public enum Action: Sendable, Equatable {
    case publish(MQTTMessage)
    /// Heed the hotwords, from a fresh start, or not.
    case detect(Bool)
    /// Summon the assistant.
    case listen(prompt: String?, Goal)
    /// Dismiss it.
    case dismiss(wantsResult: Bool)
    case say(String)
    /// Find out what a text means; answer with ``Input/understood(_:_:)``.
    case understand(HermesQuery)
    /// Samples of the site, as a WAV.
    case listenTo([UInt8])
  }

  /// The most sessions that wait for their turn.
  static let queueLimit = 16

  public var settings: HermesSettings
  /// Why the hotwords are not heeded; they are while there is no reason.
  public private(set) var reasons: Set<String> = []
  private var listeningReasons: Set<String> = []
  var session: HermesSession?
  var queue: [HermesSession] = []
  /// Who wants a text, where the assistant listens for one.
  private var listener: Listener?
  /// Whether the assistant is at work.
  var isBusy = false
  private var listeningSince: SampleIndex = 0
  private var random: RandomSource

  private struct Listener {
    var session: String?
    var keyword: String?
    var hasText = false
  }

  /// - Parameter seed: what the names of sessions are made of.
  public init(_ settings: HermesSettings, seed: UInt64) {
    self.settings = settings
    random = RandomSource(seed: seed)
  }

  /// Takes one input and returns what to do, in order.
  ///
  /// - Parameter now: seconds on any clock that does not go back.
  public mutating func advance(_ input: Input, at now: Double) -> [Action] {
    switch input {
    case .heard(let message): return heard(message, now)
    case .told(let event): return told(event, now)
    case .understood(let query, let meaning): return understood(query, meaning)
    case .tick:
      guard let deadline = session?.deadline, now >= deadline else { return [] }
      return end(.timeout) + next()
    }
  }

  private mutating func heard(_ message: MQTTMessage, _ now: Double) -> [Action] {
    if message.topic == HermesTopic.audioFrame(settings.site) { return [.listenTo(message.payload)] }
    guard let topic = HermesTopic(rawValue: message.topic),
      let body = try? JSON(parsing: message.payload, what: message.topic), body.members != nil
    else { return [] }
    if topic == .continueSession || topic == .endSession { return lead(topic, body, now) }
    guard (body["siteId"]?.string ?? "default") == settings.site else { return [] }
    switch topic {
    case .hotwordOn, .hotwordOff: return toggle(on: topic == .hotwordOn, body["reason"]?.string ?? "")
    case .listeningOn: Self.toggle(&listeningReasons, on: true, body["reason"]?.string ?? "")
    case .listeningOff: Self.toggle(&listeningReasons, on: false, body["reason"]?.string ?? "")
    case .getHotwords: return [tell("rhasspy/hotword/hotwords", hotwords(id: body["id"] ?? .null))]
    case .startListening: return startListening(body)
    case .stopListening:
      guard let listener, body["sessionId"]?.string == nil || body["sessionId"]?.string == listener.session
      else { return [] }
      return [.dismiss(wantsResult: true)]
    case .query: return [.understand(HermesQuery(body, site: settings.site))]
    case .startSession: return startSession(body)
    case .continueSession, .endSession: break
    }
    return []
  }

  private static func toggle(_ reasons: inout Set<String>, on: Bool, _ reason: String) {
    if !on {
      reasons.insert(reason)
    } else if reason.isEmpty {
      reasons = []
    } else {
      reasons.remove(reason)
    }
  }

  private mutating func toggle(on: Bool, _ reason: String) -> [Action] {
    let before = reasons.isEmpty
    Self.toggle(&reasons, on: on, reason)
    return reasons.isEmpty == before ? [] : [.detect(reasons.isEmpty)]
  }

  private func hotwords(id: JSON) -> JSON {
    let models = settings.hotwords.map { hotword -> JSON in
      [
        "modelId": .string(hotword.id), "modelWords": .string(hotword.phrase), "modelVersion": "",
        "modelType": "universal",
      ]
    }
    return ["models": .array(models), "siteId": .string(settings.site), "id": id]
  }

  private mutating func startListening(_ body: JSON) -> [Action] {
    guard listeningReasons.isEmpty else { return [trouble("asr", "it is switched off", body["sessionId"])] }
    guard !isBusy else { return [trouble("asr", "it listens already", body["sessionId"])] }
    listener = Listener(session: body["sessionId"]?.string, keyword: body["wakewordId"]?.string)
    isBusy = true
    return [.listen(prompt: nil, .text(endsBySilence: body["stopOnSilence"]?.bool ?? true))]
  }

  private mutating func told(_ event: AssistantEvent, _ now: Double) -> [Action] {
    switch event.kind {
    case .wake(let wake, _): return woke(wake)
    case .listening:
      listeningSince = event.at
      return []
    case .transcript(let result): return transcribed(result, at: event.at)
    case .intent(let result): return meant(result)
    case .reply:
      session?.isAnswered = true
      return []
    case .idle(let reason): return rested(reason, at: event.at, now)
    case .error(_, let message): return [trouble("hotword", message, .text(session?.id))]
    case .ready, .partial, .prompt, .action, .device: return []
    }
  }

  private mutating func woke(_ wake: Wake) -> [Action] {
    let interrupted = end(.abortedByUser)
    let id = name(wake.keyword)
    let hotword = settings.hotwords.first { $0.id == wake.keyword }
    let detected = tell(
      "hermes/hotword/\(wake.keyword)/detected",
      [
        "modelId": .string(wake.keyword), "modelVersion": "",
        "modelType": "universal",
        "currentSensitivity": .number(hotword?.sensitivity ?? 0.5), "siteId": .string(settings.site),
        "sessionId": settings.leads ? .string(id) : .null, "sendAudioCaptured": .null,
        "lang": .string(settings.language), "customEntities": .null,
      ])
    guard settings.leads else { return interrupted + [detected] }
    return interrupted + [detected]
      + open(HermesSession(id: id, customData: .string(wake.keyword), keyword: wake.keyword))
  }

  private mutating func transcribed(_ result: JSON, at: SampleIndex) -> [Action] {
    guard listener != nil || session != nil else { return [] }
    listener?.hasText = true
    return [captured(result, at: at)]
  }

  private func captured(_ result: JSON, at: SampleIndex) -> Action {
    let text = HermesText(result, seconds: AudioFormat.seconds(max(0, at - listeningSince)))
    return tell(
      "hermes/asr/textCaptured",
      text.json(
        site: settings.site, session: listener?.session ?? session?.id,
        keyword: listener?.keyword ?? session?.keyword, language: settings.language))
  }

  private mutating func meant(_ result: JSON) -> [Action] {
    guard let session, listener == nil else { return [] }
    var intent = HermesIntent(result, site: settings.site)
    intent.session = session.id
    intent.keyword = session.keyword
    intent.customData = session.customData
    if let name = intent.name {
      self.session?.isAnswered = false
      return publish(intent, as: name)
    }
    guard result["status"]?.string == "notUnderstood" else { return [] }
    return [tell("hermes/nlu/intentNotRecognized", intent.notRecognized)]
  }

  private func publish(_ intent: HermesIntent, as name: String) -> [Action] {
    let topic = "hermes/intent/\(name)"
    return MQTTBroker.isTopic(topic) ? [tell(topic, intent.json)] : []
  }

  private mutating func rested(
    _ reason: AssistantEvent.IdleReason, at: SampleIndex, _ now: Double
  ) -> [Action] {
    isBusy = false
    if let listener {
      let nothing = listener.hasText ? [] : [captured(["text": "", "confidence": 0], at: at)]
      self.listener = nil
      return nothing + next()
    }
    guard let session else { return next() }
    switch session.following {
    case .goOn(let prompt): return goOn(prompt)
    case .end(let text): return (text.map { [.say($0)] } ?? []) + end(.nominal) + next()
    case nil: break
    }
    if reason == .done, !session.isAnswered {
      self.session?.deadline = now + settings.patience
      return []
    }
    return end(.init(reason)) + next()
  }

  private func understood(_ query: HermesQuery, _ meaning: JSON) -> [Action] {
    let intent = query.intent(meaning)
    guard let name = intent.name, query.filter?.contains(name) ?? true else {
      return [tell("hermes/nlu/intentNotRecognized", intent.notRecognized)]
    }
    return publish(intent, as: name)
  }

  mutating func name(_ what: String) -> String {
    "\(settings.site)-\(what)-\(String(random.next(), radix: 16))"
  }

  func trouble(_ part: String, _ words: String, _ session: JSON?) -> Action {
    tell(
      HermesTopic.error(part),
      [
        "error": .string(words), "siteId": .string(settings.site), "context": .null,
        "sessionId": session ?? .null,
      ])
  }

  func tell(_ topic: String, _ payload: JSON) -> Action {
    .publish(MQTTMessage(topic, Array(payload.description.utf8)))
  }
}
