import Glibc
import Networking
import Platform

/// Where a service's key comes from, with the token that it was last exchanged for.
struct ServiceKey: Sendable {
  private let service: String
  private let source: Source
  private var token: AccessToken?

  enum Source: Sendable {
    case keyless
    /// What ``Secret/init(file:)`` takes; read for each text anew, because tokens expire.
    case file(String)
    /// The file of a ``ServiceAccount``, named in the same way.
    case account(String)
  }

  init(_ source: Source, for service: String) {
    self.source = source
    self.service = service
  }

  /// Reads the file, and asks nobody.
  func check() throws(RemoteFault) -> Secret? {
    switch source {
    case .keyless: return nil
    case .file(let name): return try told { () throws(NetworkFault) in try Secret(file: name) }
    case .account(let name):
      _ = try request(of: name)
      return nil
    }
  }

  /// The key for a request.
  ///
  /// - Parameter now: seconds of a clock that never jumps.
  mutating func current(
    at now: Double, by client: HTTPClient, _ isCancelled: @escaping () -> Bool
  ) throws(RemoteFault) -> Secret? {
    guard case .account(let name) = source else { return try check() }
    if let token, now < token.end { return token.secret }
    token = nil
    let request = try request(of: name)
    let response = try told { () throws(NetworkFault) in
      try client.send(request, isCancelled: isCancelled)
    }
    guard response.isSuccess, let answer = try? JSON(parsing: response.body, what: "the answer"),
      let given = AccessToken(answer, at: now)
    else {
      throw .noToken(service: service, peer: request.address.peer, status: response.status)
    }
    token = given
    return given.secret
  }

  /// Asks for another token the next time.
  mutating func refused() { token = nil }

  private func request(of name: String) throws(RemoteFault) -> HTTPRequest {
    let path = try told { () throws(NetworkFault) in try Secret.path(of: name) }
    let bytes = try told { () throws(NetworkFault) in
      do throws(SystemFault) { return try Files.read(path, limit: 65_536) } catch { throw .system(error) }
    }
    guard let json = try? JSON(parsing: bytes, what: path), let account = ServiceAccount(json),
      let request = try told({ () throws(NetworkFault) in try account.request(at: Int(time(nil))) })
    else { throw .badAccount(service: service, file: path) }
    return request
  }

  private func told<T>(_ work: () throws(NetworkFault) -> T) throws(RemoteFault) -> T {
    do throws(NetworkFault) {
      return try work()
    } catch {
      throw .network(error, service: service)
    }
  }
}
