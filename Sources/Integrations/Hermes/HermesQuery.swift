import Platform

/// A request to understand a text: `hermes/nlu/query`.
public struct HermesQuery: Sendable, Equatable {
  public let text: String
  /// The accepted intents; nil for all.
  public let filter: [String]?
  private let site: String
  private let id: String?
  private let session: String?
  private let keyword: String?
  private let customData: JSON

  /// Reads the payload; fields may be absent or null.
  public init(_ body: JSON, site: String) {
    text = body["input"]?.string ?? ""
    filter = HermesSession.filter(in: body)
    self.site = site
    id = body["id"]?.string
    session = body["sessionId"]?.string
    keyword = body["wakewordId"]?.string
    customData = body["customData"] ?? .null
  }

  /// The answer, from the object that `hotword understand` prints.
  func intent(_ meaning: JSON) -> HermesIntent {
    var intent = HermesIntent(meaning, site: site)
    intent.id = id
    intent.session = session
    intent.keyword = keyword
    intent.customData = customData
    return intent
  }
}
