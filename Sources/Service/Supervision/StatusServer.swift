import CMicroHTTP
import Glibc

/// Serves small pages for `GET PATH`, by libmicrohttpd on a thread of its own. A request with a `Host` that is not of this machine
/// is rejected.
///
/// The thread inherits the signal mask of the thread that starts it.
package final class StatusServer: @unchecked Sendable {
  package struct Page: Sendable {
    package let status: Int
    package let type: StaticString
    package let text: String

    package init(status: Int = 200, type: StaticString, text: String) {
      self.status = status
      self.type = type
      self.text = text
    }
  }

  private static let strangeHost = Page(
    status: 403, type: "text/plain; charset=utf-8",
    text: "the request's Host is unknown; use \(RequestHost.expected)\n")

  private final class Pages: Sendable {
    let page: @Sendable (String) -> Page?

    init(_ page: @escaping @Sendable (String) -> Page?) { self.page = page }
  }

  /// The address with its actual port.
  package let address: StatusAddress
  private let server: OpaquePointer
  private let pages: Unmanaged<Pages>

  /// Throws if the library is missing.
  package static func check() throws(SupervisionFault) {
    if let reason = http_load() { throw .noLibrary(reason: String(cString: reason)) }
  }

  /// - Parameter page: makes the page at a path, on the server's thread; nil for none.
  package init(
    _ address: StatusAddress, page: @escaping @Sendable (String) -> Page?
  ) throws(SupervisionFault) {
    try Self.check()
    let pages = Unmanaged.passRetained(Pages(page))
    var reason = [CChar](repeating: 0, count: Int(http_reason_size))
    let started = http_start(
      address.host, Int32(address.port),
      { context, path, host, out in
        guard let context, let path, let out else { return false }
        let pages = Unmanaged<Pages>.fromOpaque(context).takeUnretainedValue()
        let isTrusted = RequestHost.isTrusted(host.map { String(cString: $0) })
        let found = isTrusted ? pages.page(String(cString: path)) : StatusServer.strangeHost
        guard let page = found else { return false }
        out.pointee.status = Int32(page.status)
        out.pointee.type = UnsafeRawPointer(page.type.utf8Start).assumingMemoryBound(to: CChar.self)
        out.pointee.body = strdup(page.text)
        out.pointee.size = page.text.utf8.count
        return true
      }, pages.toOpaque(), &reason)
    guard let started else {
      pages.release()
      let text = reason.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
      throw .cannotListen(address, reason: text)
    }
    server = started
    self.pages = pages
    self.address = address.with(port: Int(http_port(started)))
  }

  deinit {
    http_stop(server)
    pages.release()
  }
}
