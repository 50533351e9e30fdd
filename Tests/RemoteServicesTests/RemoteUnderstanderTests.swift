import Dialogue
import Networking
import Platform
import RemoteServices
import TestServers
import Testing
import Understanding

@Suite(.limited) struct RemoteUnderstanderTests {
  private static let answer = #"{"text":"x","intent":{"name":"greet","confidence":0.9},"entities":[]}"#

  private func address(_ server: HTTPServer) throws -> WebAddress {
    try WebAddress(server.url, schemes: ["http"], expected: "")
  }

  private func keyFile(_ key: String) throws -> String {
    let path = PythonServer.temporaryFolder() + "/key"
    try Files.write(Array(key.utf8), to: path)
    return path
  }

  private func rasa(_ server: HTTPServer, timeout: Double = 5) throws -> RemoteUnderstander {
    try RemoteUnderstander(RasaService(address(server)), language: "en", timeout: timeout)
  }

  struct Wanted: Sendable {
    let name: String
    let method: String
    let path: String
    /// A header and its value.
    let header: (String, String)
    /// A part of the body.
    let body: String
    let make: @Sendable (WebAddress) -> any UnderstandingService
  }

  private static let requests = [
    Wanted(
      name: "dialogflow", method: "POST", path: "/v2/projects/p%2F1/agent/sessions/hotword-",
      header: ("authorization", "Bearer k:3y"),
      body: #"{"queryInput":{"text":{"text":"hé \"x\"","languageCode":"de"}}}"#,
      make: { DialogflowService($0, project: "p/1") }),
    Wanted(
      name: "wit", method: "GET", path: "/message?q=h%C3%A9%20%22x%22&n=5",
      header: ("authorization", "Bearer k:3y"),
      body: "", make: { WitService($0) }),
    Wanted(
      name: "azure", method: "POST", path: "/language/:analyze-conversations?api-version=",
      header: ("ocp-apim-subscription-key", "k:3y"), body: #""projectName":"p","deploymentName":"d""#,
      make: { AzureService($0, project: "p", deployment: "d") }),
    Wanted(
      name: "luis", method: "POST", path: "/luis/prediction/v3.0/apps/a/slots/production/predict?",
      header: ("ocp-apim-subscription-key", "k:3y"), body: #"{"query":"hé \"x\""}"#,
      make: { LUISService($0, application: "a") }),
    Wanted(
      name: "lex", method: "POST", path: "/bots/b/botAliases/a/botLocales/de_DE/sessions/hotword-",
      header: ("x-amz-date", "20"), body: #"{"text":"hé \"x\""}"#,
      make: { LexService($0, bot: "b", alias: "a", region: "us-east-1") }),
    Wanted(
      name: "watson", method: "POST", path: "/v2/assistants/a/environments/e/message?version=",
      header: ("authorization", "Basic YXBpa2V5Oms6M3k="), body: #""message_type":"text","text":"hé \"x\"""#,
      make: { WatsonService($0, assistant: "a", environment: "e") }),
    Wanted(
      name: "rasa", method: "POST", path: "/model/parse?token=k%3A3y", header: ("accept", "application/json"),
      body: #"{"text":"hé \"x\""}"#, make: { RasaService($0) }),
    Wanted(
      name: "rasa", method: "POST", path: "/model/parse", header: ("authorization", "Bearer k:3y"),
      body: #"{"text":"hé \"x\""}"#, make: { RasaService($0, authentication: .jwt) }),
    Wanted(
      name: "luis", method: "GET", path: "/luis/v2.0/apps/a?q=h%C3%A9%20%22x%22&verbose=true&staging=true",
      header: ("ocp-apim-subscription-key", "k:3y"), body: "",
      make: { LUISService($0, application: "a", slot: "staging", version: .two) }),
    Wanted(
      name: "homeassistant", method: "POST", path: "/api/conversation/process",
      header: ("authorization", "Bearer k:3y"), body: #"{"text":"hé \"x\"","language":"de"}"#,
      make: { HomeAssistantService($0) }),
    Wanted(
      name: "susi", method: "GET",
      path: "/susi/chat.json?q=h%C3%A9%20%22x%22&timezoneOffset=0&language=de&access_token=k%3A3y",
      header: ("accept", "application/json"), body: "", make: { SUSIService($0) }),
  ]

  @Test func requestsFollowTheDocumentationOfEachService() throws {
    for wanted in Self.requests {
      let server = try HTTPServer("{}")
      let service = wanted.make(try address(server))
      #expect(service.name == wanted.name)
      var remote = try RemoteUnderstander(service, language: "de", keyFile: keyFile("k:3y\n"), timeout: 5)
      #expect(remote.interpret("hé \"x\"") == .failed(.wrongShape(service: wanted.name)))
      let request = try #require(server.requests.first)
      #expect(request["method"]?.string == wanted.method)
      let isInQuery = request["path"]?.string?.contains("3y") == true
      #expect(!isInQuery || request["headers"]?["authorization"] == nil)
      #expect(request["path"]?.string?.hasPrefix(wanted.path) == true, "\(request)")
      #expect(request["headers"]?[wanted.header.0]?.string?.hasPrefix(wanted.header.1) == true, "\(request)")
      let body = String(
        decoding: (request["body"]?.string ?? "").unicodeScalars.map { UInt8($0.value) }, as: UTF8.self)
      #expect(wanted.body.isEmpty ? body.isEmpty : body.contains(wanted.body), "\(body)")
    }
  }

  @Test func anAnswerIsUnderstood() throws {
    let server = try HTTPServer(Self.answer)
    var remote = try rasa(server)
    guard case .understood(let heard) = remote.interpret("hello") else { throw Wrong() }
    #expect(heard.intent?.name == "greet" && heard.text == "hello" && heard.language == "en")
  }

  struct Wrong: Error {}

  @Test(arguments: [400, 401, 403, 404, 429, 500, 302])
  func anErrorStatusIsReported(_ status: Int) throws {
    let server = try HTTPServer([.init(Self.answer, status: status, location: "http://127.0.0.1:1")])
    var remote = try rasa(server)
    #expect(remote.interpret("hello") == .failed(.refused(service: "rasa", status: status)))
  }

  @Test(arguments: ["", "<html>", "{\"intent\":", "[[[[", String(repeating: "{\"a\":", count: 50_000)])
  func anUnexpectedAnswerIsReported(_ body: String) throws {
    let server = try HTTPServer(body)
    var remote = try rasa(server)
    #expect(remote.interpret("hello") == .failed(.wrongShape(service: "rasa")))
  }

  @Test func slowLongAndMissingAnswersAreFaults() throws {
    let slow = try HTTPServer([.init(Self.answer, delay: 20)])
    var remote = try rasa(slow, timeout: 0.3)
    let began = MonotonicClock.now()
    guard case .failed(.network(.timedOut, "rasa")) = remote.interpret("hello") else { throw Wrong() }
    var other = try rasa(slow, timeout: 10)
    #expect(other.interpret("hello", isCancelled: { true }) == .unavailable)
    #expect(MonotonicClock.now() - began < 8)
    let endless = try HTTPServer([.init("0123456789", times: 300_000)])
    var third = try rasa(endless)
    guard case .failed(.network(.tooLarge, "rasa")) = third.interpret("hello") else { throw Wrong() }
    let gone = try WebAddress("http://127.0.0.1:1", schemes: ["http"], expected: "")
    var fourth = try RemoteUnderstander(RasaService(gone), language: "en")
    guard case .failed(.network(.unreachable, "rasa")) = fourth.interpret("hello") else { throw Wrong() }
  }

  @Test func aFailingServiceIsSkippedAndReportedOnce() throws {
    let server = try HTTPServer([
      .init(status: 500), .init(status: 500), .init(Self.answer), .init(status: 500),
    ])
    var remote = try rasa(server)
    #expect(remote.interpret("a", at: 0) == .failed(.refused(service: "rasa", status: 500)))
    #expect(remote.interpret("a", at: 1) == .unavailable)
    #expect(server.requests.count == 1)
    #expect(remote.interpret("a", at: 31) == .unavailable)
    #expect(server.requests.count == 2)
    guard case .understood = remote.interpret("a", at: 62) else { throw Wrong() }
    #expect(remote.interpret("a", at: 63) == .failed(.refused(service: "rasa", status: 500)))
  }

  @Test func theKeyIsReadAgainAndNeverPrinted() throws {
    let server = try HTTPServer(Self.answer)
    let file = try keyFile("first")
    let rasa = RasaService(try address(server), authentication: .jwt)
    var remote = try RemoteUnderstander(rasa, language: "en", keyFile: file)
    _ = remote.interpret("a")
    try Files.write(Array("second".utf8), to: file)
    _ = remote.interpret("a")
    let keys = server.requests.compactMap { $0["headers"]?["authorization"]?.string }
    #expect(keys == ["Bearer first", "Bearer second"])
    #expect(!"\(remote)".contains("second"))
    #expect(throws: RemoteFault.self) {
      try RemoteUnderstander(rasa, language: "en", keyFile: "/nonexistent/key")
    }
  }

  /// No unsigned request is sent to Amazon.
  @Test(arguments: [nil, "AKIDEXAMPLE", "AKIDEXAMPLE:", ":secret", "a:b:c:d", "a b:c", "a:b:"])
  func anInvalidKeyIsRejectedBeforeTheFirstRequest(_ key: String?) throws {
    let server = try HTTPServer("{}")
    let lex = LexService(try address(server), bot: "b", alias: "a", region: "us-east-1")
    let fault = thrown(RemoteFault.self) {
      try RemoteUnderstander(lex, language: "en", keyFile: key.map(keyFile))
    }
    #expect(fault?.exitCode == .configuration)
    #expect(fault?.message.contains("ACCESS:SECRET") == true && fault?.message.contains("secret") == false)
    let file = try keyFile("a:b")
    var remote = try RemoteUnderstander(lex, language: "en", keyFile: file)
    try Files.write(Array((key ?? "x").utf8), to: file)
    guard case .failed(.badKey("lex", _)) = remote.interpret("hello") else { throw Wrong() }
    #expect(server.requests.isEmpty)
  }

  /// Two services need the state of the conversation in each request.
  @Test func conversationStateIsSentBack() throws {
    let context =
      #"{"global":{"session_id":"s1","system":{"state":"eyJ","turn_count":1}},"skills":{"a":[1.5,null]}}"#
    let watson = try HTTPServer(#"{"output":{"generic":[],"intents":[]},"context":\#(context)}"#)
    var remote = try RemoteUnderstander(
      WatsonService(address(watson), assistant: "a", environment: "e"), language: "en", timeout: 5)
    for _ in 0..<2 { guard case .understood = remote.interpret("hello") else { throw Wrong() } }
    let bodies = try watson.requests.map { try body(of: $0) }
    #expect(bodies[0]["context"] == nil && bodies[0]["user_id"] == bodies[1]["user_id"])
    #expect(try bodies[1]["context"] == JSON(parsing: Array(context.utf8), what: "context"))

    let home = try HTTPServer(
      #"{"response":{"response_type":"query_answer","data":{},"speech":{}},"conversation_id":"01HX"}"#)
    var other = try RemoteUnderstander(HomeAssistantService(address(home)), language: "en", timeout: 5)
    for _ in 0..<2 { guard case .understood = other.interpret("hello") else { throw Wrong() } }
    other.startConversation()
    guard case .understood = other.interpret("hello") else { throw Wrong() }
    let names = try home.requests.map { try body(of: $0)["conversation_id"] }
    #expect(names == [nil, "01HX", nil])
  }

  private func body(of request: JSON) throws -> JSON {
    try JSON(parsing: Array((request["body"]?.string ?? "").utf8), what: "body")
  }
}

@Suite(.limited) struct RemoteDialogueTests {
  private let intents = """
    language: en
    intents:
      Light: {data: [{sentences: ["lights on"]}]}
      Door: {data: [{sentences: ["open the door"]}], voice: enrolled}
      Oven: {data: [{sentences: ["start the oven"]}], confirm: "Start the oven?"}
    """

  private func dialogue(_ server: HTTPServer) throws -> RemoteDialogue {
    let file = try IntentFile(parsing: Array(intents.utf8), name: "intents.yaml")
    let service = RasaService(try WebAddress(server.url, schemes: ["http"], expected: ""))
    return RemoteDialogue(
      try DialogueStateMachine(Understander(file)),
      service: try RemoteUnderstander(service, language: "en", timeout: 1))
  }

  @Test func aConversationWithAServiceTimesOut() throws {
    let spoken =
      #"{"response":{"response_type":"query_answer","data":{},"speech":{"plain":{"speech":"Which room?"}}},"conversation_id":"c1","continue_conversation":true}"#
    let server = try HTTPServer(spoken)
    let file = try IntentFile(parsing: Array(intents.utf8), name: "intents.yaml")
    let fresh = try DialogueStateMachine(Understander(file))
    let service = HomeAssistantService(try WebAddress(server.url, schemes: ["http"], expected: ""))
    var dialogue = RemoteDialogue(
      fresh, service: try RemoteUnderstander(service, language: "en", timeout: 5))
    let asked = dialogue.process("turn on the light", at: 0) { _ in }
    guard case .ask(let question) = asked else { throw Wrong() }
    #expect(question.prompt == "Which room?" && question.reply == nil && question.status == .needsValue)
    for time in [5.0, 10_000] { _ = dialogue.process("the kitchen", at: time) { _ in } }
    dialogue.restart(with: fresh)
    _ = dialogue.process("the kitchen", at: 10_001) { _ in }
    let names = server.requests.map { $0["body"]?.string?.contains("conversation_id") }
    #expect(names == [false, true, false, false])
  }

  struct Wrong: Error {}

  private func answer(_ intent: String) -> HTTPServer.Answer {
    .init(#"{"intent":{"name":"\#(intent)","confidence":1},"entities":[]}"#)
  }

  @Test func theIntentFileIsTheFallbackOfAService() throws {
    let server = try HTTPServer([answer("Greet"), .init(status: 500)])
    var dialogue = try dialogue(server)
    var told: [RemoteFault] = []
    let first = dialogue.process("lights on", at: 0) { told.append($0) }
    #expect(first.interpretation.intent?.name == "Greet" && told.isEmpty)
    for _ in 0..<2 {
      let second = dialogue.process("lights on", at: 1) { told.append($0) }
      #expect(second.interpretation.intent?.name == "Light")
    }
    #expect(told == [.refused(service: "rasa", status: 500)])
  }

  @Test func aServiceCannotBypassRequirements() throws {
    let server = try HTTPServer([answer("Door"), answer("Oven"), answer("Light")])
    var dialogue = try dialogue(server)
    let door = dialogue.process("let me in", at: 0) { _ in }
    #expect(door.interpretation.status == .notUnderstood)
    let oven = dialogue.process("start the oven", at: 1) { _ in }
    #expect(oven.interpretation.status == .needsConfirmation)
    // An answer to a local question is interpreted locally.
    let yes = dialogue.process("yes", at: 2) { _ in }
    #expect(yes.interpretation.intent?.name == "Oven" && yes.interpretation.status == .ready)
    #expect(server.requests.count == 2)
  }
}
