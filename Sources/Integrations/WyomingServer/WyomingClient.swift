import Detection
import Networking
import Platform

/// What a server offers besides hotwords.
public struct SpokenServices: Sendable {
  /// Recognize speech in `language`; nil for none.
  public let recognizers: RecognizerPool?
  public let language: String
  /// Understands sentences.
  let agent: ConversationAgent
  let speakers = OrderSpeakers()

  public init(_ recognizers: RecognizerPool?, language: String, _ agent: ConversationAgent) {
    self.recognizers = recognizers
    self.language = language
    self.agent = agent
  }
}

/// Serves one client of a server: decodes its events, detects hotwords in its audio or recognizes what it says, understands its
/// sentences, and sends the results.
///
/// `detect` and `transcribe` say what its audio is for; without them it is for hotwords.
public final class WyomingClient: ClientHandler {
  private let catalog: WakeCatalog
  private let info: [UInt8]
  private let transcription: TranscriptionClient?
  private var isTranscribing = false
  private let agent: ConversationAgent?
  /// Who spoke; nil without enrolled voices.
  private let speakers: OrderSpeakers?
  private let debug: @Sendable (String) -> Void
  private let watch: @Sendable (ServerEvent.Kind) -> Void
  private var inbox = WyomingInbox()
  private var session = WakeSession()
  private let onlyVoices: Bool
  private let listener: WakeListener
  private let nearest: NearestWake.Stream?
  /// The part of a long chunk that is still to be processed.
  private var rest: (bytes: ArraySlice<UInt8>, shape: AudioShape)?
  /// The client's address without the port, for the log.
  private var host = ""
  private var reportedUnknown: Set<String> = []

  /// Seconds of audio processed in one turn.
  private static let turn = 1.0

  /// - Parameters:
  ///   - info: the answer to `describe`, encoded.
  ///   - services: nil to offer hotwords only.
  ///   - voices: tells who says the hotwords of this client's stream; nil without enrolled voices.
  ///   - onlyVoices: whether only enrolled voices can trigger a hotword.
  ///   - nearest: lets one stream of several report a hotword; nil lets every stream.
  ///   - watch: called with what happens; it must not wait.
  ///   - debug: called with messages about the client.
  public init(
    _ catalog: WakeCatalog, info: [UInt8], services: SpokenServices? = nil,
    voices: (any StreamVoices)? = nil, onlyVoices: Bool = false, nearest: NearestWake? = nil,
    watch: @escaping @Sendable (ServerEvent.Kind) -> Void = { _ in },
    debug: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    let speakers = services?.speakers
    self.speakers = voices == nil ? nil : speakers
    let check = voices.flatMap { voices in
      speakers.map { OrderCheck($0, isBy: voices.check, onlyVoices: onlyVoices) }
    }
    transcription = services.flatMap { services in
      services.recognizers.map {
        TranscriptionClient($0, language: services.language, check, watch: watch)
      }
    }
    agent = services?.agent
    self.catalog = catalog
    self.info = info
    self.debug = debug
    self.watch = watch
    self.onlyVoices = onlyVoices
    self.nearest = nearest?.stream()
    listener = WakeListener(catalog, voices: voices, measuresDistance: nearest != nil)
  }

  public var incompleteSince: Double? { inbox.incompleteSince }
  public var heldBytes: Int {
    inbox.heldBytes + (rest?.bytes.count ?? 0) + (transcription?.heldBytes ?? 0)
  }

  public func receive(_ bytes: ArraySlice<UInt8>, from client: ServedClient) throws(NetworkFault) {
    host = client.host
    try inbox.receive(bytes, from: client.peer)
  }

  public func work(for client: ServedClient) throws(NetworkFault) -> Bool {
    var left = Self.turn
    while left > 0 {
      if let (bytes, shape) = rest {
        let part = bytes.prefix(max(shape.bytesPerFrame, Int(left * Double(shape.bytesPerSecond))))
        left -= Double(part.count) / Double(shape.bytesPerSecond)
        rest = part.count == bytes.count ? nil : (bytes.dropFirst(part.count), shape)
        nearest?.hear(listener.hotwords)
        do throws(DetectionFault) {
          send(try listener.process(part, shape), to: client)
        } catch {
          throw .failed(peer: client.peer, reason: error.message)
        }
      } else if !inbox.events.isEmpty {
        handle(inbox.events.removeFirst(), for: client)
      } else {
        return false
      }
    }
    return rest != nil || !inbox.events.isEmpty
  }

  public func end(_ fault: NetworkFault?) {
    transcription?.end()
    _ = nearest?.end()
    if case .notUnderstood? = fault { PeerLog.warning(fault!.message, from: host) }
    debug(fault.map(\.message) ?? "disconnected")
    watch(.disconnected)
  }

  private func handle(_ event: WyomingEvent, for client: ServedClient) {
    switch event.type {
    case "detect": isTranscribing = false
    case "transcribe": isTranscribing = true
    case "transcript", "recognize": return answer(event, for: client)
    default: break
    }
    if isTranscribing, transcription == nil {
      if event.type == "transcribe" { refuse("speech to text", client) }
      return
    }
    if isTranscribing, event.type == "transcribe" || event.type.hasPrefix("audio-") {
      transcription?.handle(event, for: client)
    } else {
      for action in session.handle(event) { perform(action, for: client) }
    }
  }

  private func answer(_ event: WyomingEvent, for client: ServedClient) {
    guard let agent else { return refuse("understanding", client) }
    let text = event["text"]?.string ?? ""
    let context = event["context"]
    let name = context?["conversation_id"]?.string ?? host
    let satellites = ["satellite_id", "device_id"].compactMap { context?[$0]?.string }
    debug("understands '\(PlainText.line(text, limit: 200))'")
    let speaker = speakers?.speaker(of: text, host: host) ?? .undetermined
    let pending = client.pendingAnswer()
    agent.answer(text, in: name, from: satellites, by: speaker) { [watch] events in
      defer { withExtendedLifetime(pending) {} }
      for event in events {
        client.send(event.encoded())
        watch(.answer(event.type, .object(event.data)))
      }
    }
  }

  private func refuse(_ service: String, _ client: ServedClient) {
    client.send(WyomingEvent.error("\(service) is not offered here", code: "not-offered").encoded())
  }

  private func perform(_ action: WakeSession.Action, for client: ServedClient) {
    switch action {
    case .send(let event): client.send(event.encoded())
    case .sendInfo: client.send(info)
    case .select(let names): select(names, for: client)
    case .start:
      debug("stream begins")
      listener.start()
    case .process(let bytes, let shape): rest = (bytes[...], shape)
    case .finish:
      send(listener.finish(), to: client)
      if let nearest, !nearest.end() { session.withdraw() }
      for event in session.finished() { client.send(event.encoded()) }
    case .refuse(let event):
      client.send(event.encoded())
      client.close()
    }
  }

  private func select(_ requested: [String]?, for client: ServedClient) {
    let (choices, unknown) = requested.map(catalog.choose) ?? (catalog.standard, [])
    let names = choices.map { catalog.entries[$0.entry].name }
    debug("detects \(names.joined(separator: ", "))")
    watch(.models(names))
    for name in unknown {
      let text = PlainText.line(name, limit: 64)
      guard reportedUnknown.count < 8, reportedUnknown.insert(text).inserted else { continue }
      let suggestion = Suggestion.nearest(to: text, among: catalog.entries.map(\.name))
      PeerLog.warning(
        "\(client.peer) requests the unknown model '\(text)'\(Suggestion.question(suggestion))", from: host)
    }
    listener.select(choices)
  }

  private func send(_ hits: [WakeListener.Detected], to client: ServedClient) {
    for detected in hits {
      let keyword = PlainText.line(detected.hit.keyword, limit: 64)
      if onlyVoices, detected.speaker == nil {
        debug("\(keyword) was said by a voice that is not enrolled")
        continue
      }
      let speaker = detected.speaker.map { ", said by \($0)" } ?? ""
      debug("detected \(keyword), score \(JSON.rounded(detected.hit.score))\(speaker)")
      let event = session.detection(
        of: detected.hit.keyword, endingAt: detected.hit.end, by: detected.speaker
      ).encoded()
      let model = catalog.entries[detected.entry].name
      let report = { @Sendable [speakers, host, watch] in
        speakers?.noteHotword(by: detected.speaker, host: host)
        watch(.wake(detected.hit, model: model, speaker: detected.speaker))
        client.send(event)
      }
      guard let nearest else {
        report()
        continue
      }
      let pending = client.pendingAnswer()
      nearest.claim(detected.entry, nearness: detected.nearness) { [debug] isNearest in
        defer { withExtendedLifetime(pending) {} }
        if isNearest { report() } else { debug("another stream is nearer to who said \(keyword)") }
      }
    }
  }
}
