import Actions
import Networking
import Platform
import RemoteServices
import TestServers
import Testing

@Suite(.limited) struct WebhookHandlerTests {
  private func handler(
    _ server: HTTPServer, key: Secret? = nil, timeout: Double = 5,
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws -> WebhookHandler {
    let address = try WebAddress(server.url + "/hook", schemes: ["http"], expected: "")
    return WebhookHandler(address, key: key, timeout: timeout, isCancelled: isCancelled)
  }

  private func fault(_ handler: WebhookHandler) -> ActionFault? {
    do throws(ActionFault) {
      _ = try handler.handle(IntentEvent.sample)
      return nil
    } catch {
      return error
    }
  }

  private func peer(_ server: HTTPServer) -> String { String(server.url.dropFirst("http://".count)) }

  @Test func theServerReceivesTheEventAndReturnsTheReply() throws {
    let server = try HTTPServer(#"{"reply":"Done\u001b[2J,\n sir."}"#)
    #expect(try handler(server, key: Secret("k3y")).handle(IntentEvent.sample) == "Done [2J, sir.")
    let request = try #require(server.requests.first)
    #expect(request["method"]?.string == "POST" && request["path"]?.string == "/hook")
    #expect(request["body"]?.string == IntentEvent.sample.json.description)
    #expect(request["headers"]?["content-type"]?.string == "application/json")
    #expect(request["headers"]?["authorization"]?.string == "Bearer k3y")
  }

  @Test(arguments: [
    (#"{"speech":{"text":"As Rhasspy says."}}"#, "As Rhasspy says."), ("", nil), ("{}", nil),
    (#"{"reply":null}"#, nil), (#"{"reply":["a"]}"#, nil), (#"{"reply":" \n"}"#, nil), ("[1]", nil),
  ])
  func otherAnswersAreNotReplies(_ body: String, _ reply: String?) throws {
    let server = try HTTPServer(body)
    #expect(try handler(server).handle(IntentEvent.sample)?.reply == reply)
  }

  @Test(arguments: ["text/plain", "text/html; charset=utf-8", ""])
  func anAnswerIsReadWhateverItsTypeSays(_ type: String) throws {
    let server = try HTTPServer([.init(" \n{\"reply\":\"done\"}", type: type)])
    #expect(try handler(server).handle(IntentEvent.sample)?.reply == "done")
  }

  @Test func textIsNotAReply() throws {
    let page = try HTTPServer([.init("<html>ok</html>", type: "text/html")])
    #expect(try handler(page).handle(IntentEvent.sample) == nil)
    for body in ["{\"reply\":", String(repeating: "[", count: 100_000)] {
      let broken = try HTTPServer(body)
      #expect(try fault(handler(broken)) == .noReply(peer: peer(broken)))
    }
  }

  @Test func temporaryErrorsAreRetriedWithTheSameKey() throws {
    let server = try HTTPServer([.init(status: 503), .init(raw: ""), .init(#"{"reply":"third time"}"#)])
    #expect(try handler(server).handle(IntentEvent.sample) == "third time")
    let keys = server.requests.compactMap { $0["headers"]?["idempotency-key"]?.string }
    #expect(keys.count == 3 && Set(keys).count == 1 && keys[0].count > 20)
    _ = try handler(server).handle(IntentEvent.sample)
    #expect(server.requests.last?["headers"]?["idempotency-key"]?.string != keys[0])
  }

  @Test func retriesAreLimited() throws {
    let failing = try HTTPServer([.init(status: 500)])
    #expect(try fault(handler(failing)) == .refused(peer: peer(failing), status: 500, attempts: 3))
    #expect(failing.requests.count == 3)
    let refusing = try HTTPServer([.init(status: 404)])
    #expect(try fault(handler(refusing)) == .refused(peer: peer(refusing), status: 404, attempts: 1))
    let elsewhere = try HTTPServer([.init(status: 307, location: failing.url)])
    #expect(try fault(handler(elsewhere)) == .refused(peer: peer(elsewhere), status: 307, attempts: 1))
    #expect(failing.requests.count == 3 && refusing.requests.count == 1)
  }

  @Test func aSlowServerTimesOut() throws {
    let slow = try HTTPServer([.init(status: 500), .init("{}", delay: 20)])
    let began = MonotonicClock.now()
    #expect(
      try fault(handler(slow, timeout: 0.8))
        == .remote(AnyFault(NetworkFault.timedOut(peer: peer(slow), seconds: 0.8))))
    #expect(try fault(handler(slow, timeout: 9, isCancelled: { true })) == .cancelled(command: peer(slow)))
    #expect(MonotonicClock.now() - began < 8)
  }

  @Test func longAnswersAreRejectedAndLongRepliesTruncated() throws {
    let long = try HTTPServer([.init("0123456789", times: 200_000)])
    #expect(
      try fault(handler(long)) == .remote(AnyFault(NetworkFault.tooLarge(peer: peer(long), limit: 1 << 20))))
    let wordy = try HTTPServer("{\"reply\":\"\(String(repeating: "a", count: 100_000))\"}")
    #expect(try handler(wordy).handle(IntentEvent.sample)?.reply?.count == 2_000)
  }

  @Test func onlyReadyIntentsAreSent() throws {
    let server = try HTTPServer(#"{"reply":"x"}"#)
    #expect(try handler(server).handle(IntentEvent.sample("blah", nil)) == nil)
    #expect(server.requests.isEmpty)
  }
}
