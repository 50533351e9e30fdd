import Configuration
import Networking
import Platform
import Service

/// Serves the page and its JSON interface. It ends with its last reference.
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

  /// Bytes of a request's body.
  static let bodyLimit = 1 << 20

  private let server: HTTPListener
  private let operations: WebOperations
  private let scheme: String

  /// Where it listens, with the actual port.
  package var endpoint: HTTPEndpoint { server.endpoint }

  /// The page's address, or the local socket.
  package var location: String { endpoint.address.map { "\(scheme)://\($0)/" } ?? "\(endpoint)" }

  /// - Parameters:
  ///   - access: with an endpoint.
  ///   - token: what the page asks for; nil for nothing.
  package init(_ access: WebAccess, token: String?, _ program: WebProgram) throws {
    guard let endpoint = access.endpoint else { preconditionFailure("a page needs an endpoint") }
    let identity = try access.identity()
    scheme = identity == nil ? "http" : "https"
    let check = RequestCheck(access, token: try WebToken.random())
    let signIn = try token.map { try SignIn($0, isSecure: check.scheme == "https") }
    let operations = try WebOperations(program, check, signIn)
    self.operations = operations
    server = try HTTPListener(endpoint, purpose: "web", limits: Self.limits, identity: identity) { request in
      var response = operations.response(to: request)
      response.headers += Self.headers
      return response
    }
  }

  /// No background work is left behind.
  deinit { operations.stopWork() }

  private static var limits: HTTPListener.Limits {
    var limits = HTTPListener.Limits()
    // Browsers open up to six for each window.
    limits.connections = 32
    limits.bodyBytes = bodyLimit
    return limits
  }
}
