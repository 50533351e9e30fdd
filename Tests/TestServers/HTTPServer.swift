import Platform

/// An HTTP server that returns the given answers in order, and the last one again for all later requests.
public final class HTTPServer {
  public struct Answer {
    public var status = 200
    public var type = "application/json"
    public var body = ""
    /// Seconds before the answer is sent.
    public var delay = 0.0
    /// The target of a redirect.
    public var location: String?
    /// Bytes instead of an HTTP answer.
    public var raw: String?
    /// How often the body is repeated.
    public var times = 1

    public init(
      _ body: String = "", status: Int = 200, type: String = "application/json", delay: Double = 0,
      location: String? = nil, raw: String? = nil, times: Int = 1
    ) {
      self.status = status
      self.type = type
      self.body = body
      self.delay = delay
      self.location = location
      self.raw = raw
      self.times = times
    }

    var json: JSON {
      [
        "status": .number(Double(status)), "type": .string(type), "body": .string(body),
        "delay": .number(delay), "location": location.map(JSON.string) ?? .null,
        "raw": raw.map(JSON.string) ?? .null, "times": .number(Double(times)),
      ]
    }
  }

  private let server: PythonServer

  /// - Parameter certificate: a file with a certificate and its key, for HTTPS.
  public init(_ answers: [Answer], certificate: String? = nil) throws {
    let file = PythonServer.temporaryFolder() + "/answers.json"
    try Files.write(Array(JSON.array(answers.map(\.json)).description.utf8), to: file)
    server = try PythonServer("http_server.py", [file] + (certificate.map { [$0] } ?? []))
    scheme = certificate == nil ? "http" : "https"
  }

  public convenience init(_ body: String) throws { try self.init([Answer(body)]) }

  private let scheme: String

  public var url: String { "\(scheme)://127.0.0.1:\(server.port)" }

  /// Each with `method`, `path`, `headers` (names in small letters) and `body`.
  public var requests: [JSON] { server.requests }

  /// A new self-signed certificate for 127.0.0.1 with its key in one file; nil where openssl is missing.
  public static func certificate() throws -> String? {
    let folder = PythonServer.temporaryFolder()
    let line = """
      cd \(folder) && openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=test \
      -addext subjectAltName=IP:127.0.0.1 -keyout key.pem -out cert.pem && cat key.pem cert.pem >both.pem
      """
    let result = try Subprocess(shell: line).run(timeout: 30, keepsErrors: true)
    return result.ending == .exited(0) ? folder + "/both.pem" : nil
  }
}
