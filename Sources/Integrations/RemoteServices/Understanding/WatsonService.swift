import Networking
import Platform
import Understanding

/// IBM's Watson Assistant, version 2: messages without a session, each with the context of the answer before.
///
/// The key is that of the interface (`apikey`).
public struct WatsonService: UnderstandingService {
  static let version = "2023-06-15"

  public let name = "watson"
  /// The instance's address, such as `https://api.REGION.assistant.watson.cloud.ibm.com/instances/ID`.
  public let address: WebAddress
  public let assistant: String
  public let environment: String

  public init(_ address: WebAddress, assistant: String, environment: String) {
    self.address = address
    self.assistant = assistant
    self.environment = environment
  }

  public func request(_ text: String, _ occasion: ServiceOccasion) -> HTTPRequest {
    let parts = [assistant, environment].map(PercentEncoding.encode)
    let path = "/v2/assistants/\(parts[0])/environments/\(parts[1])/message"
    let input: JSON = [
      "message_type": "text", "text": .string(text), "options": ["alternate_intents": true],
    ]
    let key = occasion.key.map { Base64.encode(Array("apikey:\($0.text)".utf8)) }
    var body = [JSON.Member("input", input), JSON.Member("user_id", .string(occasion.session))]
    if let context = occasion.memory { body.append(JSON.Member("context", context)) }
    return .post(
      address.appending(path).appending(query: [("version", Self.version)]), .object(body),
      headers: key.map { [HTTPRequest.Header("Authorization", "Basic \($0)")] } ?? [])
  }

  public func memory(of answer: JSON) -> JSON? {
    guard let context = answer["context"], context.members != nil else { return nil }
    return context
  }

  public func meaning(of text: String, language: String, answer: JSON) -> Interpretation? {
    guard let output = answer["output"], let intents = output["intents"]?.array else { return nil }
    var meaning = ServiceAnswer(text, language: language)
    let generic = output["generic"]?.array?.prefix(ServiceAnswer.limit) ?? []
    meaning.reply(generic.compactMap { $0["text"]?.string }.joined(separator: " "))
    let guesses = intents.prefix(ServiceAnswer.limit).compactMap {
      ServiceAnswer.guess($0["intent"], $0["confidence"])
    }
    if let best = guesses.first {
      let question = generic.first { ["suggestion", "option"].contains($0["response_type"]?.string) }
      meaning.understand(best, status: question == nil ? .ready : .needsDisambiguation, others: guesses)
      meaning.prompt(question.map(Self.words))
    }
    for entity in output["entities"]?.array?.prefix(ServiceAnswer.limit) ?? [] {
      let place = entity["location"]?.array ?? []
      meaning.fill(
        entity["entity"]?.string, entity["value"] ?? .null,
        range: place.count == 2 ? (place[0], place[1]) : (nil, nil), confidence: entity["confidence"])
    }
    return meaning.interpretation
  }

  /// The question with what can be chosen.
  private static func words(_ question: JSON) -> String {
    let choices = (question["suggestions"] ?? question["options"])?.array?.prefix(10) ?? []
    let labels = choices.compactMap { $0["label"]?.string }.joined(separator: ", ")
    return "\(question["title"]?.string ?? "") \(labels)"
  }
}
