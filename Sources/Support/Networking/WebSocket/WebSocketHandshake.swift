/// The opening handshake of a WebSocket client (RFC 6455, section 4.1), as a value without I/O.
public struct WebSocketHandshake: Sendable {
  public enum Violation: Error, Sendable, Equatable {
    /// The server answered with a status other than 101; nil if the answer is not HTTP.
    case refused(status: Int?)
    /// The header `name` is missing from the answer or has a wrong value.
    case badHeader(name: String)
    case tooLarge
  }

  /// The maximum size of the answer in bytes.
  private static let limit = 16_384

  /// The bytes to send.
  public let request: [UInt8]
  private let accept: String
  private var answer: [UInt8] = []

  /// - Parameters:
  ///   - address: with the scheme `ws` or `wss`.
  ///   - nonce: 16 random bytes.
  ///   - headers: additional headers.
  public init(
    _ address: WebAddress, nonce: [UInt8], headers: [HTTPRequest.Header] = []
  ) throws(NetworkFault) {
    let key = Base64.encode(nonce)
    accept = Base64.encode(try Digest.sha1(Array("\(key)258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8)))
    let target = address.target.hasPrefix("/") ? address.target : "/" + address.target
    let lines = [
      "GET \(target) HTTP/1.1", "Host: \(address.peer)", "Upgrade: websocket", "Connection: Upgrade",
      "Sec-WebSocket-Key: \(key)", "Sec-WebSocket-Version: 13",
    ]
    let extra = HTTPRequest(.get, address, headers: headers).lines
    request = Array(((lines + extra).joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }

  /// Parses the next bytes of the answer.
  ///
  /// - Returns: nil while the answer is incomplete; then the bytes after it.
  public mutating func feed(_ bytes: some Sequence<UInt8>) throws(Violation) -> [UInt8]? {
    answer += bytes
    guard let end = answer.firstRange(of: Array("\r\n\r\n".utf8)) else {
      if answer.count > Self.limit { throw .tooLarge }
      return nil
    }
    guard end.lowerBound <= Self.limit else { throw .tooLarge }
    try check(String(decoding: answer[..<end.lowerBound], as: UTF8.self))
    return Array(answer[end.upperBound...])
  }

  private func check(_ head: String) throws(Violation) {
    let lines = head.split(separator: "\r\n", omittingEmptySubsequences: false)
    let status = lines[0].split(separator: " ")
    guard status.count >= 2, status[0].hasPrefix("HTTP/1.") else { throw .refused(status: nil) }
    guard status[1] == "101" else { throw .refused(status: Int(status[1])) }
    var values: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { continue }
      let value = parts[1].drop { $0 == " " || $0 == "\t" }
      values[parts[0].lowercased(), default: ""] += (values[parts[0].lowercased()] == nil ? "" : ",") + value
    }
    guard values["upgrade"]?.lowercased() == "websocket" else { throw .badHeader(name: "Upgrade") }
    let options = (values["connection"] ?? "").lowercased().split { $0 == "," || $0 == " " }
    guard options.contains("upgrade") else { throw .badHeader(name: "Connection") }
    guard values["sec-websocket-accept"] == accept else { throw .badHeader(name: "Sec-WebSocket-Accept") }
    for name in ["Sec-WebSocket-Extensions", "Sec-WebSocket-Protocol"] where values[name.lowercased()] != nil
    {
      throw .badHeader(name: name)
    }
  }
}
