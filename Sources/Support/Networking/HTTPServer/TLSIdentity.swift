import CMicroHTTP
import Platform

/// The certificate of a server and its key, in PEM.
package final class TLSIdentity: Sendable {
  /// Bytes of a file.
  private static let limit = 1 << 20

  /// The files, for messages.
  package let file: String
  package let keyFile: String
  // Both end with a zero.
  private let certificate: [UInt8]
  private let key: [UInt8]

  /// - Parameters:
  ///   - file: the certificate, followed by those of its authorities.
  ///   - keyFile: a path, or the name of a credential of the service manager.
  package init(certificate file: String, key keyFile: String) throws(NetworkFault) {
    self.file = file
    self.keyFile = keyFile
    let path = try Secret.path(of: keyFile)
    do {
      certificate = try Files.read(file, limit: Self.limit) + [0]
      key = try Files.read(path, limit: Self.limit) + [0]
    } catch {
      throw .system(error)
    }
  }

  /// Calls `body` with both, which stay where they are as long as this object lives.
  func withTexts<Result>(_ body: (UnsafePointer<http_identity>) -> Result) -> Result {
    certificate.withUnsafeBytes { certificate in
      key.withUnsafeBytes { key in
        var identity = http_identity(
          certificate: certificate.baseAddress?.assumingMemoryBound(to: CChar.self),
          key: key.baseAddress?.assumingMemoryBound(to: CChar.self))
        return body(&identity)
      }
    }
  }
}
