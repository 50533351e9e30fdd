/// A request that an ``HTTPListener`` received, with all of its body.
package struct ServedRequest: Sendable {
  package let method: String
  /// Decoded, without the query.
  package let path: String
  /// The arguments of the query, decoded.
  package let query: [String: String]
  /// By their names in lowercase.
  package let headers: [String: String]
  package let body: [UInt8]
  /// Whether the body was larger than the server's limit, and dropped.
  package let isTooLarge: Bool
  /// The numeric IP address of the client; empty for one of a local socket.
  package let peer: String

  package init(
    _ method: String, _ path: String, query: [String: String] = [:], headers: [String: String] = [:],
    body: [UInt8] = [], isTooLarge: Bool = false, peer: String = ""
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
    self.isTooLarge = isTooLarge
    self.peer = peer
  }

  /// Whether it changes nothing: `GET` and `HEAD`.
  package var isReading: Bool { method == "GET" || method == "HEAD" }
}
