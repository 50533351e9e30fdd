import Networking
import Platform
import Understanding

/// IBM Watson Assistant, version 2: stateless messages, each with the context of the previous answer.
///
/// The key is the API key (`apikey`).
public struct WatsonService: UnderstandingService {
  static let version = "2023-06-15"

  public let name = "watson"
  /// The address of the instance, such as `https://api.REGION.assistant.watson.cloud.ibm.com/instances/ID`.
  public let address: WebAddress
  public let assistant: String
  public let environment: String

  public init(_ address: WebAddress, assistant: String, environment: String) {
    self.address = address
    self.assistant = assistant
    self.environment = environment
  }

  public func request(_ text: String, _ context: ServiceRequestContext) -> HTTPRequest {
    let parts = [assistant, environment].map(PercentEncoding.encode)
    let path = "/v2/assistants/\(parts[0])/environments/\(parts[1])/message"
    let input: JSON = [
      "message_type": "text", "text": .string(text), "options": ["alternate_intents": true],
    ]
    let key = context.key.map { Base64.encode(Array("apikey:\($0.text)".utf8)) }
    var body = [JSON.Member("input", input), JSON.Member("user_id", .string(context.session))]
    if let context = context.conversationState { body.append(JSON.Member("context", context)) }
    return .post(
      address.appending(path).appending(query: [("version", Self.version)]), .object(body),
      headers: key.map { [HTTPRequest.Header("Authorization", "Basic \($0)")] } ?? [])
  }

  public func conversationState(of answer: JSON) -> JSON? {
    guard let context = answer["context"], context.members != nil else { return nil }
    return context
  }

  public func interpretation(of text: String, language: String, answer: JSON) -> Interpretation? {
    guard let output = answer["output"], let intents = output["intents"]?.array else { return nil }
    var builder = InterpretationBuilder(text, language: language)
    let generic = output["generic"]?.array?.prefix(InterpretationBuilder.limit) ?? []
    builder.setReply(generic.compactMap { $0["text"]?.string }.joined(separator: " "))
    let guesses = intents.prefix(InterpretationBuilder.limit).compactMap {
      InterpretationBuilder.guess($0["intent"], $0["confidence"])
    }
    if let best = guesses.first {
      let question = generic.first { ["suggestion", "option"].contains($0["response_type"]?.string) }
      builder.setIntent(best, status: question == nil ? .ready : .needsDisambiguation, others: guesses)
      builder.setPrompt(question.map(Self.words))
    }
    for entity in output["entities"]?.array?.prefix(InterpretationBuilder.limit) ?? [] {
      let place = entity["location"]?.array ?? []
      builder.addSlot(
        entity["entity"]?.string, entity["value"] ?? .null,
        range: place.count == 2 ? (place[0], place[1]) : (nil, nil), confidence: entity["confidence"])
    }
    return builder.interpretation
  }

  /// The question with its choices.
  private static func words(_ question: JSON) -> String {
    let choices = (question["suggestions"] ?? question["options"])?.array?.prefix(10) ?? []
    let labels = choices.compactMap { $0["label"]?.string }.joined(separator: ", ")
    return "\(question["title"]?.string ?? "") \(labels)"
  }
}
