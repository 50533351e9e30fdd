import Clips
import Platform

/// The lines that `hotword review` prints.
enum ReviewScreen {
  static let keys = "p play again  y it was the word  n it was not  s skip  u undo  d delete  q quit"

  /// A clip and the question about it.
  static func question(_ clip: Clip, number: Int, of count: Int) -> String {
    let kind =
      switch clip.kind {
      case .wake: "wake"
      case .nearMiss: "near miss"
      }
    return """

      \(number) of \(count)  \(clip.time.local)  \(kind), score \(JSON.rounded(clip.score, digits: 2))
      Was it "\(clip.keyword)"?
      \(keys)

      """
  }

  static func text(of note: ReviewCycle.Note) -> String {
    switch note {
    case .keys: "  \(keys)\n"
    case .confirmDeletion: "  press d again to delete it permanently\n"
    case .labelled(let label): "  → \(words(for: label))\n"
    case .undone: "  → undone\n"
    case .nothingToUndo: "  nothing to undo\n"
    case .deleted: "  → deleted\n"
    case .failed(let message): "  \(message)\n"
    }
  }

  static func text(of counts: ReviewCycle.Counts) -> String {
    "\n\(counts.labelled) labelled, \(counts.deleted) deleted, \(counts.left) left\n"
  }

  private static func words(for label: Label) -> String {
    switch label {
    case .wake: "correct wake"
    case .falseAlarm: "false alarm"
    case .missed: "missed"
    case .rejection: "correct rejection"
    }
  }

  /// The clips as a table: the time that identifies them, keyword, kind, score, label.
  static func table(_ entries: [ClipStore.Entry]) -> String {
    let rows = entries.map { entry in
      let clip = entry.clip
      return [
        clip.time.compact, clip.keyword, clip.kind.rawValue, Clip.text(of: clip.score),
        entry.label?.rawValue ?? "-",
      ]
    }
    let widths = (0..<4).map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let padded = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
      return (padded + [row[4]]).joined(separator: "  ") + "\n"
    }.joined()
  }
}

extension ClipStore.Entry {
  /// One line of `hotword review --json`.
  var json: JSON {
    [
      "clip": .string(path), "time": .string(clip.time.iso), "keyword": .string(clip.keyword),
      "kind": .string(clip.kind.rawValue), "score": .number(clip.score),
      "label": label.map { .string($0.rawValue) } ?? .null,
    ]
  }
}
