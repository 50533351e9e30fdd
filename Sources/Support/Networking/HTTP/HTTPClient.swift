import CNetwork
import Glibc
import Platform

/// Sends HTTP and HTTPS requests by libcurl, with a timeout and a size limit; no redirects, no decompression.
///
/// Certificates are checked against the system's. The proxies of the environment are used, as in every program with libcurl.
/// Any thread may use it.
public struct HTTPClient: Sendable {
  /// Seconds for one exchange.
  public var timeout: Double
  /// Seconds for connecting, a part of ``timeout``.
  public var connectTimeout: Double
  /// The maximum size of a response body in bytes.
  public var limit: Int
  /// A file of certificates to trust instead of the system's.
  public var authorities: String?

  public init(
    timeout: Double, connectTimeout: Double = 5, limit: Int = 1 << 20, authorities: String? = nil
  ) {
    self.timeout = timeout
    self.connectTimeout = connectTimeout
    self.limit = limit
    self.authorities = authorities
  }

  /// Sends a request and returns the response, whatever its status.
  ///
  /// - Parameter isCancelled: called every 50 ms.
  public func send(
    _ request: HTTPRequest, isCancelled: @escaping () -> Bool = { false }
  ) throws(NetworkFault) -> HTTPResponse {
    try NetworkLibrary.load()
    let cancellation = Cancellation(isCancelled)
    let lines = request.lines.map { strdup($0) }
    defer { for line in lines { free(line) } }
    let strings = [request.address.text, request.method.rawValue, authorities].map { $0.map { strdup($0)! } }
    defer { for string in strings { free(string) } }
    var response = net_response()
    var reason = [CChar](repeating: 0, count: Int(net_reason_size))
    let ending = lines.map { UnsafePointer($0) }.withUnsafeBufferPointer { lines in
      request.body.withUnsafeBufferPointer { body in
        var plain = net_request(
          url: strings[0], method: strings[1], headers: lines.baseAddress, header_count: Int32(lines.count),
          body: body.baseAddress, body_size: body.count, authorities: strings[2].map { UnsafePointer($0) },
          connect_seconds: min(connectTimeout, timeout), seconds: timeout, limit: limit)
        return withExtendedLifetime(cancellation) {
          net_exchange(
            &plain, &response, Cancellation.callback, Unmanaged.passUnretained(cancellation).toOpaque(),
            &reason)
        }
      }
    }
    defer { net_free(response.body) }
    let peer = request.address.peer
    if ending == net_too_large { throw .tooLarge(peer: peer, limit: limit) }
    guard ending == net_done else {
      throw Connection.fault(ending, peer: peer, reason: reason, seconds: timeout)
    }
    let type = withUnsafeBytes(of: response.content_type) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    let body = UnsafeBufferPointer(start: response.body, count: response.body_size)
    return HTTPResponse(status: response.status, contentType: type, body: Array(body))
  }
}
