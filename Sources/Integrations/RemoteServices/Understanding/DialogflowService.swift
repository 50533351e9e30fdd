import Networking
import Platform
import Understanding

/// Google's Dialogflow ES, version 2: `detectIntent`. The key is an access token of OAuth 2, which a service account
/// is exchanged for.
public struct DialogflowService: UnderstandingService {
  public let name = "dialogflow"
  /// Such as `https://dialogflow.googleapis.com`.
  public let address: WebAddress
  public let project: String

  public init(_ address: WebAddress, project: String) {
    self.address = address
    self.project = project
  }

  public func request(_ text: String, _ occasion: ServiceOccasion) -> HTTPRequest {
    let project = PercentEncoding.encode(project)
    let path = "/v2/projects/\(project)/agent/sessions/\(occasion.session):detectIntent"
    let query: JSON = ["text": ["text": .string(text), "languageCode": .string(occasion.language)]]
    return .post(address.appending(path), ["queryInput": query], headers: occasion.bearer)
  }

  public func meaning(of text: String, language: String, answer: JSON) -> Interpretation? {
    guard let result = answer["queryResult"], result.members != nil else { return nil }
    var meaning = ServiceAnswer(text, language: language)
    let words = result["fulfillmentText"]?.string ?? Self.text(of: result["fulfillmentMessages"])
    meaning.reply(words)
    guard let intent = result["intent"], intent["isFallback"]?.bool != true else {
      return meaning.interpretation
    }
    guard let guess = ServiceAnswer.guess(intent["displayName"], result["intentDetectionConfidence"]) else {
      return nil
    }
    let isComplete = result["allRequiredParamsPresent"]?.bool ?? true
    meaning.understand(guess, status: isComplete ? .ready : .needsValue)
    if !isComplete {
      meaning.prompt(words)
      meaning.reply(nil)
    }
    for parameter in result["parameters"]?.members ?? [] where parameter.value != "" && parameter.value != []
    {
      meaning.fill(parameter.name, parameter.value)
    }
    return meaning.interpretation
  }

  private static func text(of messages: JSON?) -> String? {
    messages?.array?.prefix(ServiceAnswer.limit).compactMap { $0["text"]?["text"]?.array?.first?.string }
      .first
  }
}
