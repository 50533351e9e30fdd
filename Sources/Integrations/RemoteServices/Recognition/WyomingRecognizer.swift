import Networking
import PCM
import Platform
import Recognition

/// A speech-to-text server with the Wyoming protocol, such as Home Assistant's. Streams audio; servers that stream return
/// partial results.
///
/// Each utterance has a connection of its own because some servers close it after each transcript.
public final class WyomingRecognizer: Recognizer {
  public let name = "wyoming"
  public let locale: String
  private let endpoint: Connection.Endpoint
  private let model: String?
  private let timeout: Double

  /// - Parameters:
  ///   - endpoint: see ``WyomingConnection/endpoint(_:)``.
  ///   - locale: the language to request; empty for the server's default.
  ///   - model: the model to request; nil for the server's default.
  ///   - timeout: seconds from the end of the audio to the transcript.
  public init(
    _ endpoint: Connection.Endpoint, locale: String = "", model: String? = nil, timeout: Double = 30
  ) {
    self.endpoint = endpoint
    self.locale = locale
    self.model = model
    self.timeout = timeout
  }

  public var availability: RecognizerAvailability {
    RemoteRecognizer.availability(of: endpoint, authorities: nil)
  }

  public func prepare() throws(RecognitionFault) { try checkAvailable() }

  public func start(_ request: RecognitionRequest) throws(RecognitionFault) -> any RecognitionSession {
    var parameters: [JSON.Member] = []
    if !locale.isEmpty {
      parameters.append(JSON.Member("language", .string(RemoteRecognizer.language(locale))))
    }
    if let model { parameters.append(JSON.Member("name", .string(model))) }
    return try WyomingSession(
      endpoint, parameters: parameters, partialResults: request.partialResults, timeout: timeout)
  }
}

/// One utterance for a Wyoming server.
final class WyomingSession: RecognitionSession {
  private static let format = [
    JSON.Member("rate", .number(Double(AudioFormat.sampleRate))), JSON.Member("width", 2),
    JSON.Member("channels", 1),
  ]

  private let connection: WyomingConnection
  private let partialResults: Bool
  private let timeout: Double
  private let progress = SessionProgress()
  private var sampleCount = 0
  private var text = ""
  /// The transcript, from a server that detects the end of speech itself.
  private var answer: Transcript?

  init(
    _ endpoint: Connection.Endpoint, parameters: [JSON.Member], partialResults: Bool, timeout: Double
  ) throws(RecognitionFault) {
    self.partialResults = partialResults
    self.timeout = timeout
    connection = try RemoteRecognizer.attempt { () throws(NetworkFault) in
      let connection = try WyomingConnection(to: endpoint, .init(seconds: RemoteRecognizer.connectTimeout))
      try connection.send(WyomingEvent("transcribe", parameters), .init(seconds: timeout))
      try connection.send(WyomingEvent("audio-start", Self.format), .init(seconds: timeout))
      return connection
    }
  }

  var state: RecognitionState { progress.state }

  func append(_ samples: [Int16]) throws(RecognitionFault) -> Transcript? {
    try progress.advance(to: .running)
    sampleCount += samples.count
    let before = text
    let events = try RemoteRecognizer.attempt { () throws(NetworkFault) in try connection.receiveNow() }
    for event in events where answer == nil { try handle(event) }
    guard answer == nil else { return nil }
    if !samples.isEmpty {
      try send(WyomingEvent("audio-chunk", Self.format, payload: Recording.bytes(samples)))
    }
    guard partialResults, text != before else { return nil }
    return Recording.transcript(text, duration: AudioFormat.seconds(sampleCount), isFinal: false)
  }

  func finish() throws(RecognitionFault) -> Transcript {
    try progress.advance(to: .finishing)
    defer { progress.complete() }
    if answer == nil { try send(WyomingEvent("audio-stop")) }
    let deadline = self.deadline
    while answer == nil {
      let event = try RemoteRecognizer.attempt { () throws(NetworkFault) in
        guard let event = try connection.receive(deadline) else { throw .closed(peer: connection.peer) }
        return event
      }
      try handle(event)
    }
    if progress.isCancelled { throw .cancelled }
    return answer ?? .silence
  }

  func cancel() { progress.cancel() }

  private var deadline: Connection.Deadline {
    Connection.Deadline(seconds: timeout) { self.progress.isCancelled }
  }

  private func send(_ event: WyomingEvent) throws(RecognitionFault) {
    try RemoteRecognizer.attempt { () throws(NetworkFault) in try connection.send(event, deadline) }
  }

  private func handle(_ event: WyomingEvent) throws(RecognitionFault) {
    switch event.type {
    case "transcript":
      guard let text = event["text"]?.string else { throw .noTranscript(peer: connection.peer) }
      answer = Recording.transcript(
        PlainText.line(text, limit: Transcript.textLimit), duration: AudioFormat.seconds(sampleCount))
    case "transcript-chunk":
      guard text.utf8.count < Transcript.textLimit, let chunk = event["text"]?.string else { return }
      text = PlainText.line(text + (chunk.first?.isWhitespace ?? true || text.isEmpty ? chunk : " " + chunk))
    case "error":
      let reason = PlainText.line(event["text"]?.string ?? "", limit: 200)
      throw .refused(peer: connection.peer, status: nil, reason: reason)
    default: break
    }
  }
}
