import Networking
import PCM
import Platform
import Recognition

/// Recognizes the speech of one client, and sends it the transcripts.
final class TranscriptionClient {
  private let recognizers: RecognizerPool
  private let language: String
  private let check: OrderCheck?
  private let watch: @Sendable (ServerEvent.Kind) -> Void
  private var session: TranscriptionSession
  private var utterance: Utterance?
  private var converter: ChunkConverter?
  private var order: OrderCheck.Order?

  /// - Parameters:
  ///   - check: finds out who spoke what; nil without enrolled voices.
  ///   - watch: called with the transcripts.
  init(
    _ recognizers: RecognizerPool, language: String, _ check: OrderCheck? = nil,
    watch: @escaping @Sendable (ServerEvent.Kind) -> Void = { _ in }
  ) {
    self.watch = watch
    self.recognizers = recognizers
    self.language = language
    self.check = check
    session = TranscriptionSession(language: language)
  }

  /// Bytes of audio that wait for a recognizer.
  var heldBytes: Int { utterance?.heldBytes ?? 0 }

  func handle(_ event: WyomingEvent, for client: ServedClient) {
    for action in session.handle(event) {
      switch action {
      case .begin: begin(for: client)
      case .process(let bytes, let shape): process(bytes, shape)
      case .finish: finish(for: client)
      case .send(let event): client.send(event.encoded())
      case .refuse(let event):
        client.send(event.encoded())
        client.close()
      }
    }
  }

  /// Drops what is not over.
  func end() {
    utterance?.cancel()
    utterance = nil
    converter = nil
  }

  private func begin(for client: ServedClient) {
    end()
    let language = language
    let order = check?.begin(host: client.host)
    self.order = order
    let utterance = Utterance { [watch] result in
      if case .success(let transcript) = result {
        watch(.transcript(transcript.text))
        if order?.end(transcript.text) == false { return client.send(Self.stranger.encoded()) }
      }
      client.send(Self.answer(result, language).encoded())
    }
    self.utterance = utterance
    recognizers.recognize(utterance)
  }

  private func process(_ bytes: [UInt8], _ shape: AudioShape) {
    guard let utterance, !utterance.isOver else { return }
    var samples: [Int16] = []
    if let converter, converter.shape != shape {
      converter.finish { samples += $0 }
      self.converter = nil
    }
    let converter = self.converter ?? ChunkConverter(shape)
    self.converter = converter
    converter.push(bytes[...]) { samples += $0 }
    give(samples, to: utterance)
  }

  private func finish(for client: ServedClient) {
    guard let utterance else { return }
    var samples: [Int16] = []
    converter?.finish { samples += $0 }
    converter = nil
    give(samples, to: utterance)
    utterance.finish(client.pendingAnswer())
  }

  private func give(_ samples: [Int16], to utterance: Utterance) {
    guard !samples.isEmpty else { return }
    order?.append(samples)
    utterance.append(samples)
  }

  private static let stranger = WyomingEvent.error(OrderCheck.refusal, code: "voice-not-enrolled")

  private static func answer(
    _ result: Result<Transcript, RecognitionFault>, _ language: String
  ) -> WyomingEvent {
    switch result {
    case .success(let transcript):
      let code: [JSON.Member] = language.isEmpty ? [] : [JSON.Member("language", .string(language))]
      return WyomingEvent("transcript", [JSON.Member("text", .string(transcript.text))] + code)
    case .failure(let fault): return .error(fault.message, code: "recognition-failed")
    }
  }
}
