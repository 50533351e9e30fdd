import Detection
import Platform

/// The previous versions of a model, whose training data also apply to the next one.
struct VersionHistory {
  private let model: HotwordModel
  private let card: String?

  private static let heading = "## Previous versions"
  /// The number of previous versions whose facts are kept in a model file.
  private static let kept = 8

  init(_ settings: ImprovementSettings) {
    model = settings.model
    card = (try? Files.read(TrainedModel.cardPath(for: settings.path), limit: 1 << 20)).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// Returns the new version's card, followed by the cards of the previous versions.
  func card(adding markdown: String, _ comparison: Comparison) -> String {
    let table = comparison.text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "" : "    \($0)" }.joined(separator: "\n")
    var text = "\(trimmed(markdown))\n\n## Compared with the previous version\n\n\(trimmed(table))\n"
    guard let card else { return text }
    let lines = card.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let older = lines.firstIndex(of: Self.heading) ?? lines.count
    let last = lines[..<older].map { $0.hasPrefix("#") ? "##\($0)" : $0 }.joined(separator: "\n")
    text += "\n\(Self.heading)\n\nTheir training data are also part of this version.\n\n\(trimmed(last))\n"
    let rest = lines[older...].drop { !$0.hasPrefix("###") }
    if !rest.isEmpty { text += "\n\(trimmed(rest.joined(separator: "\n")))\n" }
    return text
  }

  /// Returns the facts for the model file, with those of the previous versions in a list, latest first.
  func summary(adding facts: JSON, _ comparison: JSON) -> JSON {
    let before = members(model.training).filter { $0.name != "before" }
    let older = (model.training["before"]?.array ?? []).prefix(Self.kept - 1)
    return .object(
      members(facts) + [
        JSON.Member("improvement", comparison), JSON.Member("before", .array([.object(before)] + older)),
      ])
  }

  private func members(_ json: JSON) -> [JSON.Member] {
    if case .object(let members) = json { members } else { [] }
  }

  private func trimmed(_ text: String) -> String {
    var text = text[...]
    while let last = text.last, last.isNewline { text.removeLast() }
    return String(text)
  }
}
