import Detection
import Platform

/// The model whose accuracy a card states: trained in the same way without the held-out recordings of the phrase.
public struct EvaluationModel: Sendable {
  public let model: HotwordModel
  /// The paths of the recordings that it was not trained on.
  public let heldOut: [String]

  /// Writes the model and the list of recordings, one path a line, to the folder `folder`, each by rename.
  ///
  /// - Throws: `DetectionFault`, `SystemFault`.
  public func write(to folder: String) throws {
    try model.write(to: Self.path(of: model.name, in: folder))
    try Files.write(
      Array((heldOut.joined(separator: "\n") + "\n").utf8), to: Self.list(of: model.name, in: folder))
  }

  /// Returns the paths of the model `name` and of its list in `folder`.
  public static func path(of name: String, in folder: String) -> String {
    "\(folder)/\(name)\(ModelStore.suffix)"
  }
  public static func list(of name: String, in folder: String) -> String { "\(folder)/\(name).held-out" }
}
