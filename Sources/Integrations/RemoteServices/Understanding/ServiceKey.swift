import Glibc
import Networking
import Platform

/// The key of a service: from a file, or an access token obtained for a service account.
struct ServiceKey: Sendable {
  private let service: String
  private let source: Source
  private var token: AccessToken?

  enum Source: Sendable {
    case keyless
    /// As for ``Secret/init(file:)``; read again for each text, because tokens expire.
    case file(String)
    /// The key file of a ``ServiceAccount``.
    case account(String)
  }

  init(_ source: Source, for service: String) {
    self.source = source
    self.service = service
  }

  /// Reads and checks the file; does not connect to a server.
  func check() throws(RemoteFault) -> Secret? {
    switch source {
    case .keyless: return nil
    case .file(let name): return try mapFault { () throws(NetworkFault) in try Secret(file: name) }
    case .account(let name):
      _ = try request(of: name)
      return nil
    }
  }

  /// The key for a request; obtains a new access token where needed.
  ///
  /// - Parameter now: seconds on a monotonic clock.
  mutating func current(
    at now: Double, by client: HTTPClient, _ isCancelled: @escaping () -> Bool
  ) throws(RemoteFault) -> Secret? {
    guard case .account(let name) = source else { return try check() }
    if let token, now < token.end { return token.secret }
    token = nil
    let request = try request(of: name)
    let response = try mapFault { () throws(NetworkFault) in
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

  /// Discards the token after the service rejected it.
  mutating func discardToken() { token = nil }

  private func request(of name: String) throws(RemoteFault) -> HTTPRequest {
    let path = try mapFault { () throws(NetworkFault) in try Secret.path(of: name) }
    let bytes = try mapFault { () throws(NetworkFault) in
      do throws(SystemFault) { return try Files.read(path, limit: 65_536) } catch { throw .system(error) }
    }
    guard let json = try? JSON(parsing: bytes, what: path), let account = ServiceAccount(json),
      let request = try mapFault({ () throws(NetworkFault) in try account.request(at: Int(time(nil))) })
    else { throw .badAccount(service: service, file: path) }
    return request
  }

  private func mapFault<T>(_ work: () throws(NetworkFault) -> T) throws(RemoteFault) -> T {
    do throws(NetworkFault) {
      return try work()
    } catch {
      throw .network(error, service: service)
    }
  }
}

/// A Google service account: signs requests for access tokens (RFC 7523). No I/O.
struct ServiceAccount: Sendable {
  /// The OAuth scope of the tokens.
  static let scope = "https://www.googleapis.com/auth/dialogflow"
  /// Seconds for which a signed request is valid; the maximum that Google allows.
  static let life = 3_600
  /// Seconds before its expiry from which a token is no longer used.
  static let margin = 60.0

  private let email: String
  private let key: Secret
  private let keyName: String?
  /// The address that issues tokens.
  let address: WebAddress

  /// Reads a key file of the Google Cloud console; nil where `json` is not one.
  init?(_ json: JSON) {
    guard json["type"] == "service_account", let email = json["client_email"]?.string,
      let key = json["private_key"]?.string, let uri = json["token_uri"]?.string,
      let address = try? WebAddress(uri, schemes: ["http", "https"], expected: "https://HOST")
    else { return nil }
    self.email = email
    self.key = Secret(key)
    self.address = address
    keyName = json["private_key_id"]?.string
  }

  /// A request for a token, signed at `time` (seconds since 1970-01-01 UTC); nil where the key is invalid.
  func request(at time: Int) throws(NetworkFault) -> HTTPRequest? {
    var header: [JSON.Member] = [JSON.Member("alg", "RS256"), JSON.Member("typ", "JWT")]
    if let keyName { header.append(JSON.Member("kid", .string(keyName))) }
    let claims: JSON = [
      "iss": .string(email), "scope": .string(Self.scope), "aud": .string(address.text),
      "iat": .number(Double(time)), "exp": .number(Double(time + Self.life)),
    ]
    let parts = [JSON.object(header), claims].map { Base64.encodeForURL(Array($0.description.utf8)) }
    let text = parts.joined(separator: ".")
    guard let signature = try RSASignature.make(Array(text.utf8), key: key) else { return nil }
    let kind = PercentEncoding.encode("urn:ietf:params:oauth:grant-type:jwt-bearer")
    let form = "grant_type=\(kind)&assertion=\(text).\(Base64.encodeForURL(signature))"
    return HTTPRequest(
      .post, address,
      headers: [
        HTTPRequest.Header("Content-Type", "application/x-www-form-urlencoded"),
        HTTPRequest.Header("Accept", "application/json"),
      ], body: Array(form.utf8))
  }
}

/// An access token, and the time until which it is used.
struct AccessToken: Sendable {
  let secret: Secret
  /// In seconds on the clock of `now`.
  let end: Double

  /// - Parameter now: the time of the request, in seconds on a monotonic clock.
  init?(_ answer: JSON, at now: Double) {
    guard let text = answer["access_token"]?.string, !text.isEmpty,
      text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { return nil }
    secret = Secret(text)
    end = now + (answer["expires_in"]?.number ?? 0) - ServiceAccount.margin
  }
}
