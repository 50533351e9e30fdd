import Network
import Platform

/// Microsoft's LUIS, version 3 of its prediction, also in the containers that still run it.
public struct LUISService: UnderstandingService {
  public let name = "luis"
  public let address: WebAddress
  public let application: String
  /// `production` or `staging`.
  public let slot: String

  public init(_ address: WebAddress, application: String, slot: String = "production") {
    self.address = address
    self.application = application
    self.slot = slot
  }

  public func request(_ text: String, _ occasion: ServiceOccasion) -> HTTPRequest {
    let parts = [application, slot].map(PercentEncoding.encode)
    let path = "/luis/prediction/v3.0/apps/\(parts[0])/slots/\(parts[1])/predict"
    let target = address.appending(path).asking([("show-all-intents", "true"), ("verbose", "true")])
    return .post(target, ["query": .string(text)], headers: occasion.header("Ocp-Apim-Subscription-Key"))
  }

  public func meaning(of text: String, language: String, answer: JSON) -> Interpretation? {
    guard let prediction = answer["prediction"], let intents = prediction["intents"]?.members else {
      return nil
    }
    var meaning = ServiceAnswer(text, language: language)
    let guesses = intents.prefix(ServiceAnswer.limit).compactMap {
      ServiceAnswer.guess(.string($0.name), $0.value["score"])
    }
    let top = prediction["topIntent"]?.string
    if let best = guesses.first(where: { $0.name == top && $0.name != "None" }) {
      meaning.understand(best, others: guesses)
    }
    let entities = prediction["entities"]
    for entity in entities?.members ?? [] where entity.name != "$instance" {
      let places = entities?["$instance"]?[entity.name]?.array ?? []
      for (index, value) in (entity.value.array?.prefix(ServiceAnswer.limit) ?? []).enumerated() {
        let place = index < places.count ? places[index] : .null
        let end = (place["startIndex"]?.number ?? -1) + (place["length"]?.number ?? 0)
        // A list's value is a list of its keys.
        meaning.fill(
          entity.name, value.array?.first ?? value, range: (place["startIndex"], .number(end)),
          said: place["text"]?.string, confidence: place["score"])
      }
    }
    return meaning.interpretation
  }
}
