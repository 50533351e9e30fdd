import Glibc
import Networking
import Platform
import TestServers
import Testing

/// The program with its page for browsers on the loopback interface, and a client of the page's interface.
final class ServedPage {
  let service: RunningProgram
  let port: Int
  private let client = HTTPClient(timeout: 60)
  private let authorization: [HTTPRequest.Header]
  /// For requests that change something.
  let token: String

  /// - Parameters:
  ///   - words: the command and its arguments.
  ///   - pageToken: the token that the page asks for; nil for none.
  init(_ words: [String], pageToken: String? = nil) throws {
    authorization = pageToken.map { [HTTPRequest.Header("Authorization", "Bearer \($0)")] } ?? []
    service = try RunningProgram(words)
    let service = service
    func address() -> Int? {
      guard let start = service.errors.firstRange(of: "page for browsers at http://127.0.0.1:") else {
        return nil
      }
      return Int(service.errors[start.upperBound...].prefix { $0.isNumber })
    }
    #expect(Waiting.until { address() != nil }, "\(service.errors)")
    port = try #require(address())
    let page = try WebAddress("http://127.0.0.1:\(port)/api/session", schemes: ["http"], expected: "")
    let session = try JSON(parsing: client.send(HTTPRequest(.get, page, headers: authorization)).body)
    token = try #require(session["token"]?.string)
  }

  /// Sends a request with a body of another type than JSON.
  func send(_ path: String, type: String, _ body: [UInt8]) throws -> JSON {
    let address = try WebAddress("http://127.0.0.1:\(port)\(path)", schemes: ["http"], expected: "")
    let headers = [
      HTTPRequest.Header("Content-Type", type), HTTPRequest.Header("X-Hotword-Token", token),
    ]
    return try JSON(
      parsing: client.send(HTTPRequest(.post, address, headers: headers + authorization, body: body)).body)
  }

  /// Whether the live view sends `text`.
  func shows(_ text: String) throws -> Bool {
    let descriptor = try #require(RawHTTP.connection(to: port))
    defer { close(descriptor) }
    let request = "GET /api/live HTTP/1.1\r\nHost: localhost\r\n\r\n"
    Glibc.send(descriptor, request, request.utf8.count, 0)
    return RawHTTP.waits(for: text, on: descriptor)
  }

  func send(_ path: String, _ body: JSON? = nil) throws -> JSON {
    let address = try WebAddress("http://127.0.0.1:\(port)\(path)", schemes: ["http"], expected: "")
    let headers = [
      HTTPRequest.Header("Content-Type", "application/json"), HTTPRequest.Header("X-Hotword-Token", token),
    ]
    let request = HTTPRequest(
      body == nil ? .get : .post, address, headers: headers + authorization,
      body: body.map { Array("\($0)".utf8) } ?? [])
    return try JSON(parsing: client.send(request).body)
  }
}
