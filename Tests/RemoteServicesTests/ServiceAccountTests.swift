import Networking
import Platform
import RemoteServices
import TestServers
import Testing
import Understanding

/// Access tokens of service accounts; the openssl program checks the signatures.
@Suite(.limited) struct ServiceAccountTests {
  private let folder = PythonServer.temporaryFolder()

  private func shell(_ line: String) throws -> String {
    let outcome = try Subprocess(shell: "cd \(folder) && \(line)").run(timeout: 60, keepsErrors: true)
    try #require(outcome.ending == .exited(0), "\(line)")
    return String(decoding: outcome.output, as: UTF8.self)
  }

  /// The key file of an account whose tokens `server` issues.
  private func account(_ server: HTTPServer) throws -> String {
    _ = try shell(
      "openssl genpkey -quiet -algorithm RSA -out key.pem && openssl pkey -in key.pem -pubout -out public.pem"
    )
    let key = String(decoding: try Files.read(folder + "/key.pem"), as: UTF8.self)
    let json: JSON = [
      "type": "service_account", "project_id": "p", "private_key_id": "k1", "private_key": .string(key),
      "client_email": "ear@p.iam.gserviceaccount.com", "token_uri": .string(server.url + "/token"),
    ]
    try Files.write(Array(json.description.utf8), to: folder + "/account.json")
    return folder + "/account.json"
  }

  private func dialogflow(_ server: HTTPServer, _ file: String) throws -> RemoteUnderstander {
    let address = try WebAddress(server.url, schemes: ["http"], expected: "")
    return try RemoteUnderstander(
      DialogflowService(address, project: "p"), language: "en", accountFile: file, timeout: 5)
  }

  private func token(_ text: String, for seconds: Int) -> HTTPServer.Answer {
    .init(#"{"access_token":"\#(text)","expires_in":\#(seconds),"token_type":"Bearer"}"#)
  }

  private let answer = HTTPServer.Answer(
    #"{"queryResult":{"intent":{"displayName":"Book"},"intentDetectionConfidence":1}}"#)

  struct Wrong: Error {}

  @Test func aServiceAccountObtainsATokenAndKeepsItUntilItExpires() throws {
    let server = try HTTPServer([
      token("first", for: 3_600), answer, answer, token("second", for: 30), answer,
      token("third", for: 3_600),
      .init(status: 401), token("fourth", for: 3_600), answer,
    ])
    var remote = try dialogflow(server, try account(server))
    #expect(server.requests.isEmpty)
    for time in [0.0, 3_500, 3_550, 3_551] { _ = remote.interpret("a table", at: time) }
    guard case .understood = remote.interpret("a table", at: 3_600) else { throw Wrong() }
    let requests = server.requests
    let paths = requests.map { $0["path"]?.string?.hasPrefix("/token") }
    #expect(paths == [true, false, false, true, false, true, false, true, false])
    let keys = requests.compactMap { $0["headers"]?["authorization"]?.string }
    #expect(keys == ["Bearer first", "Bearer first", "Bearer second", "Bearer third", "Bearer fourth"])
    #expect(!"\(remote)".contains("fourth") && !"\(remote)".contains("PRIVATE"))
    try checkSigned(requests[0], by: server)
  }

  private func checkSigned(_ request: JSON, by server: HTTPServer) throws {
    let body = try #require(request["body"]?.string)
    let start = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion="
    try #require(body.hasPrefix(start))
    #expect(request["headers"]?["content-type"] == "application/x-www-form-urlencoded")
    let parts = body.dropFirst(start.count).split(separator: ".").map(String.init)
    try #require(parts.count == 3)
    func decoded(_ part: String, into file: String) throws -> String {
      let padding = String(repeating: "=", count: (4 - part.count % 4) % 4)
      return try shell(
        "printf %s '\(part)\(padding)' | tr _- /+ | openssl base64 -d -A >\(file) && cat \(file)")
    }
    let header = try JSON(parsing: Array(decoded(parts[0], into: "header").utf8), what: "header")
    #expect(header == ["alg": "RS256", "typ": "JWT", "kid": "k1"])
    let claims = try JSON(parsing: Array(decoded(parts[1], into: "claims").utf8), what: "claims")
    #expect(
      claims["iss"] == "ear@p.iam.gserviceaccount.com" && claims["aud"]?.string == server.url + "/token")
    #expect(claims["scope"] == "https://www.googleapis.com/auth/dialogflow")
    let begin = try #require(claims["iat"]?.number)
    #expect(
      claims["exp"]?.number == begin + 3_600 && abs(begin - Double(WallTime.now().milliseconds) / 1_000) < 600
    )
    _ = try? decoded(parts[2], into: "signature")
    let verdict = try shell(
      "printf %s '\(parts[0]).\(parts[1])' | openssl dgst -sha256 -verify public.pem -signature signature")
    #expect(verdict.hasPrefix("Verified OK"))
  }

  @Test(arguments: [400, 200])
  func withoutATokenNoRequestIsSent(_ status: Int) throws {
    let server = try HTTPServer([.init(#"{"error":"invalid_grant"}"#, status: status)])
    var remote = try dialogflow(server, try account(server))
    guard case .failed(let fault) = remote.interpret("a table") else { throw Wrong() }
    #expect(fault.exitCode == .unavailable && fault.message.contains("no access token"))
    #expect(server.requests.count == 1)
  }

  @Test(arguments: [
    "", "{}", #"{"type":"authorized_user"}"#,
    #"{"type":"service_account","client_email":"e","private_key":"-----BEGIN","token_uri":"https://h/t"}"#,
    #"{"type":"service_account","client_email":"e","private_key":7,"token_uri":"file:///etc/passwd"}"#,
  ])
  func anInvalidAccountFileIsRejectedAtTheStart(_ text: String) throws {
    let server = try HTTPServer("{}")
    let file = folder + "/bad.json"
    try Files.write(Array(text.utf8), to: file)
    let fault = thrown(RemoteFault.self) { try dialogflow(server, file) }
    #expect(fault == .badAccount(service: "dialogflow", file: file) && fault?.exitCode == .configuration)
    #expect(server.requests.isEmpty)
  }
}
