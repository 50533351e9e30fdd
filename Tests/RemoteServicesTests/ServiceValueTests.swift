import Networking
import Platform
import RemoteServices
import TestServers
import Testing
import Understanding

private let address = try! WebAddress("https://host", schemes: ["https"], expected: "")

/// Values of slots in the answers of services.
@Suite(.limited) struct ServiceValueTests {
  private func heard(
    _ service: any UnderstandingService, _ text: String, _ answer: String
  ) throws -> Interpretation {
    let json = try JSON(parsing: Array(answer.utf8), what: "the answer")
    return try #require(service.interpretation(of: text, language: "en", answer: json))
  }

  /// The last entity comes first, as from a service with several extractors.
  private static let doubles: [(service: any UnderstandingService, answer: String)] = [
    (
      RasaService(address),
      """
      {"intent":{"name":"add","confidence":1},"entities":[{"entity":"item","value":"eggs","start":9,"end":13,
      "confidence_entity":0.7},{"entity":"item","value":"milk","start":0,"end":4,"confidence_entity":0.9},
      {"entity":"item","value":"milk","start":0,"end":4,"confidence_entity":0.8,"extractor":"Regex"}]}
      """
    ),
    (
      WitService(address),
      """
      {"intents":[{"name":"add","confidence":1}],"entities":{"item:item":[{"value":"eggs","start":9,"end":13,
      "confidence":0.7},{"value":"milk","start":0,"end":4,"confidence":0.9}]}}
      """
    ),
    (
      AzureService(address, project: "p", deployment: "d"),
      """
      {"result":{"prediction":{"topIntent":"add","intents":[{"category":"add","confidenceScore":1}],"entities":[
      {"category":"item","text":"eggs","offset":9,"length":4,"confidenceScore":0.7},
      {"category":"item","text":"milk","offset":0,"length":4,"confidenceScore":0.9}]}}}
      """
    ),
    (
      LUISService(address, application: "a"),
      """
      {"prediction":{"topIntent":"add","intents":{"add":{"score":1}},"entities":{"item":["eggs","milk"],"$instance":
      {"item":[{"startIndex":9,"length":4,"score":0.7},{"startIndex":0,"length":4,"score":0.9}]}}}}
      """
    ),
    (
      WatsonService(address, assistant: "a", environment: "e"),
      """
      {"output":{"generic":[],"intents":[{"intent":"add","confidence":1}],"entities":[{"entity":"item","value":"eggs",
      "location":[9,13],"confidence":0.7},{"entity":"item","value":"milk","location":[0,4],"confidence":0.9}]}}
      """
    ),
  ]

  @Test func severalValuesWithOneNameAreOneSlot() throws {
    for (service, answer) in Self.doubles {
      let meaning = try heard(service, "milk and eggs", answer)
      #expect(meaning.slots.count == 1, "\(service.name)")
      let slot = try #require(meaning["item"])
      #expect(slot.value == ["milk", "eggs"], "\(service.name)")
      #expect(slot.text == "milk and eggs" && slot.range == 0..<13 && slot.confidence == 0.7)
    }
  }

  @Test func severalValuesWithoutARangeAreOneSlot() throws {
    let meaning = try heard(
      AzureService(address, project: "p", deployment: "d"), "milk and eggs",
      """
      {"result":{"prediction":{"topIntent":"add","intents":[{"category":"add"}],"entities":[
      {"category":"item","text":"milk"},{"category":"item","text":"eggs"},{"category":"item","text":"milk"}]}}}
      """)
    #expect(meaning.slots.map(\.value) == [["milk", "eggs"]] && meaning["item"]?.range == nil)
    #expect(meaning["item"]?.text == "milk eggs milk")
  }

  @Test func intervalsOfWitHaveTwoEnds() throws {
    let meaning = try heard(
      WitService(address), "from five to seven",
      """
      {"intents":[{"name":"book","confidence":1}],"entities":{
      "wit$datetime:when":[{"body":"from five to seven","start":0,"end":18,"type":"interval",
      "from":{"grain":"hour","value":"2026-11-23T17:00"},"to":{"grain":"hour","value":"2026-11-23T19:00"},"values":[]}],
      "wit$datetime:since":[{"body":"from five","type":"interval","from":{"grain":"hour","value":"2026-11-23T17:00"}}],
      "wit$datetime:day":[{"body":"seven","type":"value","values":[{"type":"value","value":"2026-11-24"},
      {"type":"value","value":"2026-11-25"}]}],
      "wit$datetime:evening":[{"body":"five","values":[{"type":"interval","to":{"value":"19:00"}}]}],
      "odd:odd":[{"body":"five","values":[]}]},
      "traits":{"wit$sentiment":[{"id":"1","value":"positive","confidence":0.62}],"empty":[],"odd":7}}
      """)
    #expect(meaning["when"]?.value == ["from": "2026-11-23T17:00", "to": "2026-11-23T19:00"])
    #expect(meaning["when"]?.text == "from five to seven")
    #expect(meaning["since"]?.value == ["from": "2026-11-23T17:00"])
    #expect(meaning["day"]?.value == "2026-11-24" && meaning["evening"]?.value == ["to": "19:00"])
    #expect(meaning["odd"]?.value == "five")
    #expect(meaning.json["traits"] == ["wit$sentiment": ["value": "positive", "confidence": 0.62]])
  }

  @Test func readsVersion2OfLUIS() throws {
    let meaning = try heard(
      LUISService(address, application: "a"), "send frank 30 dollars on monday, twice",
      """
      {"query":"q","topScoringIntent":{"intent":"Send","score":0.98},"intents":[{"intent":"Send","score":0.98},
      {"intent":"None","score":0.01}],"entities":[
      {"entity":"frank","type":"PersonName","role":"","startIndex":5,"endIndex":9,"score":0.9,"resolution":
      {"values":["Frank S"]}},
      {"entity":"30 dollars","type":"builtin.currency","startIndex":11,"endIndex":20,"resolution":
      {"unit":"Dollar","value":"30"}},
      {"entity":"monday","type":"builtin.datetimeV2.date","role":"day","startIndex":25,"endIndex":30,"resolution":
      {"values":[{"timex":"XXXX-WXX-1","type":"date","value":"2026-11-16"},
      {"timex":"XXXX-WXX-1","type":"date","value":"2026-11-23"}]}},
      {"entity":"twice","type":"Often","startIndex":33,"endIndex":37,"score":0.5},
      {"entity":"x","type":"builtin.datetimeV2.daterange","startIndex":0,"endIndex":0,"resolution":
      {"values":[{"type":"daterange","start":"2026-11-23","end":"2026-11-30"}]}},
      {"entity":"7","type":"builtin.number","startIndex":0,"endIndex":0,"resolution":{"value":"7"}}]}
      """)
    #expect(meaning.intent?.name == "Send" && meaning.ranking.map(\.name) == ["Send", "None"])
    #expect(meaning["PersonName"]?.value == "Frank S" && meaning["PersonName"]?.range == 5..<10)
    #expect(meaning["PersonName"]?.text == "frank" && meaning["Often"]?.value == "twice")
    #expect(meaning["currency"]?.value == ["number": 30, "units": "Dollar"])
    #expect(meaning["day"]?.value == "2026-11-23" && meaning["number"]?.value == 7)
    #expect(meaning["datetimeV2.daterange"]?.value == ["from": "2026-11-23", "to": "2026-11-30"])
    let none = #"{"query":"q","topScoringIntent":{"intent":"None","score":0.98},"intents":[],"entities":[]}"#
    #expect(try heard(LUISService(address, application: "a"), "q", none).status == .notUnderstood)
  }

  @Test func slotsHoldTheTargetsOfHomeAssistant() throws {
    let meaning = try heard(
      HomeAssistantService(address), "turn on the lights in the living room",
      """
      {"response":{"response_type":"action_done","data":{"targets":[{"type":"area","name":"Living Room","id":
      "living_room"},{"type":"domain","name":"light","id":"light"}],"success":[{"type":"entity","name":"Lamp","id":
      "light.lamp"},{"type":"entity","name":"Floor lamp","id":"light.floor"}],"failed":[{"type":"entity","name":"Old",
      "id":"light.old"}]},"speech":{"plain":{"speech":"Turned on the lights"}}},"conversation_id":"c",
      "continue_conversation":false}
      """)
    #expect(meaning["area"]?.value == "Living Room" && meaning["domain"]?.value == "light")
    #expect(meaning["target"]?.value == ["light.lamp", "light.floor"])
    #expect(meaning["failed"]?.value == "light.old")
    #expect(meaning.status == .ready && meaning.reply == "Turned on the lights" && meaning.prompt == nil)
  }
}
