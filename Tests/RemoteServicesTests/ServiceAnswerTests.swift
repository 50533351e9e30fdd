import Networking
import Platform
import RemoteServices
import TestServers
import Testing
import Understanding

private let address = try! WebAddress("https://host", schemes: ["https"], expected: "")

/// Each service with a text; its answer, from its documentation, is the file of its name in `Fixtures/answers`.
private let services: [(service: any UnderstandingService, text: String)] = [
  (DialogflowService(address, project: "p"), "book a room for two"),
  (WitService(address), "wake me at nine in the kitchen"),
  (AzureService(address, project: "p", deployment: "d"), "träum send mail to Ann"),
  (LUISService(address, application: "a"), "forward to frank"),
  (LexService(address, bot: "b", alias: "a", region: "us-east-1"), "two pizzas"),
  (WatsonService(address, assistant: "a", environment: "e"), "turn on the light"),
  (RasaService(address), "fly from Rome to Bonn"),
  (HomeAssistantService(address), "turn on the lights"),
  (SUSIService(address), "tell me a joke"),
]

private func meaning(_ index: Int, _ answer: String? = nil) throws -> Interpretation? {
  let (service, text) = services[index]
  let json = try answer.map { try JSON(parsing: Array($0.utf8), what: "the answer") } ?? shown(service)
  return service.interpretation(of: text, language: "en", answer: json)
}

private func shown(_ service: any UnderstandingService) throws -> JSON {
  let folder = #filePath.dropLast("/ServiceAnswerTests.swift".count) + "/Fixtures/answers"
  return try JSON(parsing: Files.read("\(folder)/\(service.name).json"), what: service.name)
}

@Suite(.limited) struct ServiceAnswerTests {
  @Test func dialogflow() throws {
    let heard = try #require(try meaning(0))
    #expect(heard.status == .ready && heard.intent?.name == "BookRoom" && heard.intent?.confidence == 0.8)
    #expect(heard["guests"]?.value == 2 && heard["room"]?.value["kind"] == "double" && heard.slots.count == 2)
    #expect(heard.reply == "Booked.")
    let asking = try meaning(
      0,
      """
      {"queryResult":{"parameters":{"guests":""},"allRequiredParamsPresent":false,"fulfillmentText":"How many?","intent":
      {"displayName":"BookRoom"},"intentDetectionConfidence":1}}
      """)
    #expect(asking?.status == .needsValue && asking?.prompt == "How many?" && asking?.reply == nil)
    let lost = try meaning(
      0, #"{"queryResult":{"fulfillmentText":"What?","intent":{"displayName":"F","isFallback":true}}}"#)
    #expect(lost?.status == .notUnderstood && lost?.intent == nil && lost?.reply == "What?")
  }

  @Test func wit() throws {
    let heard = try #require(try meaning(1))
    #expect(heard.intent?.name == "alarm" && heard.ranking.map(\.name) == ["alarm", "timer"])
    #expect(heard["when"]?.text == "at nine" && heard["when"]?.range == 8..<15)
    #expect(heard["room"]?.confidence == 1)
    #expect(try meaning(1, #"{"text":"x","intents":[],"entities":{},"traits":{}}"#)?.status == .notUnderstood)
  }

  @Test func azure() throws {
    let heard = try #require(try meaning(2))
    #expect(heard.intent?.name == "Send" && heard["Contact"]?.value == "ann")
    #expect(heard["Contact"]?.range == 19..<22 && heard["Contact"]?.text == "Ann")
    let none =
      #"{"result":{"prediction":{"topIntent":"None","intents":[{"category":"None","confidenceScore":1}]}}}"#
    #expect(try meaning(2, none)?.status == .notUnderstood)
  }

  @Test func luis() throws {
    let heard = try #require(try meaning(3))
    #expect(heard.intent?.name == "Forward" && heard.intent?.confidence == 0.7)
    #expect(
      heard["name"]?.range == 11..<16 && heard["name"]?.confidence == 0.6 && heard["list"]?.value == "key")
  }

  @Test func lex() throws {
    let heard = try #require(try meaning(4))
    #expect(heard.status == .needsValue && heard.prompt == "What size?" && heard.reply == nil)
    #expect(heard.intent?.confidence == 0.95 && heard.ranking.count == 1)
    #expect(heard["Count"]?.value == "2" && heard["Count"]?.text == "two" && heard["Size"] == nil)
    #expect(heard["Tops"]?.value == ["ham"])
    func state(_ type: String, _ state: String = "InProgress", name: String = "Order") throws
      -> Interpretation?
    {
      try meaning(
        4,
        #"{"messages":[{"content":"m"}],"sessionState":{"dialogAction":{"type":"\#(type)"},"intent":{"name":"\#(name)","state":"\#(state)"}}}"#
      )
    }
    #expect(try state("ConfirmIntent")?.status == .needsConfirmation)
    #expect(try state("Close", "Fulfilled")?.status == .ready)
    #expect(try state("Close", "Fulfilled")?.reply == "m")
    #expect(try state("Close", "Failed")?.status == .unsupported)
    #expect(try state("ElicitIntent")?.status == .notUnderstood)
    #expect(try state("Close", name: "FallbackIntent")?.status == .notUnderstood)
    let locales = ["en", "de", "pt", "en-GB", "fr_CA"].map { language in
      try? LexService(address, bot: "b", alias: "a", region: "r")
        .request("x", ServiceRequestContext(language: language, session: "s", key: Secret("a:b"))).address
        .target
        .split(separator: "/").dropFirst(5).first.map(String.init)
    }
    #expect(locales == ["en_US", "de_DE", "pt_BR", "en_GB", "fr_CA"])
  }

  @Test func watson() throws {
    let heard = try #require(try meaning(5))
    #expect(heard.intent?.name == "turn_on" && heard.reply == "Done." && heard["appliance"]?.range == 12..<17)
    let unsure = """
      {"output":{"generic":[{"response_type":"suggestion","title":"Did you mean:","suggestions":[{"label":"lights"},
      {"label":"heating"}]}],"intents":[{"intent":"a","confidence":0.5}],"entities":[]}}
      """
    #expect(try meaning(5, unsure)?.status == .needsDisambiguation)
    #expect(try meaning(5, unsure)?.prompt == "Did you mean: lights, heating")
    #expect(try meaning(5, #"{"output":{"generic":[{"text":"Sorry?"}],"intents":[]}}"#)?.reply == "Sorry?")
  }

  @Test func rasa() throws {
    let heard = try #require(try meaning(6))
    #expect(heard.ranking.map(\.name) == ["fly", "greet"] && heard["from"]?.text == "Rome")
    #expect(heard["from"]?.confidence == 0.8 && heard["city"]?.value == "Bonn")
    #expect(try meaning(6, #"{"intent":{"name":null,"confidence":0}}"#)?.status == .notUnderstood)
    #expect(try meaning(6, #"{"intent":{"name":"nlu_fallback","confidence":0.3}}"#)?.status == .notUnderstood)
  }

  @Test func homeAssistant() throws {
    let heard = try #require(try meaning(7))
    #expect(heard.status == .ready && heard.reply == "Turned on" && heard["target"]?.value == "light.lamp")
    func error(_ code: String) throws -> Interpretation? {
      try meaning(
        7,
        #"{"response":{"response_type":"error","data":{"code":"\#(code)"},"speech":{"plain":{"speech":"No."}}}}"#
      )
    }
    #expect(try error("no_intent_match")?.status == .notUnderstood)
    #expect(try error("no_valid_targets")?.status == .unsupported)
    #expect(try error("no_valid_targets")?.reply == "No.")
  }

  @Test func susi() throws {
    let heard = try #require(try meaning(8))
    #expect(heard.reply == "Knock knock." && heard.intent?.name == "Susi")
    let actions = try #require(heard["actions"]?.value.array)
    #expect(actions.compactMap { $0["type"]?.string } == ["answer", "piechart", "never_heard_of"])
    #expect(actions.last?["x"] == [1] && heard["data"]?.value.array?.count == 1)
    #expect(try meaning(8, #"{"answers":[]}"#)?.status == .notUnderstood)
  }

  /// A malformed answer is rejected, or its invalid values are dropped.
  @Test func malformedAnswersAreRejected() throws {
    for index in services.indices {
      for body in [
        "{}", "[]", "null", "7", #""text""#, #"{"queryResult":3,"output":[],"answers":{},"intent":7}"#,
      ] {
        #expect(try meaning(index, body) == nil, "\(services[index].service.name): \(body)")
      }
      let shown = try shown(services[index].service)
      for poison in poisons {
        for victim in 0..<60 {
          var count = victim
          let bad = replace(shown, &count, with: poison)
          guard
            let heard = services[index].service.interpretation(
              of: services[index].text, language: "en", answer: bad)
          else { continue }
          check(heard, services[index].text)
        }
      }
    }
  }

  private let poisons: [JSON] = [
    nil, -1, 1e300, "", "\u{1B}[2J\u{7}\n", [], [:], .string(String(repeating: "a", count: 50_000)),
    .array((0..<1_000).map { .number(Double($0)) }),
  ]

  /// `json` with its `count`-th value replaced.
  private func replace(_ json: JSON, _ count: inout Int, with poison: JSON) -> JSON {
    count -= 1
    if count == -1 { return poison }
    switch json {
    case .array(let values): return .array(values.map { replace($0, &count, with: poison) })
    case .object(let members):
      return .object(members.map { JSON.Member($0.name, replace($0.value, &count, with: poison)) })
    default: return json
    }
  }

  private func check(_ heard: Interpretation, _ text: String) {
    let texts =
      [heard.reply, heard.prompt, heard.intent?.name] + heard.slots.map(\.name) + heard.slots.map(\.text)
    for text in texts.compactMap({ $0 }) {
      #expect(text.count <= 2_100 && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F })
    }
    let count = text.unicodeScalars.count
    #expect(heard.slots.count <= 100 && heard.ranking.count <= 101)
    #expect(heard.slots.allSatisfy { $0.range.map { $0.upperBound <= count } ?? true })
    #expect(
      (heard.slots.map(\.confidence) + heard.ranking.map(\.confidence)).allSatisfy { (0...1).contains($0) })
    #expect(heard.json.description.utf8.count < 2_000_000)
  }
}
