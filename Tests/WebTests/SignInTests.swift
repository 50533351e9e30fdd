import Configuration
import Glibc
import Networking
import Platform
import TestServers
import Testing

@testable import Web

/// The page where others than the users of this machine can reach it: its token, its names, and how wrong tokens are limited.
@Suite(.limited) struct SignInTests {
  private static let token = "a token of the page"
  private let page: TestPage

  init() throws {
    var access = WebAccess(HTTPEndpoint("192.168.1.2:443"))
    (access.certificate, access.key) = ("c.pem", "k.pem")
    access.names = ["Kitchen.example"]
    page = try TestPage(access: access, signIn: Self.token)
  }

  private func send(
    _ method: String, _ path: String, _ body: JSON? = nil, host: String = "kitchen.example",
    peer: String = "192.168.1.7", headers: [String: String] = [:]
  ) -> ServedResponse {
    let own = ["host": host, "origin": "https://\(host)", "content-type": "application/json"]
    return page.operations.response(
      to: ServedRequest(
        method, path, headers: own.merging(headers) { $1 }, body: body.map { Array("\($0)".utf8) } ?? [],
        peer: peer))
  }

  private func cookie() throws -> String {
    let answer = send("POST", "/api/sign-in", ["token": .string(Self.token)])
    let fields = try #require(answer.header("Set-Cookie")).split(separator: ";")
    return String(try #require(fields.first))
  }

  @Test func withoutTheTokenOnlyTheFilesOfThePageAreServed() {
    for path in ["/", "/app.js", "/signin.js", "/style.css"] { #expect(send("GET", path).status == 200) }
    for path in ["/api/session", "/api/live", "/api/clips", "/api/clips/x/audio", "/api/state", "/nothing"] {
      let answer = send("GET", path)
      #expect(answer.status == 401, "\(path)")
      #expect(answer.header("WWW-Authenticate") == "Bearer")
    }
    #expect(send("POST", "/api/check", headers: ["x-hotword-token": TestPage.token]).status == 401)
  }

  @Test func theCookieIsForThisPageOnlyAndNoScriptReadsIt() throws {
    let answer = send("POST", "/api/sign-in", ["token": .string(Self.token)])
    #expect(answer.status == 200)
    let header = try #require(answer.header("Set-Cookie"))
    let parts = Set(header.split(separator: ";").map { $0.trimmingPrefix(" ") })
    for part in ["SameSite=Strict", "HttpOnly", "Secure", "Path=/"] {
      #expect(parts.contains(part[...]), "\(part)")
    }
    #expect(!header.contains(Self.token))
    let cookie = try cookie()
    #expect(send("GET", "/api/session", headers: ["cookie": "other=1; \(cookie)"]).status == 200)
    #expect(send("GET", "/api/session", headers: ["cookie": "\(cookie)0"]).status == 401)
    #expect(
      send("POST", "/api/check", headers: ["cookie": cookie]).status == 403, "a change needs its token too")
    let change = ["cookie": cookie, "x-hotword-token": TestPage.token]
    #expect(send("POST", "/api/check", headers: change).status == 200)
  }

  @Test func anotherTokenMakesTheOldCookieInvalid() throws {
    let other = try SignIn("another token of the page", isSecure: true)
    let request = ServedRequest("GET", "/api/session", headers: ["cookie": try cookie()])
    guard case .unknown = try other.sender(of: request) else {
      Issue.record("the old cookie is accepted")
      return
    }
  }

  @Test func aProgramSendsTheTokenWithEachRequest() {
    let right = ["authorization": "Bearer \(Self.token)"]
    #expect(send("GET", "/api/session", headers: right).status == 200)
    #expect(send("POST", "/api/check", headers: right).status == 200)
    #expect(send("GET", "/api/session", headers: ["authorization": "Bearer \(Self.token)x"]).status == 401)
    #expect(send("GET", "/api/session", headers: ["authorization": "Basic \(Self.token)"]).status == 401)
  }

  @Test func wrongTokensAreLimitedForEachClient() throws {
    let cookie = try cookie()
    let statuses = (0..<12).map { _ in send("POST", "/api/sign-in", ["token": "wrong"]).status }
    #expect(statuses == [Int](repeating: 401, count: 10) + [429, 429])
    #expect(send("POST", "/api/sign-in", ["token": .string(Self.token)]).status == 429)
    #expect(send("GET", "/api/session", headers: ["authorization": "Bearer \(Self.token)"]).status == 429)
    #expect(
      send("GET", "/api/session", headers: ["cookie": cookie]).status == 200,
      "who has the cookie is not affected")
    let other = send("POST", "/api/sign-in", ["token": .string(Self.token)], peer: "192.168.1.8")
    #expect(other.status == 200, "nor is another client")
  }

  @Test func behindAProxyWhoGuessesDoesNotLockOutWhoKnows() {
    for peer in ["", "127.0.0.1"] {
      let statuses = (0..<12).map { _ in send("POST", "/api/sign-in", ["token": "wrong"], peer: peer).status }
      #expect(statuses.last == 429)
      #expect(send("POST", "/api/sign-in", ["token": .string(Self.token)], peer: peer).status == 200)
    }
  }

  @Test func attemptsAreAllowedAgainAfterTime() {
    var failed = FailedAttempts()
    for _ in 0..<10 { failed.add("a", at: 100) }
    #expect(failed.isBlocked("a", at: 105))
    #expect(!failed.isBlocked("a", at: 107))
    for index in 0..<1_000 { failed.add("\(index)", at: 108) }
    #expect(failed.isBlocked("a", at: 100), "many other clients do not make it forgotten")
  }

  @Test func theHostIsAnAddressOrAConfiguredName() {
    for host in [
      "kitchen.example", "KITCHEN.example:443", "192.168.1.2", "192.168.1.2:10480", "[fe80::1]:1",
      "localhost",
    ] {
      #expect(send("GET", "/", host: host).status == 200, "\(host)")
    }
    for host in ["evil.example", "kitchen", "kitchen.example.evil.example", "192.168.1.2.evil.example"] {
      #expect(send("GET", "/", host: host).status == 403, "\(host)")
    }
    #expect(send("GET", "/", headers: ["origin": "http://kitchen.example"]).status == 403, "by https only")
    #expect(
      send("GET", "/api/session", headers: ["sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"])
        .status == 403)
  }

  @Test func requestsWithoutTheTokenTakeNoneOfTheOthers() throws {
    let cookie = try cookie()
    #expect((0..<1_000).contains { _ in send("GET", "/api/state").status == 429 })
    #expect(send("GET", "/api/session", headers: ["cookie": cookie]).status == 200)
  }

  @Test func aFileIsCreatedForTheTokenThatOnlyItsOwnerReads() throws {
    let file = TestPage.temporaryFolder() + "/folder/web.token"
    #expect(try WebToken.load("token-\(getpid())").isNew, "also without a slash")
    unlink("token-\(getpid())")
    let first = try WebToken.load(file)
    #expect(first.isNew && first.text.count == 64)
    let mode = try Subprocess(["stat", "-c", "%a", file]).run(timeout: 30).output
    #expect(String(decoding: mode, as: UTF8.self) == "600\n")
    let second = try WebToken.load(file)
    #expect(!second.isNew && second.text == first.text)
    try Files.write(Array("short\n".utf8), to: file)
    #expect(throws: WebAccessFault.shortToken(file: file, least: 16)) { try WebToken.load(file) }
  }
}
