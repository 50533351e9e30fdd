import Evaluation
import Platform

/// The next version of a model with its card, not yet written.
public struct ImprovedModel: Sendable {
  public let trained: TrainedModel
  public let comparison: Comparison

  /// Where the version before goes when the next one takes its place; no list of models shows it.
  public static func previousPath(for path: String) -> String { path + ".previous" }

  /// Writes the model to `path` and its card beside it, each by rename; what stood there is kept as
  /// `….previous`.
  ///
  /// - Throws: `DetectionFault`, `SystemFault`.
  public func write(to path: String) throws {
    for old in [path, TrainedModel.cardPath(for: path)] where Files.exists(old) {
      try Files.write(Files.read(old), to: Self.previousPath(for: old))
    }
    try trained.write(to: path)
  }

  /// The result as one JSON object.
  public func report(path: String) -> JSON {
    guard case .object(let members) = trained.report(path: path) else { return .null }
    return .object(members + [JSON.Member("improvement", comparison.json)])
  }

  /// The result for people.
  public var text: String { "\(comparison.text)\n\(trained.report.text)\n\(trained.verdict.text)" }
}
