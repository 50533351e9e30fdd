import Detection
import Networking
import Platform

/// The models of a wake server. Any thread may use it.
public struct WakeCatalog: Sendable {
  public struct Entry: Sendable {
    /// The name for clients.
    public let name: String
    public let model: HotwordModel
    public let sensitivity: Sensitivity

    public init(name: String, model: HotwordModel, sensitivity: Sensitivity) {
      self.name = name
      self.model = model
      self.sensitivity = sensitivity
    }
  }

  /// A model under the name that one client uses.
  public struct Choice: Sendable, Equatable {
    /// The name in its detections.
    public let name: String
    /// Its index in ``entries``.
    public let entry: Int
  }

  public let entries: [Entry]
  /// The models for clients that request none.
  public let standard: [Choice]
  private let weights = PackedNetworks()

  /// - Parameter standard: the names of the models for clients that request none; empty for all.
  public init(_ entries: [Entry], standard names: [String] = []) {
    self.entries = entries
    standard = entries.indices
      .filter { names.isEmpty || names.contains(entries[$0].name) }
      .map { Choice(name: entries[$0].name, entry: $0) }
  }

  /// The models with the names that a client requests: case is ignored, and `_` is equal to a space.
  ///
  /// - Returns: the models found, each once, and the unknown names.
  public func choose(_ names: [String]) -> (choices: [Choice], unknown: [String]) {
    var choices: [Choice] = []
    var unknown: [String] = []
    for name in names {
      if let entry = entry(named: name) {
        if !choices.contains(where: { $0.entry == entry }) {
          choices.append(Choice(name: name, entry: entry))
        }
      } else {
        unknown.append(name)
      }
    }
    return (choices, unknown)
  }

  private func entry(named name: String) -> Int? {
    // No model has a name of more than 64 characters.
    guard name.utf8.count <= 1_024 else { return nil }
    if let exact = entries.firstIndex(where: { $0.name == name }) { return exact }
    let plain = Self.plain(name)
    return entries.firstIndex { Self.plain($0.name) == plain }
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
  ///   - version: the version of the program.
  ///   - satellite: the name of the satellite; nil for a wake server.
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
      "hotword", "hotword: always-on hotword detection", [JSON.Member("models", .array(models))])
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
