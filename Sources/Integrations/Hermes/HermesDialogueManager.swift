import Assistant
import Networking
import PCM
import Platform

/// The service's part in the Hermes protocol of Snips and Rhasspy: hotword detector, recognizer, understanding and, if the
/// settings say so, dialogue manager.
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
/// | waiting | endSession, timeout, wake | none | (say;) publish sessionEnded |
/// | open | endSession | none | cancel; on idle say, publish sessionEnded |
///
/// In any case, the detector is off while there is a reason among the toggles, `startListening` transcribes what is said
/// next, and `query` is understood.
public struct HermesDialogueManager: Sendable {
  public enum Input: Sendable {
    /// A message on one of the topics.
    case received(MQTTMessage)
    /// An event of the assistant.
    case event(AssistantEvent)
    /// The meaning of a query, as `hotword understand` prints it.
    case understood(HermesQuery, JSON)
    /// Time has passed.
    case tick
  }

  public enum Action: Sendable, Equatable {
    case publish(MQTTMessage)
    /// Detect hotwords, after a restart of the detector, or ignore them.
    case detect(Bool)
    /// Let the assistant listen.
    case listen(prompt: String?, Goal)
    /// End the assistant's conversation.
    case dismiss(wantsResult: Bool)
    case say(String)
    /// Understand a text; answer with ``Input/understood(_:_:)``.
    case understand(HermesQuery)
    /// Audio of the site, as a WAV file.
    case audio([UInt8])
    /// Tell the people who run the service.
    case warn(String)
  }

  /// The limit of sessions in the queue.
  static let queueLimit = 16

  public var settings: HermesSettings
  /// The reasons why hotwords are ignored; without a reason they count.
  public private(set) var reasons: Set<String> = []
  private var listeningReasons: Set<String> = []
  var session: HermesSession?
  var queue: [HermesSession] = []
  /// The request for a transcript, while the assistant listens for one.
  private var listener: Listener?
  /// Whether the assistant has a conversation.
  var isBusy = false
  private var listeningSince: SampleIndex = 0
  private var random: RandomSource

  private struct Listener {
    var session: String?
    var keyword: String?
    var hasText = false
  }

  /// - Parameter seed: of the random part of session names.
  public init(_ settings: HermesSettings, seed: UInt64) {
    self.settings = settings
    random = RandomSource(seed: seed)
  }

  /// Takes one input and returns what to do, in order.
  ///
  /// - Parameter now: seconds on any clock that does not go back.
  public mutating func advance(_ input: Input, at now: Double) -> [Action] {
    switch input {
    case .received(let message): return receive(message, now)
    case .event(let event): return follow(event, now)
    case .understood(let query, let meaning): return understood(query, meaning)
    case .tick:
      guard let deadline = session?.deadline, now >= deadline else { return [] }
      return end(.timeout) + next()
    }
  }

  private mutating func receive(_ message: MQTTMessage, _ now: Double) -> [Action] {
    if message.topic == HermesTopic.audioFrame(settings.site) { return [.audio(message.payload)] }
    guard let topic = HermesTopic(rawValue: message.topic) else { return [] }
    // The broker would repeat it at each connection, long after what it was about.
    guard !message.isRetained else {
      return [.warn("a retained message on \(topic.rawValue) is ignored; publish commands without 'retain'")]
    }
    guard let body = try? JSON(parsing: message.payload, what: message.topic), body.members != nil
    else { return [.warn("a message on \(topic.rawValue) is ignored: it is not a JSON object")] }
    if topic == .continueSession || topic == .endSession { return control(topic, body) }
    guard (body["siteId"]?.string ?? "default") == settings.site else { return [] }
    switch topic {
    case .hotwordOn, .hotwordOff: return toggle(on: topic == .hotwordOn, body["reason"]?.string ?? "")
    case .listeningOn: Self.toggle(&listeningReasons, on: true, body["reason"]?.string ?? "")
    case .listeningOff: Self.toggle(&listeningReasons, on: false, body["reason"]?.string ?? "")
    case .getHotwords: return [send("rhasspy/hotword/hotwords", hotwords(id: body["id"] ?? .null))]
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
    guard listeningReasons.isEmpty else {
      return [fault("asr", "the recognizer is switched off", body["sessionId"])]
    }
    guard !isBusy else { return [fault("asr", "the recognizer is listening already", body["sessionId"])] }
    listener = Listener(session: body["sessionId"]?.string, keyword: body["wakewordId"]?.string)
    isBusy = true
    return [.listen(prompt: nil, .text(endsBySilence: body["stopOnSilence"]?.bool ?? true))]
  }

  private mutating func follow(_ event: AssistantEvent, _ now: Double) -> [Action] {
    switch event.kind {
    case .wake(let wake, _): return handleWake(wake)
    case .listening:
      listeningSince = event.at
      return []
    case .transcript(let result): return transcribed(result, at: event.at)
    case .intent(let result): return handleIntent(result)
    case .reply:
      session?.isAnswered = true
      return []
    case .idle(let reason): return handleIdle(reason, at: event.at, now)
    case .error(_, let message): return [fault("hotword", message, .text(session?.id))]
    case .ready, .partial, .prompt, .action, .device: return []
    }
  }

  private mutating func handleWake(_ wake: Wake) -> [Action] {
    let interrupted = end(.abortedByUser)
    let id = newName(wake.keyword)
    let hotword = settings.hotwords.first { $0.id == wake.keyword }
    let detected = send(
      "hermes/hotword/\(MQTTBroker.level(wake.keyword))/detected",
      [
        "modelId": .string(wake.keyword), "modelVersion": "",
        "modelType": "universal",
        "currentSensitivity": .number(hotword?.sensitivity ?? 0.5), "siteId": .string(settings.site),
        "sessionId": settings.managesDialogues ? .string(id) : .null, "sendAudioCaptured": .null,
        "lang": .string(settings.language), "customEntities": .null,
      ])
    guard settings.managesDialogues else { return interrupted + [detected] }
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
    return send(
      "hermes/asr/textCaptured",
      text.json(
        site: settings.site, session: listener?.session ?? session?.id,
        keyword: listener?.keyword ?? session?.keyword, language: settings.language))
  }

  private mutating func handleIntent(_ result: JSON) -> [Action] {
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
    return [send("hermes/nlu/intentNotRecognized", intent.notRecognized)]
  }

  /// A name with characters that a topic cannot contain is whole in the message itself.
  private func publish(_ intent: HermesIntent, as name: String) -> [Action] {
    [send("hermes/intent/\(MQTTBroker.level(name))", intent.json)]
  }

  private mutating func handleIdle(
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
    case .resume(let prompt): return resume(prompt)
    case .end(let text): return (text.map { [.say($0)] } ?? []) + end(.nominal) + next()
    case nil: break
    }
    if reason == .done, !session.isAnswered {
      self.session?.deadline = now + settings.skillTimeout
      return []
    }
    return end(.init(reason)) + next()
  }

  private func understood(_ query: HermesQuery, _ meaning: JSON) -> [Action] {
    let intent = query.intent(meaning)
    guard let name = intent.name, query.filter?.contains(name) ?? true else {
      return [send("hermes/nlu/intentNotRecognized", intent.notRecognized)]
    }
    return publish(intent, as: name)
  }

  mutating func newName(_ what: String) -> String {
    "\(settings.site)-\(what)-\(String(random.next(), radix: 16))"
  }

  func fault(_ part: String, _ words: String, _ session: JSON?) -> Action {
    send(
      HermesTopic.error(part),
      [
        "error": .string(words), "siteId": .string(settings.site), "context": .null,
        "sessionId": session ?? .null,
      ])
  }

  func send(_ topic: String, _ payload: JSON) -> Action {
    .publish(MQTTMessage(topic, Array(payload.description.utf8)))
  }
}
