import Glibc
import Networking
import Platform
import Service
import Synchronization

/// Serves the page and its JSON interface on the loopback interface. It ends with its last reference.
package final class WebServer: Sendable {
  /// Sent with every answer: scripts and styles are the program's own files, and no other site may show or read the page.
  static let headers = [
    (
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        + "media-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"), ("Cross-Origin-Opener-Policy", "same-origin"),
  ]

  private let server: HTTPListener

  /// The address with its actual port.
  package var address: HTTPAddress { server.address }

  /// - Parameter address: of the loopback interface.
  package init(_ address: HTTPAddress, _ program: WebProgram) throws {
    let operations = try WebOperations(program, token: try Self.token())
    server = try HTTPListener(address, purpose: "web", limits: Self.limits) { request in
      var response = operations.response(to: request)
      response.headers += Self.headers
      return response
    }
  }

  private static var limits: HTTPListener.Limits {
    var limits = HTTPListener.Limits()
    // Browsers open up to six for each window.
    limits.connections = 32
    return limits
  }

  /// 32 random bytes in hexadecimal digits.
  private static func token() throws(SystemFault) -> String {
    var bytes = [UInt8](repeating: 0, count: 32)
    guard getentropy(&bytes, bytes.count) == 0 else {
      throw .cannotStart(command: "the web server's token", code: errno)
    }
    return Digest.hex(bytes)
  }
}
