import Detection
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
}
