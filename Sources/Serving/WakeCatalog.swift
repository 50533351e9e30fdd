import Detection
import Network
import Platform

/// The models that a wake server offers, and which of them a client means. Any thread may use it.
public struct WakeCatalog: Sendable {
  public struct Entry: Sendable {
    /// What clients call it.
    public let name: String
    public let model: HotwordModel
    public let sensitivity: Sensitivity

    public init(name: String, model: HotwordModel, sensitivity: Sensitivity) {
      self.name = name
      self.model = model
      self.sensitivity = sensitivity
    }
  }

  /// A model as one client calls it.
  public struct Choice: Sendable, Equatable {
    /// What its detections are called.
    public let name: String
    /// Its place among ``entries``.
    public let entry: Int
  }

  public let entries: [Entry]
  /// What is heard where a client asks for nothing.
  public let standard: [Choice]
  private let weights = PackedNetworks()

  /// - Parameter standard: the names of those that are heard where a client asks for nothing; empty for all.
  public init(_ entries: [Entry], standard names: [String] = []) {
    self.entries = entries
    standard = entries.indices
      .filter { names.isEmpty || names.contains(entries[$0].name) }
      .map { Choice(name: entries[$0].name, entry: $0) }
  }

  /// The models that a client means: names count without regard to case, and `_` is a space.
  ///
  /// - Returns: those that there are, each once, and the names of those that there are not.
  public func choose(_ names: [String]) -> (choices: [Choice], unknown: [String]) {
    var choices: [Choice] = []
    var unknown: [String] = []
    for name in names {
      let entry =
        entries.firstIndex { $0.name == name }
        ?? entries.firstIndex { Self.plain($0.name) == Self.plain(name) }
      if let entry {
        if !choices.contains(where: { $0.entry == entry }) {
          choices.append(Choice(name: name, entry: entry))
        }
      } else {
        unknown.append(name)
      }
    }
    return (choices, unknown)
  }

  private static func plain(_ name: String) -> String { name.lowercased().replacing("_", with: " ") }

  /// A spotter for a new stream; all streams share their weights.
  func spotter(_ choices: [Choice]) throws(DetectionFault) -> KeywordSpotter {
    try KeywordSpotter(
      choices.map { (entries[$0.entry].model, entries[$0.entry].sensitivity) }, sharing: weights)
  }

  /// The answer to `describe`.
  ///
  /// - Parameter version: the program's.
  public func info(version: String) -> WyomingEvent {
    let others = ["asr", "tts", "handle", "intent", "mic", "snd"].map { JSON.Member($0, []) }
    let program: JSON = [
      "name": "hotword", "attribution": Self.attribution, "installed": true,
      "description": "hotword: hears the words that call it", "version": .string(version),
      "models": .array(
        entries.map { entry in
          [
            "name": .string(entry.name), "attribution": Self.attribution, "installed": true,
            "description": .string(entry.model.phrase), "version": .string(version),
            "languages": [.string(entry.model.training["language"]?.string ?? "en")],
            "phrase": .string(entry.model.phrase),
          ]
        }),
    ]
    return WyomingEvent("info", others + [JSON.Member("wake", [program])])
  }

  private static let attribution: JSON = ["name": "the hotword authors", "url": ""]
}
