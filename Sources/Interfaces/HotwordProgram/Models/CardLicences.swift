import Detection
import Platform

/// The sources of a model's training data and their licences, from its card.
struct CardLicences {
  struct Source: Equatable {
    let name: String
    let licence: String
  }

  let sources: [Source]

  /// Reads the section "Credits": a heading for each source, with an entry `licence:` in its list.
  init(card: String) {
    var sources: [Source] = []
    var isCredits = false
    var name = ""
    for line in card.split(separator: "\n") {
      if line.hasPrefix("## ") {
        isCredits = line.dropFirst(3) == "Credits"
      } else if line.hasPrefix("### ") {
        name = String(line.dropFirst(4))
      } else if isCredits, line.hasPrefix("- licence: ") {
        sources.append(Source(name: name, licence: String(line.dropFirst(11))))
      }
    }
    self.sources = sources
  }

  /// The card of the model file at `path`: `NAME.md` next to it; nil if there is none.
  static func card(of path: String) -> (path: String, text: String)? {
    guard path.hasSuffix(ModelStore.suffix) else { return nil }
    let card = String(path.dropLast(ModelStore.suffix.count)) + ".md"
    guard let bytes = try? Files.read(card, limit: 1 << 20) else { return nil }
    return (card, String(decoding: bytes, as: UTF8.self))
  }
}
