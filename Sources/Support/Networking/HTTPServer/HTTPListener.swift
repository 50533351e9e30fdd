import CMicroHTTP
import Glibc
import Platform
import Synchronization

/// An HTTP server by libmicrohttpd, which answers each connection on a thread of its own.
///
/// The threads inherit the signal mask of the thread that starts the server. It ends with its last reference.
package final class HTTPListener: @unchecked Sendable {
  package struct Limits: Sendable {
    package var connections = 16
    /// Seconds after which a connection without data is closed.
    package var idleSeconds = 10
    /// Of a request's body.
    package var bodyBytes = 16_384

    package init() {}
  }

  /// What the callbacks need, also while the server ends.
  private final class Core: Sendable {
    let answer: @Sendable (ServedRequest) -> ServedResponse
    let streams = Mutex<[ObjectIdentifier: EventStream]>([:])
    let busy = Atomic<Int>(0)
    let isClosing = Atomic<Bool>(false)

    init(_ answer: @escaping @Sendable (ServedRequest) -> ServedResponse) { self.answer = answer }
  }

  private final class OpenStream: Sendable {
    let stream: EventStream
    let core: Core

    init(_ stream: EventStream, _ core: Core) {
      self.stream = stream
      self.core = core
    }
  }

  /// Seconds that requests have at the end of the server.
  private static let grace = 0.3

  /// Where it listens, with the actual port.
  package let endpoint: HTTPEndpoint
  private let server: OpaquePointer
  private let core: Unmanaged<Core>
  private let identity: TLSIdentity?
  /// Removes a local socket at the end.
  private let socket: ListeningSocket?

  /// Throws if the library is missing.
  package static func check(purpose: String) throws(HTTPServerFault) {
    if let reason = http_load() { throw .noLibrary(purpose: purpose, reason: String(cString: reason)) }
  }

  /// Listens at `endpoint` and answers.
  ///
  /// - Parameters:
  ///   - purpose: what is served, for messages.
  ///   - identity: encrypts the connections; nil for plain HTTP.
  ///   - answer: called on several threads at the same time; it may wait.
  package init(
    _ endpoint: HTTPEndpoint, purpose: String, limits: Limits = Limits(), identity: TLSIdentity? = nil,
    answer: @escaping @Sendable (ServedRequest) -> ServedResponse
  ) throws(HTTPServerFault) {
    try Self.check(purpose: purpose)
    if identity != nil, !http_has_tls() { throw .noEncryption(purpose: purpose) }
    let (listener, actual, socket) = try Self.listen(at: endpoint, purpose: purpose)
    let core = Unmanaged.passRetained(Core(answer))
    var reason = [CChar](repeating: 0, count: Int(http_reason_size))
    let limits = http_limits(
      connections: UInt32(limits.connections), idle_seconds: UInt32(limits.idleSeconds),
      body_bytes: limits.bodyBytes)
    let answer: http_request_callback = { context, request in
      guard let context, let request else { return }
      HTTPListener.answer(request, Unmanaged<Core>.fromOpaque(context).takeUnretainedValue())
    }
    let started =
      if let identity {
        identity.withTexts { http_start(listener, limits, $0, answer, core.toOpaque(), &reason) }
      } else {
        http_start(listener, limits, nil, answer, core.toOpaque(), &reason)
      }
    guard let started else {
      core.release()
      let text = reason.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
      if let identity { throw .badIdentity(certificate: identity.file, key: identity.keyFile, reason: text) }
      throw .cannotListen(actual, purpose: purpose, reason: text)
    }
    server = started
    self.core = core
    self.endpoint = actual
    self.identity = identity
    self.socket = socket
  }

  /// A descriptor that listens, which the server closes.
  private static func listen(
    at endpoint: HTTPEndpoint, purpose: String
  ) throws(HTTPServerFault) -> (descriptor: Int32, actual: HTTPEndpoint, socket: ListeningSocket?) {
    switch endpoint {
    case .address(let address):
      var port: Int32 = 0
      var reason = [CChar](repeating: 0, count: Int(http_reason_size))
      let descriptor = http_listen(address.host, Int32(address.port), &port, &reason)
      guard descriptor >= 0 else {
        let text = reason.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
        throw .cannotListen(endpoint, purpose: purpose, reason: text)
      }
      return (descriptor, .address(address.with(port: Int(port))), nil)
    case .socket(let path):
      do throws(NetworkFault) {
        let socket = try ListeningSocket.open(.socket(path: path))[0]
        // For the proxy, which is another user; the page asks for a token there.
        chmod(path, 0o666)
        return (fcntl(socket.descriptor, F_DUPFD_CLOEXEC, 0), endpoint, socket)
      } catch {
        guard case .cannotListen(_, let code) = error else { throw .network(error) }
        throw .cannotListen(endpoint, purpose: purpose, reason: String(cString: strerror(code)))
      }
    }
  }

  deinit {
    let parts = core.takeUnretainedValue()
    parts.isClosing.store(true, ordering: .sequentiallyConsistent)
    let deadline = MonotonicClock.now() + Self.grace
    repeat {
      for stream in parts.streams.withLock({ Array($0.values) }) { stream.close() }
      if parts.busy.load(ordering: .acquiring) == 0 {
        http_stop(server)
        core.release()
        return
      }
      MonotonicClock.sleep(until: MonotonicClock.now() + 0.01)
    } while MonotonicClock.now() < deadline
    // A request takes long: its thread ends with the process.
  }

  private static func answer(_ request: UnsafePointer<http_request>, _ core: Core) {
    core.busy.add(1, ordering: .relaxed)
    let response = core.answer(ServedRequest(request))
    switch response.body {
    case .bytes(let bytes):
      _ = bytes.withUnsafeBytes {
        http_answer_bytes(request, Int32(response.status), $0.baseAddress, bytes.count)
      }
    case .stream(let stream): answer(request, response.status, stream, core)
    }
    for (name, value) in response.headers { http_answer_header(request, name, value) }
    core.busy.subtract(1, ordering: .releasing)
  }

  private static func answer(
    _ request: UnsafePointer<http_request>, _ status: Int, _ stream: EventStream, _ core: Core
  ) {
    core.streams.withLock { $0[ObjectIdentifier(stream)] = stream }
    if core.isClosing.load(ordering: .sequentiallyConsistent) { stream.close() }
    let open = Unmanaged.passRetained(OpenStream(stream, core))
    _ = http_answer_stream(
      request, Int32(status), open.toOpaque(),
      { context, buffer, size in
        let open = Unmanaged<OpenStream>.fromOpaque(context!).takeUnretainedValue()
        return open.stream.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: size)) ?? -1
      },
      { context in
        let open = Unmanaged<OpenStream>.fromOpaque(context!).takeRetainedValue()
        _ = open.core.streams.withLock { $0.removeValue(forKey: ObjectIdentifier(open.stream)) }
        open.stream.ended()
      })
  }
}

/// Collects names and values for a callback of C.
private final class Pairs {
  var values: [String: String] = [:]

  /// - Parameter isHeader: whether names are in any case.
  static func read(
    _ request: UnsafePointer<http_request>, isHeader: Bool
  ) -> [String: String] {
    let pairs = Pairs()
    let context = Unmanaged.passUnretained(pairs).toOpaque()
    let take: http_pair_callback = { context, name, value in
      guard let context, let name else { return }
      let pairs = Unmanaged<Pairs>.fromOpaque(context).takeUnretainedValue()
      pairs.values[String(cString: name)] = value.map { String(cString: $0) } ?? ""
    }
    if isHeader { http_headers(request, take, context) } else { http_arguments(request, take, context) }
    guard isHeader else { return pairs.values }
    return Dictionary(pairs.values.map { ($0.key.lowercased(), $0.value) }) { first, _ in first }
  }
}

extension ServedRequest {
  fileprivate init(_ request: UnsafePointer<http_request>) {
    let bytes = UnsafeRawBufferPointer(start: request.pointee.body, count: request.pointee.body_size)
    var peer = [CChar](repeating: 0, count: Int(http_peer_size))
    http_peer(request, &peer)
    self.init(
      String(cString: request.pointee.method), String(cString: request.pointee.path),
      query: Pairs.read(request, isHeader: false), headers: Pairs.read(request, isHeader: true),
      body: Array(bytes), isTooLarge: request.pointee.is_too_large,
      peer: peer.withUnsafeBufferPointer { String(cString: $0.baseAddress!) })
  }
}
