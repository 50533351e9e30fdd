import Networking
import Platform
import TestServers
import Testing

@testable import Web

/// What is answered, and what is rejected.
@Suite(.limited) struct RequestCheckTests {
  private let page = try! TestPage()

  @Test func thePageAndProgramsOfThisMachineAreAnswered() {
    #expect(page.send("GET", "/").status == 200)
    #expect(page.send("GET", "/api/session").status == 200)
    let program = ServedRequest("GET", "/api/session", headers: ["host": "localhost"])
    #expect(page.operations.response(to: program).status == 200)
  }

  @Test(arguments: ["evil.example", "127.0.0.1.evil.example", "192.168.1.2", "kitchen-pi", ""])
  func aHostThatIsNotThisMachineIsRejected(_ host: String) {
    for path in ["/", "/api/session", "/api/clips"] {
      let origin = "http://\(host)"
      #expect(page.send("GET", path, headers: ["host": host, "origin": origin]).status == 403, "\(path)")
    }
    #expect(page.operations.response(to: ServedRequest("GET", "/")).status == 403, "without a Host")
  }

  @Test(arguments: ["http://evil.example", "https://127.0.0.1:10480", "http://127.0.0.1:8080", "null", ""])
  func aRequestOfAnotherOriginIsRejected(_ origin: String) {
    #expect(page.send("GET", "/api/session", headers: ["origin": origin]).status == 403)
    #expect(page.send("POST", "/api/check", headers: ["origin": origin]).status == 403)
  }

  @Test func anotherSiteMayLinkToThePageAndNothingElse() {
    for site in ["cross-site", "same-site"] {
      let link = ["sec-fetch-site": site, "sec-fetch-mode": "navigate"]
      #expect(page.send("GET", "/", headers: link).status == 200)
      #expect(page.send("GET", "/api/session", headers: link).status == 403)
      #expect(page.send("GET", "/app.js", headers: ["sec-fetch-site": site]).status == 403)
    }
  }

  @Test func whatChangesSomethingNeedsTheToken() {
    for token in ["", "secreT", "secret2"] {
      for (method, path) in [
        ("POST", "/api/sensitivity"), ("PUT", "/api/clips/x/label"), ("DELETE", "/api/clips/x"),
        ("POST", "/api/check"), ("POST", "/api/doctor"), ("POST", "/api/understand"),
      ] {
        let answer = page.send(method, path, ["text": "turn on"], headers: ["x-hotword-token": token])
        #expect(answer.status == 403, "\(method) \(path)")
        #expect(answer.error?.contains("token") == true)
      }
    }
    #expect(page.send("POST", "/api/check").status == 200)
  }

  @Test func aBodyThatIsNotAJSONObjectIsRejected() {
    #expect(page.send("POST", "/api/understand", "text").status == 400)
    let form = page.send(
      "POST", "/api/understand", ["text": "x"], headers: ["content-type": "application/x-www-form-urlencoded"]
    )
    #expect(form.status == 400)
    #expect(
      page.send("POST", "/api/understand", ["text": 7]).error == "text: takes a text of up to 500 characters")
    let long = String(repeating: "a", count: 501)
    #expect(page.send("POST", "/api/understand", ["text": .string(long)]).status == 400)
  }

  @Test func aBodyAboveTheServersLimitIsAnswered() {
    let headers = ["host": "localhost", "x-hotword-token": TestPage.token]
    let request = ServedRequest("POST", "/api/understand", headers: headers, isTooLarge: true)
    #expect(page.operations.response(to: request).status == 413)
  }

  @Test func tooManyRequestsAreRejectedUntilTimeHasPassed() {
    var limit = RateLimit()
    let burst = Int(RateLimit.burst)
    let answered = (0..<burst + 50).count { _ in limit.take(at: 10) }
    #expect(answered == burst)
    let later = (0..<burst).count { _ in limit.take(at: 11) }
    #expect(later == Int(RateLimit.perSecond))
    #expect((0..<1_000).contains { _ in page.send("GET", "/api/state").status == 429 })
  }

  @Test func unknownAddressesAndMethodsAreNamed() {
    #expect(page.send("GET", "/api/nothing").status == 404)
    #expect(page.send("GET", "/../etc/passwd").status == 404)
    let answer = page.send("PUT", "/api/clips")
    #expect(answer.status == 405)
    #expect(answer.header("Allow") == "GET")
  }
}
