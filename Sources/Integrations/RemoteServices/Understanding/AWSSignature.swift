import Networking

/// AWS Signature Version 4, without I/O.
public struct AWSSignature: Sendable {
  public let accessKey: String
  public let secret: Secret
  public let region: String
  public let service: String

  public init(accessKey: String, secret: Secret, region: String, service: String) {
    self.accessKey = accessKey
    self.secret = secret
    self.region = region
    self.service = service
  }

  /// The value of the `Authorization` header of a request; signs all of `headers`.
  ///
  /// - Parameters:
  ///   - headers: must include `Host` and `X-Amz-Date`.
  ///   - date: the value of `X-Amz-Date`: `20150830T123600Z`.
  public func authorization(
    _ request: HTTPRequest, headers: [HTTPRequest.Header], date: String
  ) throws(NetworkFault) -> String {
    let scope = "\(date.prefix(8))/\(region)/\(service)/aws4_request"
    let canonical = try Self.canonical(request, headers: headers)
    let hash = Digest.hex(try Digest.sha256(Array(canonical.utf8)))
    let text = "AWS4-HMAC-SHA256\n\(date)\n\(scope)\n\(hash)"
    var key = Array("AWS4\(secret.text)".utf8)
    for part in [String(date.prefix(8)), region, service, "aws4_request", text] {
      key = try Digest.hmacSHA256(key: key, Array(part.utf8))
    }
    let names = Self.sorted(headers).map(\.name).joined(separator: ";")
    return
      "AWS4-HMAC-SHA256 Credential=\(accessKey)/\(scope), SignedHeaders=\(names), Signature=\(Digest.hex(key))"
  }

  /// The canonical request, which is signed.
  static func canonical(_ request: HTTPRequest, headers: [HTTPRequest.Header]) throws(NetworkFault) -> String
  {
    let target = request.address.target
    let mark = target.firstIndex(of: "?") ?? target.endIndex
    let path = target[..<mark].isEmpty ? "/" : String(target[..<mark])
    let query = target[mark...].dropFirst().split(separator: "&").map { pair in
      pair.contains("=") ? String(pair) : "\(pair)="
    }
    let sorted = sorted(headers)
    let lines = [
      request.method.rawValue, encodedTwice(path), query.sorted().joined(separator: "&"),
      sorted.map { "\($0.name):\($0.value)\n" }.joined(), sorted.map(\.name).joined(separator: ";"),
      Digest.hex(try Digest.sha256(request.body)),
    ]
    return lines.joined(separator: "\n")
  }

  /// Each segment percent-encoded again, as all services except S3 require.
  private static func encodedTwice(_ path: String) -> String {
    path.split(separator: "/", omittingEmptySubsequences: false).map { PercentEncoding.encode(String($0)) }
      .joined(separator: "/")
  }

  /// Lowercase names in order, values with single spaces, values of one name joined.
  private static func sorted(_ headers: [HTTPRequest.Header]) -> [HTTPRequest.Header] {
    var values: [String: [String]] = [:]
    for header in headers {
      let value = header.value.split(separator: " ").joined(separator: " ")
      values[header.name.lowercased(), default: []].append(value)
    }
    return values.sorted { $0.key < $1.key }.map {
      HTTPRequest.Header($0.key, $0.value.joined(separator: ","))
    }
  }
}
