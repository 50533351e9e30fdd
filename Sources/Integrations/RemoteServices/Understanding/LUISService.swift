import Networking
import Platform
import Understanding

/// Microsoft LUIS, versions 2 and 3 of the prediction API, also in containers.
public struct LUISService: UnderstandingService {
  public let name = "luis"
  public let address: WebAddress
  public let application: String
  /// `production` or `staging`.
  public let slot: String
  /// The version of the prediction API for requests; answers of both versions are read.
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

  public func request(_ text: String, _ context: ServiceRequestContext) -> HTTPRequest {
    let key = context.header("Ocp-Apim-Subscription-Key")
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

  public func interpretation(of text: String, language: String, answer: JSON) -> Interpretation? {
    if answer["topScoringIntent"]?.members != nil {
      return version2(text, language: language, answer: answer)
    }
    guard let prediction = answer["prediction"], let intents = prediction["intents"]?.members else {
      return nil
    }
    var builder = InterpretationBuilder(text, language: language)
    let guesses = intents.prefix(InterpretationBuilder.limit).compactMap {
      InterpretationBuilder.guess(.string($0.name), $0.value["score"])
    }
    let top = prediction["topIntent"]?.string
    if let best = guesses.first(where: { $0.name == top && $0.name != "None" }) {
      builder.setIntent(best, others: guesses)
    }
    let entities = prediction["entities"]
    for entity in entities?.members ?? [] where entity.name != "$instance" {
      let places = entities?["$instance"]?[entity.name]?.array ?? []
      for (index, value) in (entity.value.array?.prefix(InterpretationBuilder.limit) ?? []).enumerated() {
        let place = index < places.count ? places[index] : .null
        let end = (place["startIndex"]?.number ?? -1) + (place["length"]?.number ?? 0)
        // The value of a list entity is an array of its keys.
        builder.addSlot(
          entity.name, value.array?.first ?? value, range: (place["startIndex"], .number(end)),
          said: place["text"]?.string, confidence: place["score"])
      }
    }
    return builder.interpretation
  }

  /// Reads an answer of version 2.
  private func version2(_ text: String, language: String, answer: JSON) -> Interpretation {
    var builder = InterpretationBuilder(text, language: language)
    func guess(_ intent: JSON) -> Interpretation.Guess? {
      InterpretationBuilder.guess(intent["intent"], intent["score"])
    }
    let guesses = answer["intents"]?.array?.prefix(InterpretationBuilder.limit).compactMap(guess) ?? []
    if let best = answer["topScoringIntent"].flatMap(guess), best.name != "None" {
      builder.setIntent(best, others: guesses)
    }
    for entity in answer["entities"]?.array?.prefix(InterpretationBuilder.limit) ?? [] {
      let role = entity["role"]?.string.flatMap { $0.isEmpty ? nil : $0 }
      let type = entity["type"]?.string.map { $0.hasPrefix("builtin.") ? String($0.dropFirst(8)) : $0 }
      // The end index is inclusive.
      let end = entity["endIndex"]?.number.map { JSON.number($0 + 1) }
      builder.addSlot(
        role ?? type, Self.resolution(of: entity) ?? entity["entity"] ?? .null,
        range: (entity["startIndex"], end), said: entity["entity"]?.string, confidence: entity["score"])
    }
    return builder.interpretation
  }

  /// The key of a list, the next of several dates, a number, or a number with its unit as in version 3.
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
