import Platform

/// The answer of an ``HTTPListener`` to a request.
package struct ServedResponse: Sendable {
  package enum Body: Sendable {
    case bytes([UInt8])
    /// Sent until the stream or the connection ends.
    case stream(EventStream)
  }

  package var status: Int
  /// Without `Content-Length`, which the server adds.
  package var headers: [(name: String, value: String)]
  package var body: Body

  /// - Parameter type: the media type.
  package init(status: Int = 200, type: String, _ body: [UInt8]) {
    self.status = status
    headers = [("Content-Type", type), ("Cache-Control", "no-store")]
    self.body = .bytes(body)
  }

  package init(status: Int = 200, type: String, text: String) {
    self.init(status: status, type: type, Array(text.utf8))
  }

  /// A plain text.
  package static func text(_ status: Int, _ text: String) -> ServedResponse {
    ServedResponse(status: status, type: "text/plain; charset=utf-8", text: text)
  }

  /// A JSON value, on one line.
  package static func json(_ value: JSON, status: Int = 200) -> ServedResponse {
    ServedResponse(status: status, type: "application/json", text: "\(value)\n")
  }

  /// Server-sent events.
  package static func events(_ stream: EventStream) -> ServedResponse {
    var response = ServedResponse(type: "text/event-stream", [])
    response.body = .stream(stream)
    return response
  }

  /// The first value of a header; nil if there is none.
  package func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}
