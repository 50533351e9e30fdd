import Networking
import Platform

/// A service account of Google, which signs for access tokens after RFC 7523; a value without I/O.
struct ServiceAccount: Sendable {
  /// What the tokens are good for.
  static let scope = "https://www.googleapis.com/auth/dialogflow"
  /// Seconds for which a signed request counts; no longer is allowed.
  static let life = 3_600
  /// Seconds before its end in which a token is no longer used.
  static let margin = 60.0

  private let email: String
  private let key: Secret
  private let keyName: String?
  /// Where tokens are given.
  let address: WebAddress

  /// A key that the console has made for the account; nil where `json` is none.
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

  /// What asks for a token, signed at `time`, in seconds since 1970-01-01 UTC; nil where the key cannot sign.
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

/// What a service account was given, and until when it is used.
struct AccessToken: Sendable {
  let secret: Secret
  /// Of the clock of `now`.
  let end: Double

  /// - Parameter now: seconds of a clock that never jumps, before it was asked for.
  init?(_ answer: JSON, at now: Double) {
    guard let text = answer["access_token"]?.string, !text.isEmpty,
      text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { return nil }
    secret = Secret(text)
    end = now + (answer["expires_in"]?.number ?? 0) - ServiceAccount.margin
  }
}
