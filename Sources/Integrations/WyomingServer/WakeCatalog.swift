import Detection
import Networking
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
  /// - Parameters:
  ///   - version: the program's.
  ///   - satellite: its name, where the models are heard by a satellite.
  public func info(version: String, satellite name: String? = nil) -> WyomingEvent {
    let others = ["asr", "tts", "handle", "intent", "mic", "snd"].map { JSON.Member($0, []) }
    func artifact(_ name: String, _ description: String, _ more: [JSON.Member]) -> JSON {
      .object(
        [
          JSON.Member("name", .string(name)), JSON.Member("attribution", Self.attribution),
          JSON.Member("installed", true), JSON.Member("description", .string(description)),
          JSON.Member("version", .string(version)),
        ] + more)
    }
    let models = entries.map { entry in
      let language = entry.model.training["language"]?.string ?? "en"
      return artifact(
        entry.name, entry.model.phrase,
        [JSON.Member("languages", [.string(language)]), JSON.Member("phrase", .string(entry.model.phrase))])
    }
    let program = artifact(
      "hotword", "hotword: hears the words that call it", [JSON.Member("models", .array(models))])
    let satellite = name.map { name in
      artifact(
        name, name,
        [
          JSON.Member("area", .null), JSON.Member("has_vad", false),
          JSON.Member("active_wake_words", .array(entries.map { .string($0.name) })),
          JSON.Member("max_active_wake_words", .number(Double(entries.count))),
          JSON.Member("supports_trigger", false),
        ])
    }
    return WyomingEvent(
      "info",
      others + [JSON.Member("wake", [program])] + (satellite.map { [JSON.Member("satellite", $0)] } ?? []))
  }

  private static let attribution: JSON = ["name": "the hotword authors", "url": ""]
}
