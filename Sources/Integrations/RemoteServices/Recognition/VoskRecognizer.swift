import Networking
import PCM
import Platform
import Recognition

/// A Vosk server: streams audio over a WebSocket and receives partial results.
public final class VoskRecognizer: Recognizer {
  public let name = "vosk"
  public let locale: String
  private let address: WebAddress
  private let authorities: String?
  private let timeout: Double

  /// - Parameters:
  ///   - address: with the scheme `ws` or `wss`.
  ///   - locale: the language of the server's model, which cannot be selected.
  ///   - authorities: a file of certificates to trust instead of the system's.
  ///   - timeout: seconds from the end of the audio to the transcript.
  public init(_ address: WebAddress, locale: String = "", authorities: String? = nil, timeout: Double = 30) {
    self.address = address
    self.locale = locale
    self.authorities = authorities
    self.timeout = timeout
  }

  public var availability: RecognizerAvailability {
    RemoteRecognizer.availability(of: .host(address), authorities: authorities)
  }

  public func prepare() throws(RecognitionFault) { try checkAvailable() }

  public func start(_ request: RecognitionRequest) throws(RecognitionFault) -> any RecognitionSession {
    let connection = try RemoteRecognizer.attempt { () throws(NetworkFault) in
      try WebSocketConnection(
        address, authorities: authorities, .init(seconds: RemoteRecognizer.connectTimeout))
    }
    return try VoskSession(connection, request, timeout: timeout)
  }
}

/// One utterance for a Vosk server, which answers every message with one message.
final class VoskSession: RecognitionSession {
  /// Samples per message: 0.2 s.
  private static let chunk = 3_200

  private let connection: WebSocketConnection
  private let partialResults: Bool
  private let timeout: Double
  private let progress = SessionProgress()
  private var unsent: [Int16] = []
  private var sentences: [Transcript] = []
  private var running = ""
  /// Messages that the server has not answered yet.
  private var unanswered = 0
  private var hasClosed = false

  init(
    _ connection: WebSocketConnection, _ request: RecognitionRequest, timeout: Double
  ) throws(RecognitionFault) {
    self.connection = connection
    self.timeout = timeout
    partialResults = request.partialResults
    // Vosk returns either alternatives or the confidences of words; `words` has an effect only without alternatives.
    let settings: JSON = [
      "sample_rate": .number(Double(AudioFormat.sampleRate)), "words": true,
      "max_alternatives": .number(Double(request.alternatives > 0 ? request.alternatives + 1 : 0)),
    ]
    try send(text: JSON.object([JSON.Member("config", settings)]).description)
  }

  var state: RecognitionState { progress.state }

  func append(_ samples: [Int16]) throws(RecognitionFault) -> Transcript? {
    try progress.advance(to: .running)
    unsent += samples
    while unsent.count >= Self.chunk { try sendChunk(Self.chunk) }
    let before = text
    let messages = try RemoteRecognizer.attempt { () throws(NetworkFault) in
      try connection.receiveNow(deadline)
    }
    for message in messages {
      try handle(message)
      if hasClosed { throw .remote(AnyFault(NetworkFault.closed(peer: connection.peer))) }
    }
    guard partialResults, text != before else { return nil }
    return Transcript(text: text, confidence: 1, isFinal: false)
  }

  func finish() throws(RecognitionFault) -> Transcript {
    try progress.advance(to: .finishing)
    defer { progress.complete() }
    if !unsent.isEmpty { try sendChunk(unsent.count) }
    // The server compares these bytes exactly.
    try send(text: #"{"eof" : 1}"#)
    unanswered += 1
    let deadline = self.deadline
    while unanswered > 0, !hasClosed { try handle(receive(deadline)) }
    if progress.isCancelled { throw .cancelled }
    if hasClosed, unanswered > 0 { throw .remote(AnyFault(NetworkFault.closed(peer: connection.peer))) }
    connection.close()
    return Self.joined(sentences)
  }

  func cancel() { progress.cancel() }

  private var deadline: Connection.Deadline {
    Connection.Deadline(seconds: timeout) { self.progress.isCancelled }
  }

  private var text: String {
    (sentences.map(\.text) + [running]).filter { !$0.isEmpty }.joined(separator: " ")
  }

  private func send(text: String) throws(RecognitionFault) {
    try RemoteRecognizer.attempt { () throws(NetworkFault) in try connection.send(text: text, deadline) }
  }

  private func receive(_ deadline: Connection.Deadline) throws(RecognitionFault) -> WebSocketMessage {
    do {
      return try connection.receive(deadline) ?? .close(code: nil)
    } catch {
      throw RemoteRecognizer.fault(error)
    }
  }

  private func sendChunk(_ count: Int) throws(RecognitionFault) {
    let bytes = Recording.bytes(unsent.prefix(count))
    unsent.removeFirst(count)
    try RemoteRecognizer.attempt { () throws(NetworkFault) in try connection.send(binary: bytes, deadline) }
    unanswered += 1
  }

  private func handle(_ message: WebSocketMessage) throws(RecognitionFault) {
    switch message {
    case .text(let text):
      unanswered = max(0, unanswered - 1)
      switch VoskReply(text) {
      case .partial(let text)?: running = text
      case .sentence(let sentence)?:
        running = ""
        if !sentence.text.isEmpty, sentences.count < 1_000 { sentences.append(sentence) }
      case nil: throw .noTranscript(peer: connection.peer)
      }
    case .close: hasClosed = true
    case .binary: throw .noTranscript(peer: connection.peer)
    case .ping, .pong: break
    }
  }

  /// The sentences of an utterance as one transcript. Only a single sentence keeps its alternatives.
  private static func joined(_ sentences: [Transcript]) -> Transcript {
    guard let first = sentences.first else { return .silence }
    guard sentences.count > 1 else { return first }
    let confidence = sentences.map(\.confidence).reduce(0, +) / Double(sentences.count)
    return Transcript(
      text: sentences.map(\.text).joined(separator: " "), confidence: confidence,
      segments: sentences.flatMap(\.segments))
  }
}
