import Networking
import Platform
import Recognition

/// A recognizer that uploads whole utterances: whisper.cpp's server, OpenAI, and servers with OpenAI's interface.
public final class UploadRecognizer: Recognizer {
  /// The kind of server.
  public enum Dialect: Sendable, Equatable {
    /// whisper.cpp's `server`: posts to `/inference`.
    case whisper
    /// OpenAI's interface: posts to `/audio/transcriptions` with this model.
    case openAI(model: String)
  }

  public let name: String
  public let locale: String
  private let dialect: Dialect
  private let address: WebAddress
  private let key: Secret?
  private let client: HTTPClient

  /// - Parameters:
  ///   - address: with the scheme `http` or `https`; for OpenAI's interface up to `/v1`.
  ///   - locale: the language of the speech; empty if the server is to detect it.
  ///   - key: sent as a bearer token.
  ///   - authorities: a file of certificates to trust instead of the system's.
  ///   - timeout: seconds from the end of the audio to the transcript.
  public init(
    _ dialect: Dialect, _ address: WebAddress, locale: String = "", key: Secret? = nil,
    authorities: String? = nil, timeout: Double = 30
  ) {
    self.dialect = dialect
    self.address = address
    self.locale = locale
    self.key = key
    name = dialect == .whisper ? "whisper" : "openai"
    client = HTTPClient(
      timeout: timeout, connectTimeout: RemoteRecognizer.connectTimeout, authorities: authorities)
  }

  public var availability: RecognizerAvailability {
    RemoteRecognizer.availability(of: .host(address), authorities: client.authorities)
  }

  public func prepare() throws(RecognitionFault) { try checkAvailable() }

  public func start(_ request: RecognitionRequest) throws(RecognitionFault) -> any RecognitionSession {
    RecordedSession { (wave, isCancelled) throws(RecognitionFault) in
      try self.send(wave, isCancelled: isCancelled)
    }
  }

  /// The request with the form.
  func request(_ wave: [UInt8]) -> HTTPRequest {
    var random = SystemRandomNumberGenerator()
    let boundary = "hotword" + String(UInt64.random(in: .min ... .max, using: &random), radix: 36)
    var form = MultipartForm(boundary: boundary)
    form.add("response_format", "json")
    form.add("temperature", "0")
    if !locale.isEmpty { form.add("language", RemoteRecognizer.language(locale)) }
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
    let response = try RemoteRecognizer.attempt { () throws(NetworkFault) in
      try client.send(request(wave), isCancelled: isCancelled)
    }
    let answer = try? JSON(parsing: response.body)
    guard response.isSuccess else {
      throw .refused(peer: address.peer, status: response.status, reason: reason(answer))
    }
    if let error = answer?["error"], error != .null {
      throw .refused(peer: address.peer, status: nil, reason: reason(answer))
    }
    guard let text = answer?["text"]?.string else { throw .noTranscript(peer: address.peer) }
    return Self.speech(in: PlainText.line(text, limit: Transcript.textLimit))
  }

  /// The error message of the server, without the key, which it may repeat.
  private func reason(_ answer: JSON?) -> String {
    let text = answer?["error"]?["message"]?.string ?? answer?["error"]?.string ?? ""
    let safe = key?.removed(from: text) ?? text
    return PlainText.line(safe, limit: 200)
  }

  /// `text`, empty if it only describes a sound: Whisper returns `[BLANK_AUDIO]` or `(wind)`.
  private static func speech(in text: String) -> String {
    let isNote = text.hasPrefix("[") && text.hasSuffix("]") || text.hasPrefix("(") && text.hasSuffix(")")
    return isNote && !text.dropFirst().dropLast().contains { "[]()".contains($0) } ? "" : text
  }
}
