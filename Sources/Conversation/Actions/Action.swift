import Platform

/// An action for the assistant or a display, in SUSI.AI's vocabulary.
///
/// The JSON is kept unchanged: a display may support actions that are unknown here.
public struct Action: Sendable, Equatable {
  /// The parsed action; one that lacks a required field is ``other(type:)``.
  public enum Kind: Sendable, Equatable {
    /// A text to say.
    case answer(String)
    case anchor(link: String, text: String?)
    /// In degrees; the zoom level of map tiles.
    case map(latitude: Double, longitude: Double, zoom: Double?)
    /// The member names of title, description and link in each row; `count` rows, nil for all.
    case rss(title: String, description: String?, link: String?, count: Int?)
    /// Columns by the member names of the rows; `count` rows, nil for all.
    case table(columns: [Column], count: Int?)
    /// The member names of a slice's name and size in each row.
    case piechart(total: Double?, key: String, value: String, unit: String?)
    case webSearch(String)
    case timerSet(seconds: Double, name: String?)
    case timerReset(Timers.Choice)
    case audioPlay(identifier: String, type: String?)
    case videoPlay(identifier: String, type: String?)
    /// 0…100
    case volume(Double)
    case imageShow(url: String)
    case control(Control)
    case other(type: String)
  }

  /// The actions without fields.
  public enum Control: String, Sendable, CaseIterable {
    case stop, pause, resume, restart, previous, next, shuffle
  }

  public struct Column: Sendable, Equatable {
    /// The member name in each row.
    public let key: String
    public let title: String

    public init(key: String, title: String) {
      self.key = key
      self.title = title
    }
  }

  public let kind: Kind
  /// The action as received.
  public let json: JSON

  /// - Returns: nil if the JSON is not an object with a text `type`.
  public init?(json: JSON) {
    guard let type = json["type"]?.string, !type.isEmpty else { return nil }
    self.json = json
    kind = ActionFields(json: json).kind(type) ?? .other(type: type)
  }

  /// Whether the type is one of those that are carried out here, and a field of it is missing or out of range.
  public var isIncomplete: Bool {
    if case .other(let type) = kind { ["answer", "timer_set", "audio_volume"].contains(type) } else { false }
  }

  /// A timer that rings after `seconds`, 0…``Timers/longest``.
  public static func timer(seconds: Double, name: String? = nil) -> Action {
    let json: [JSON.Member] = [JSON.Member("type", "timer_set"), JSON.Member("time", .rounded(seconds))]
    return Action(
      kind: .timerSet(seconds: seconds, name: name),
      json: .object(json + (name.map { [JSON.Member("name", .string($0))] } ?? [])))
  }

  /// Cancels timers.
  public static func timerReset(_ choice: Timers.Choice) -> Action {
    let more: [JSON.Member] =
      switch choice {
      case .latest: []
      case .all: [JSON.Member("all", true)]
      case .named(let name): [JSON.Member("name", .string(name))]
      }
    return Action(kind: .timerReset(choice), json: .object([JSON.Member("type", "timer_reset")] + more))
  }

  /// Sets the volume, 0…100.
  public static func volume(_ percent: Double) -> Action {
    Action(kind: .volume(percent), json: ["type": "audio_volume", "volume": .rounded(percent)])
  }

  private init(kind: Kind, json: JSON) {
    self.kind = kind
    self.json = json
  }
}
