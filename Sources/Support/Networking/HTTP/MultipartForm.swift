/// The body of a form with files: `multipart/form-data` (RFC 7578).
public struct MultipartForm: Sendable, Equatable {
  public let boundary: String
  private var bytes: [UInt8] = []

  /// - Parameter boundary: text that does not occur in the contents.
  public init(boundary: String) { self.boundary = boundary }

  public mutating func add(_ name: String, _ value: String) {
    open("name=\"\(name)\"", type: nil)
    bytes += Array(value.utf8)
    bytes += Array("\r\n".utf8)
  }

  public mutating func add(_ name: String, file: String, type: String, _ content: [UInt8]) {
    open("name=\"\(name)\"; filename=\"\(file)\"", type: type)
    bytes += content
    bytes += Array("\r\n".utf8)
  }

  private mutating func open(_ disposition: String, type: String?) {
    let type = type.map { "Content-Type: \($0)\r\n" } ?? ""
    bytes += Array("--\(boundary)\r\nContent-Disposition: form-data; \(disposition)\r\n\(type)\r\n".utf8)
  }

  public var header: HTTPRequest.Header {
    HTTPRequest.Header("Content-Type", "multipart/form-data; boundary=\(boundary)")
  }

  /// The whole body.
  public var body: [UInt8] { bytes + Array("--\(boundary)--\r\n".utf8) }
}
