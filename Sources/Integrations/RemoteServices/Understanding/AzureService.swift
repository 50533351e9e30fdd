import Networking
import Platform
import Understanding

/// Microsoft's conversational language understanding (CLU): `analyze-conversations`.
public struct AzureService: UnderstandingService {
  static let version = "2023-04-01"

  public let name = "azure"
  /// The endpoint of the resource, such as `https://NAME.cognitiveservices.azure.com`.
  public let address: WebAddress
  public let project: String
  public let deployment: String

  public init(_ address: WebAddress, project: String, deployment: String) {
    self.address = address
    self.project = project
    self.deployment = deployment
  }

  public func request(_ text: String, _ context: ServiceRequestContext) -> HTTPRequest {
    let item: JSON = [
      "id": "1", "participantId": .string(context.session), "text": .string(text),
      "language": .string(context.language),
    ]
    let parameters: JSON = [
      "projectName": .string(project), "deploymentName": .string(deployment),
      "stringIndexType": "UnicodeCodePoint",
    ]
    let body: JSON = [
      "kind": "Conversation", "analysisInput": ["conversationItem": item], "parameters": parameters,
    ]
    let target = address.appending("/language/:analyze-conversations").appending(query: [
      ("api-version", Self.version)
    ])
    return .post(target, body, headers: context.header("Ocp-Apim-Subscription-Key"))
  }

  public func interpretation(of text: String, language: String, answer: JSON) -> Interpretation? {
    guard let prediction = answer["result"]?["prediction"], let intents = prediction["intents"]?.array else {
      return nil
    }
    var builder = InterpretationBuilder(text, language: language)
    let guesses = intents.prefix(InterpretationBuilder.limit).compactMap {
      InterpretationBuilder.guess($0["category"], $0["confidenceScore"])
    }
    let top = prediction["topIntent"]?.string
    if let best = guesses.first(where: { $0.name == top && $0.name != "None" }) {
      builder.setIntent(best, others: guesses)
    }
    for entity in prediction["entities"]?.array?.prefix(InterpretationBuilder.limit) ?? [] {
      let end = (entity["offset"]?.number ?? -1) + (entity["length"]?.number ?? 0)
      builder.addSlot(
        entity["category"]?.string, Self.value(of: entity), range: (entity["offset"], .number(end)),
        said: entity["text"]?.string, confidence: entity["confidenceScore"])
    }
    return builder.interpretation
  }

  /// The key of a list, else the resolved value, else the words.
  private static func value(of entity: JSON) -> JSON {
    let keys = entity["extraInformation"]?.array?.compactMap { $0["key"] } ?? []
    let resolved = entity["resolutions"]?.array?.first?["value"]
    return keys.first ?? resolved ?? entity["text"] ?? .null
  }
}
