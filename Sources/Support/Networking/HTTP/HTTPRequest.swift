/// An HTTP request.
public struct HTTPRequest: Sendable, Equatable {
  public enum Method: String, Sendable {
    case get = "GET"
    case post = "POST"
  }

  public struct Header: Sendable, Equatable {
    public let name: String
    public let value: String

    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  public var method: Method
  /// `http` or `https`.
  public var address: WebAddress
  public var headers: [Header]
  public var body: [UInt8]

  public init(
    _ method: Method, _ address: WebAddress, headers: [Header] = [], body: [UInt8] = []
  ) {
    self.method = method
    self.address = address
    self.headers = headers
    self.body = body
  }

  /// The value of the first header `name`, ignoring case.
  public subscript(name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  /// The headers as lines without those that contain control characters, so that no value can add lines.
  var lines: [String] {
    let lines = headers.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
    return lines.filter { line in line.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }
  }
}

/// An HTTP response.
public struct HTTPResponse: Sendable, Equatable {
  /// 100…599
  public let status: Int
  /// The media type of the body in lowercase without parameters; empty if there is none.
  public let contentType: String
  public let body: [UInt8]

  public init(status: Int, contentType: String = "", body: [UInt8] = []) {
    self.status = status
    self.contentType = String(
      contentType.prefix { $0 != ";" }.lowercased().filter { !$0.isWhitespace })
    self.body = body
  }

  public var isSuccess: Bool { (200..<300).contains(status) }
}
