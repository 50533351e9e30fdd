import Networking
import Platform
import Understanding

/// Microsoft's LUIS, versions 2 and 3 of its prediction, also in the containers that still run it.
public struct LUISService: UnderstandingService {
  public let name = "luis"
  public let address: WebAddress
  public let application: String
  /// `production` or `staging`.
  public let slot: String
  /// Of the prediction that is asked for; answers of both are understood.
  public let version: Version

  public enum Version: Sendable { case two, three }

  public init(
    _ address: WebAddress, application: String, slot: String = "production", version: Version = .three
  ) {
    self.address = address
    self.application = application
    self.slot = slot
    self.version = version
  }

  public func request(_ text: String, _ occasion: ServiceOccasion) -> HTTPRequest {
    let key = occasion.header("Ocp-Apim-Subscription-Key")
    let parts = [application, slot].map(PercentEncoding.encode)
    if version == .two {
      let query = [("q", text), ("verbose", "true"), ("staging", slot == "staging" ? "true" : "false")]
      let target = address.appending("/luis/v2.0/apps/\(parts[0])").appending(
        query:
          query.map { (name: $0.0, value: $0.1) })
      return HTTPRequest(.get, target, headers: [HTTPRequest.Header("Accept", "application/json")] + key)
    }
    let path = "/luis/prediction/v3.0/apps/\(parts[0])/slots/\(parts[1])/predict"
    let target = address.appending(path).appending(query: [("show-all-intents", "true"), ("verbose", "true")])
    return .post(target, ["query": .string(text)], headers: key)
  }

  public func meaning(of text: String, language: String, answer: JSON) -> Interpretation? {
    if answer["topScoringIntent"]?.members != nil {
      return second(text, language: language, answer: answer)
    }
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

  /// The meaning of an answer of version 2.
  private func second(_ text: String, language: String, answer: JSON) -> Interpretation {
    var meaning = ServiceAnswer(text, language: language)
    func guess(_ intent: JSON) -> Interpretation.Guess? {
      ServiceAnswer.guess(intent["intent"], intent["score"])
    }
    let guesses = answer["intents"]?.array?.prefix(ServiceAnswer.limit).compactMap(guess) ?? []
    if let best = answer["topScoringIntent"].flatMap(guess), best.name != "None" {
      meaning.understand(best, others: guesses)
    }
    for entity in answer["entities"]?.array?.prefix(ServiceAnswer.limit) ?? [] {
      let role = entity["role"]?.string.flatMap { $0.isEmpty ? nil : $0 }
      let type = entity["type"]?.string.map { $0.hasPrefix("builtin.") ? String($0.dropFirst(8)) : $0 }
      // The end is that of the last letter itself.
      let end = entity["endIndex"]?.number.map { JSON.number($0 + 1) }
      meaning.fill(
        role ?? type, Self.resolution(of: entity) ?? entity["entity"] ?? .null,
        range: (entity["startIndex"], end), said: entity["entity"]?.string, confidence: entity["score"])
    }
    return meaning.interpretation
  }

  /// A list's key, the coming one of several dates, a number, or what version 3 gives for a number with its unit.
  private static func resolution(of entity: JSON) -> JSON? {
    guard let resolution = entity["resolution"] else { return nil }
    if let values = resolution["values"]?.array {
      guard let value = values.first?.members == nil ? values.first : values.last else { return nil }
      let ends = [("from", "start"), ("to", "end")].compactMap { name, end in
        value[end].map { JSON.Member(name, $0) }
      }
      return value["value"] ?? (ends.isEmpty ? value : .object(ends))
    }
    guard let value = resolution["value"] else { return nil }
    let number = value.string.flatMap(Double.init).flatMap { $0.isFinite ? JSON.number($0) : nil } ?? value
    return resolution["unit"].map { ["number": number, "units": $0] } ?? number
  }
}
