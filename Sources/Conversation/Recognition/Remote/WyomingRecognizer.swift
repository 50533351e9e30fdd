import Networking
import PCM
import Platform

/// A speech-to-text server with the Wyoming protocol, as used by Home Assistant. Streams audio; servers that stream too
/// return partial results.
///
/// Opens one connection for each utterance, because some servers close it after each transcript.
public final class WyomingRecognizer: Recognizer {
  public let name = "wyoming"
  public let locale: String
  private let endpoint: Connection.Endpoint
  private let model: String?
  private let timeout: Double

  /// - Parameters:
  ///   - endpoint: as parsed by ``WyomingConnection/endpoint(_:)``.
  ///   - locale: the language to request; empty for the default of the server.
  ///   - model: the model to request; nil for the default of the server.
  ///   - timeout: maximum seconds from the end of the audio to the transcript.
  public init(
    _ endpoint: Connection.Endpoint, locale: String = "", model: String? = nil, timeout: Double = 30
  ) {
    self.endpoint = endpoint
    self.locale = locale
    self.model = model
    self.timeout = timeout
  }

  public var availability: RecognizerAvailability { Server.availability(of: endpoint, authorities: nil) }

  public func prepare() throws(RecognitionFault) { try checkAvailable() }

  public func start(_ request: RecognitionRequest) throws(RecognitionFault) -> any RecognitionSession {
    var wishes: [JSON.Member] = []
    if !locale.isEmpty { wishes.append(JSON.Member("language", .string(Server.language(locale)))) }
    if let model { wishes.append(JSON.Member("name", .string(model))) }
    return try WyomingSession(
      endpoint, wishes: wishes, partialResults: request.partialResults, timeout: timeout)
  }
}

/// The session of one utterance with a Wyoming server.
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
  private var partial = ""
  /// The transcript, early if the server detects the end of speech itself.
  private var answer: Transcript?

  init(
    _ endpoint: Connection.Endpoint, wishes: [JSON.Member], partialResults: Bool, timeout: Double
  ) throws(RecognitionFault) {
    self.partialResults = partialResults
    self.timeout = timeout
    connection = try Server.attempt { () throws(NetworkFault) in
      let connection = try WyomingConnection(to: endpoint, .init(seconds: Server.connectTime))
      try connection.send(WyomingEvent("transcribe", wishes), .init(seconds: timeout))
      try connection.send(WyomingEvent("audio-start", Self.format), .init(seconds: timeout))
      return connection
    }
  }

  var state: RecognitionState { progress.state }

  func append(_ samples: [Int16]) throws(RecognitionFault) -> Transcript? {
    try progress.advance(to: .running)
    sampleCount += samples.count
    let before = partial
    while answer == nil,
      let event = try Server.attempt({ () throws(NetworkFault) in try connection.receiveNow() })
    {
      try take(event)
    }
    guard answer == nil else { return nil }
    if !samples.isEmpty {
      try send(WyomingEvent("audio-chunk", Self.format, payload: Recording.bytes(samples)))
    }
    guard partialResults, partial != before else { return nil }
    return Recording.transcript(partial, duration: AudioFormat.seconds(sampleCount), isFinal: false)
  }

  func finish() throws(RecognitionFault) -> Transcript {
    try progress.advance(to: .finishing)
    defer { progress.complete() }
    if answer == nil { try send(WyomingEvent("audio-stop")) }
    let deadline = self.deadline
    while answer == nil {
      let event = try Server.attempt { () throws(NetworkFault) in
        guard let event = try connection.receive(deadline) else { throw .closed(peer: connection.peer) }
        return event
      }
      try take(event)
    }
    if progress.isCancelled { throw .cancelled }
    return answer ?? .silence
  }

  func cancel() { progress.cancel() }

  private var deadline: Connection.Deadline {
    Connection.Deadline(seconds: timeout) { self.progress.isCancelled }
  }

  private func send(_ event: WyomingEvent) throws(RecognitionFault) {
    try Server.attempt { () throws(NetworkFault) in try connection.send(event, deadline) }
  }

  private func take(_ event: WyomingEvent) throws(RecognitionFault) {
    switch event.type {
    case "transcript":
      guard let text = event["text"]?.string else { throw .noTranscript(peer: connection.peer) }
      answer = Recording.transcript(
        PlainText.line(text, limit: Server.textLimit), duration: AudioFormat.seconds(sampleCount))
    case "transcript-chunk":
      guard partial.utf8.count < Server.textLimit, let text = event["text"]?.string else { return }
      partial = PlainText.line(
        partial + (text.first?.isWhitespace ?? true || partial.isEmpty ? text : " " + text))
    case "error":
      let reason = PlainText.line(event["text"]?.string ?? "", limit: 200)
      throw .refused(peer: connection.peer, status: nil, reason: reason)
    default: break
    }
  }
}
