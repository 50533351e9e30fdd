import Actions
import Networking
import Platform
import Understanding
import YAMLFormat

@testable import HomeAssistant
@testable import RemoteServices

/// What services in the network answer: those that understand language, recognize speech and carry out intents, and a home with its names.
struct ServiceAnswers {
  private static let text = "wake me at nine in the kitchen"

  private let services: [any UnderstandingService]
  private let sentences: SentenceSet

  init() throws {
    let address = try WebAddress("https://host", schemes: ["https"], expected: "")
    services = [
      AzureService(address, project: "p", deployment: "d"), DialogflowService(address, project: "p"),
      HomeAssistantService(address), LUISService(address, application: "a"), RasaService(address),
      LexService(address, bot: "b", alias: "a", region: "r"), SUSIService(address), WitService(address),
      WatsonService(address, assistant: "a", environment: "e"),
    ]
    sentences = try SentenceSet(language: "en", in: "Tests/HomeAssistantTests/Fixtures", own: nil)
  }

  func take(_ bytes: [UInt8]) {
    _ = try? Answer(output: bytes)
    _ = VoskReply(String(decoding: bytes, as: UTF8.self))
    guard let answer = try? JSON(parsing: bytes) else { return }
    for service in services {
      _ = service.conversationState(of: answer)
      guard let meaning = service.interpretation(of: Self.text, language: "en", answer: answer) else {
        continue
      }
      let length = Self.text.unicodeScalars.count
      for slot in meaning.slots {
        precondition((0...1).contains(slot.confidence) && (slot.range?.upperBound ?? 0) <= length)
      }
      precondition((try? JSON(parsing: Array(meaning.json.description.utf8))) == meaning.json)
    }
  }

  /// The names of a home, whatever they are, make an intent file that can be used.
  func takeHome(_ bytes: [UInt8]) throws {
    guard let results = try? JSON(parsing: bytes) else { return }
    func result(_ name: String) -> JSON { results[name] ?? .null }
    let home = Home(
      floors: result("floors"), areas: result("areas"), states: result("states"), exposed: result("exposed"),
      entries: result("entries"), registered: result("registered"), devices: result("devices"))
    let text = YAMLWriter.text(of: HomeIntents.file(for: home, sentences))
    let file = try IntentFile(parsing: Array(text.utf8), name: "home")
    _ = try Understander(file)
    Parser.checkGrammar(of: file)
  }
}
