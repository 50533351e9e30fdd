import Networking
import Platform

/// Serves small pages for `GET PATH`. A request with a `Host` that is not of this machine is rejected.
package final class StatusServer: Sendable {
  package struct Page: Sendable {
    package let status: Int
    package let type: String
    package let text: String

    package init(status: Int = 200, type: String, text: String) {
      self.status = status
      self.type = type
      self.text = text
    }
  }

  private static let purpose = "metrics"

  private let server: HTTPListener

  /// The address with its actual port.
  package var address: HTTPAddress { server.endpoint.address! }

  /// Throws if the library is missing.
  package static func check() throws(HTTPServerFault) { try HTTPListener.check(purpose: purpose) }

  /// - Parameter page: makes the page at a path, on several threads; nil for none.
  package init(
    _ address: HTTPAddress, page: @escaping @Sendable (String) -> Page?
  ) throws(HTTPServerFault) {
    server = try HTTPListener(.address(address), purpose: Self.purpose) { Self.answer($0, page) }
  }

  /// Serves the pages, and logs their addresses; warns of an address that other machines reach.
  package static func start(
    at address: HTTPAddress, page: @escaping @Sendable (String) -> Page?
  ) throws(HTTPServerFault) -> StatusServer {
    if !address.isLoopback {
      Log.warning("metrics: everyone who reaches \(address) can read them; use 127.0.0.1 to keep them local")
    }
    let server = try StatusServer(address, page: page)
    Log.note("metrics at http://\(server.address)/metrics, health at http://\(server.address)/health")
    return server
  }

  private static func answer(
    _ request: ServedRequest, _ page: @Sendable (String) -> Page?
  ) -> ServedResponse {
    guard request.isReading else {
      var response = ServedResponse.text(405, "only GET is supported\n")
      response.headers.append(("Allow", "GET, HEAD"))
      return response
    }
    guard RequestHost.isTrusted(request.headers["host"]) else {
      return .text(403, "the request's Host is unknown; use \(RequestHost.expected)\n")
    }
    guard let page = page(request.path) else {
      return .text(404, "not found; available: /metrics and /health\n")
    }
    return ServedResponse(status: page.status, type: page.type, text: page.text)
  }
}
