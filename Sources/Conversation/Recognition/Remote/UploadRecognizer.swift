import Networking
import Platform

/// Servers to which a complete utterance is uploaded as a file: whisper.cpp, and servers with the OpenAI API.
public final class UploadRecognizer: Recognizer {
  /// The API of the server.
  public enum Dialect: Sendable, Equatable {
    /// The server of whisper.cpp: `/inference`.
    case whisper
    /// The OpenAI API: `/audio/transcriptions`, with this model.
    case openAI(model: String)
  }

  public let name: String
  public let locale: String
  private let dialect: Dialect
  private let address: WebAddress
  private let key: Secret?
  private let client: HTTPClient

  /// - Parameters:
  ///   - address: with the scheme `http` or `https`; for the OpenAI API up to `/v1`.
  ///   - locale: the language to request; empty for automatic detection.
  ///   - key: sent as a bearer token.
  ///   - authorities: a file of certificates to trust instead of those of the system.
  ///   - timeout: maximum seconds from the end of the audio to the transcript.
  public init(
    _ dialect: Dialect, _ address: WebAddress, locale: String = "", key: Secret? = nil,
    authorities: String? = nil, timeout: Double = 30
  ) {
    self.dialect = dialect
    self.address = address
    self.locale = locale
    self.key = key
    name = dialect == .whisper ? "whisper" : "openai"
    client = HTTPClient(timeout: timeout, connectTimeout: Server.connectTime, authorities: authorities)
  }

  public var availability: RecognizerAvailability {
    Server.availability(of: .host(address), authorities: client.authorities)
  }

  public func prepare() throws(RecognitionFault) { try checkAvailable() }

  public func start(_ request: RecognitionRequest) throws(RecognitionFault) -> any RecognitionSession {
    RecordedSession { (wave, isCancelled) throws(RecognitionFault) in
      try self.send(wave, isCancelled: isCancelled)
    }
  }

  /// The upload request.
  func request(_ wave: [UInt8]) -> HTTPRequest {
    var random = SystemRandomNumberGenerator()
    let boundary = "hotword" + String(UInt64.random(in: .min ... .max, using: &random), radix: 36)
    var form = MultipartForm(boundary: boundary)
    form.add("response_format", "json")
    form.add("temperature", "0")
    if !locale.isEmpty { form.add("language", Server.language(locale)) }
    var path = "/inference"
    if case .openAI(let model) = dialect {
      form.add("model", model)
      path = "/audio/transcriptions"
    }
    form.add("file", file: "speech.wav", type: "audio/wav", wave)
    var headers = [form.header, HTTPRequest.Header("Accept", "application/json")]
    if let key { headers.append(HTTPRequest.Header("Authorization", "Bearer \(key.text)")) }
    return HTTPRequest(.post, address.appending(path), headers: headers, body: form.body)
  }

  func send(_ wave: [UInt8], isCancelled: @escaping () -> Bool) throws(RecognitionFault) -> String {
    let response = try Server.attempt { () throws(NetworkFault) in
      try client.send(request(wave), isCancelled: isCancelled)
    }
    let answer = try? JSON(parsing: response.body, what: "the answer")
    guard response.isSuccess else {
      throw .refused(peer: address.peer, status: response.status, reason: reason(answer))
    }
    if let error = answer?["error"], error != .null {
      throw .refused(peer: address.peer, status: nil, reason: reason(answer))
    }
    guard let text = answer?["text"]?.string else { throw .noTranscript(peer: address.peer) }
    return Self.spoken(PlainText.line(text, limit: Server.textLimit))
  }

  /// The error message of the server, with the key removed, which it may repeat.
  private func reason(_ answer: JSON?) -> String {
    let words = answer?["error"]?["message"]?.string ?? answer?["error"]?.string ?? ""
    let safe = key?.removed(from: words) ?? words
    return PlainText.line(safe, limit: 200)
  }

  /// The text without notes in brackets, which Whisper returns for other sounds: `[BLANK_AUDIO]`, `(wind)`.
  private static func spoken(_ text: String) -> String {
    let isNote = text.hasPrefix("[") && text.hasSuffix("]") || text.hasPrefix("(") && text.hasSuffix(")")
    return isNote && !text.dropFirst().dropLast().contains { "[]()".contains($0) } ? "" : text
  }
}
