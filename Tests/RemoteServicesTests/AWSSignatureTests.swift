import Networking
import RemoteServices
import TestServers
import Testing
import Understanding

@Suite(.limited) struct AWSSignatureTests {
  private static let key = Secret("wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY")
  private static let unreserved = "-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

  struct Vector: Sendable {
    let name: String
    var method = HTTPRequest.Method.get
    var path = "/"
    var query: [(name: String, value: String)] = []
    var headers: [HTTPRequest.Header] = []
    var body = ""
    let signature: String
  }

  /// From AWS's published test suite, `aws-sig-v4-test-suite`.
  static let vectors = [
    Vector(
      name: "get-vanilla", signature: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
    Vector(
      name: "get-header-key-duplicate",
      headers: [.init("My-Header1", "value2"), .init("My-Header1", "value2"), .init("My-Header1", "value1")],
      signature: "c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea"),
    Vector(
      name: "get-header-value-trim",
      headers: [.init("My-Header1", " value1"), .init("My-Header2", " \"a   b   c\"")],
      signature: "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736"),
    Vector(
      name: "get-unreserved", path: "/" + unreserved,
      signature: "07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f"),
    Vector(
      name: "get-vanilla-query-order-key-case", query: [("Param2", "value2"), ("Param1", "value1")],
      signature: "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"),
    Vector(
      name: "get-vanilla-query-unreserved", query: [(unreserved, unreserved)],
      signature: "9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197"),
    Vector(
      name: "get-vanilla-utf8-query", query: [("ሴ", "bar")],
      signature: "2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04"),
    Vector(
      name: "post-vanilla", method: .post,
      signature: "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"),
    Vector(
      name: "post-header-value-case", method: .post, headers: [.init("My-Header1", "VALUE1")],
      signature: "cdbc9802e29d2942e5e10b5bccfdd67c5f22c7c4e8ae67b53629efa58b974b7d"),
    Vector(
      name: "post-x-www-form-urlencoded", method: .post,
      headers: [.init("Content-Type", "application/x-www-form-urlencoded")], body: "Param1=value1",
      signature: "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a"),
  ]

  @Test(arguments: vectors)
  func matchesThePublishedTestSuite(_ vector: Vector) throws {
    let root = try WebAddress("https://example.amazonaws.com", schemes: ["https"], expected: "")
    let address = root.appending(vector.path).appending(query: vector.query)
    let date = "20150830T123600Z"
    let signature = AWSSignature(
      accessKey: "AKIDEXAMPLE", secret: Self.key, region: "us-east-1", service: "service")
    let text = try signature.authorization(
      HTTPRequest(vector.method, address, body: Array(vector.body.utf8)),
      headers: [.init("Host", "example.amazonaws.com"), .init("X-Amz-Date", date)] + vector.headers,
      date: date)
    #expect(text.hasSuffix("Signature=\(vector.signature)"), "\(vector.name): \(text)")
    #expect(
      text.hasPrefix("AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, "))
  }

  /// A Lex request; the signatures below are from botocore 1.40.
  private func request(token: String = "") throws -> HTTPRequest {
    let address = try WebAddress(
      "https://runtime-v2-lex.eu-west-1.amazonaws.com", schemes: ["https"], expected: "")
    let lex = LexService(address, bot: "B:1", alias: "TSTALIASID", region: "eu-west-1")
    let key = Secret("AKIDEXAMPLE:wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY" + token)
    let context = ServiceRequestContext(language: "en", session: "hotword-1", key: key, time: 1_772_323_198)
    return try lex.request("two pizzas, naïve", context)
  }

  @Test func lexRequestsMatchTheSignaturesOfBotocore() throws {
    let request = try request()
    #expect(request["X-Amz-Date"] == "20260228T235958Z")
    #expect(
      request["Authorization"]?.hasSuffix("8ce2fd5a0c0f95922d6c4991f45d9af96e0ed5b2698c18ce2ba88d139234fcca")
        == true)
    #expect(request["Host"] == nil)
  }

  /// The same with temporary credentials, whose token is signed too.
  @Test func temporaryCredentialsSignTheSessionToken() throws {
    let request = try request(token: ":IQoJb3Jp/Z2lu+X2VjEXAMPLE==")
    #expect(request["X-Amz-Security-Token"] == "IQoJb3Jp/Z2lu+X2VjEXAMPLE==")
    let signed = request["Authorization"] ?? ""
    #expect(signed.contains("SignedHeaders=host;x-amz-date;x-amz-security-token,"))
    #expect(signed.hasSuffix("20a244144dae4398d0141da57a024df3b7e8993d389a17b92adacc1860d14fd2"), "\(signed)")
  }
}
