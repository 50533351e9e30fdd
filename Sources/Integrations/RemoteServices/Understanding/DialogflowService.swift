import Networking
import Platform
import Understanding

/// Google Dialogflow ES, version 2: `detectIntent`. The key is an OAuth 2 access token, which ``ServiceKey`` obtains for
/// a service account.
public struct DialogflowService: UnderstandingService {
  public let name = "dialogflow"
  /// Such as `https://dialogflow.googleapis.com`.
  public let address: WebAddress
  public let project: String

  public init(_ address: WebAddress, project: String) {
    self.address = address
    self.project = project
  }

  public func request(_ text: String, _ context: ServiceRequestContext) -> HTTPRequest {
    let project = PercentEncoding.encode(project)
    let path = "/v2/projects/\(project)/agent/sessions/\(context.session):detectIntent"
    let query: JSON = ["text": ["text": .string(text), "languageCode": .string(context.language)]]
    return .post(address.appending(path), ["queryInput": query], headers: context.bearer)
  }

  public func interpretation(of text: String, language: String, answer: JSON) -> Interpretation? {
    guard let result = answer["queryResult"], result.members != nil else { return nil }
    var builder = InterpretationBuilder(text, language: language)
    let words = result["fulfillmentText"]?.string ?? Self.text(of: result["fulfillmentMessages"])
    builder.setReply(words)
    guard let intent = result["intent"], intent["isFallback"]?.bool != true else {
      return builder.interpretation
    }
    guard let guess = InterpretationBuilder.guess(intent["displayName"], result["intentDetectionConfidence"])
    else {
      return nil
    }
    let isComplete = result["allRequiredParamsPresent"]?.bool ?? true
    builder.setIntent(guess, status: isComplete ? .ready : .needsValue)
    if !isComplete {
      builder.setPrompt(words)
      builder.setReply(nil)
    }
    for parameter in result["parameters"]?.members ?? [] where parameter.value != "" && parameter.value != []
    {
      builder.addSlot(parameter.name, parameter.value)
    }
    return builder.interpretation
  }

  private static func text(of messages: JSON?) -> String? {
    messages?.array?.prefix(InterpretationBuilder.limit).compactMap {
      $0["text"]?["text"]?.array?.first?.string
    }
    .first
  }
}
