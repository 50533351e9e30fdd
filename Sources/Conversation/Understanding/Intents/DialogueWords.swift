import Platform
import YAMLFormat

/// The words and limits of dialogues: sentences that count as answers, standard replies, and time-outs.
///
/// The standard words are English: `Resources/dialogue.yaml`. `dialogue:` in an intent file replaces them key by key.
package struct DialogueWords: Sendable {
  /// The keys of `words:`: sentences that are an answer or a part of one.
  package enum Word: String, Sendable, CaseIterable {
    case yes, sure, hum, no, nay, cancel, trailing, lead, before, tail, correction, oops, change, more, heard
    case prepositions, and, or, refuse, but, it, abandon
  }

  /// The keys of `replies:`.
  package enum Reply: String, Sendable, CaseIterable {
    case cancelled, declined, again, which, choose, unsupported, confirm, stranger, others, untold, unknown,
      suggest, failed
    case gaveUp = "gave_up"
    case notUnderstood = "not_understood"

    /// The values that the reply may name.
    var placeholders: [String] {
      switch self {
      case .which: ["slot", "choices"]
      case .choose, .suggest: ["choices"]
      case .unknown: ["words"]
      case .others: ["voices"]
      case .cancelled, .declined, .again, .unsupported, .confirm, .stranger, .untold, .gaveUp, .notUnderstood,
        .failed:
        []
      }
    }
  }

  /// Seconds without a turn after which the dialogue ends: open questions and contexts are discarded.
  package var timeout: Double = 120
  /// How often a question is repeated.
  package var attempts = 2
  package var words: [Word: [Rule]] = [:]
  package var replies: [Reply: ReplyTemplate] = [:]

  /// The standard words.
  package static func standard() throws(IntentFileFault) -> DialogueWords {
    let name = "dialogue.yaml"
    let root = try IntentFileReader.tree(of: PackageResources.dialogue_yaml, file: name)
    var reader = IntentFileReader(file: name)
    let words = try reader.dialogue(root, over: DialogueWords())
    if let first = reader.faults.first { throw first }
    return words
  }

  /// The words as expansion rules, each named `dialogue_` and its key.
  package var rules: [String: Rule] {
    var rules: [String: Rule] = [:]
    for (word, sentences) in words {
      guard let first = sentences.first else { continue }
      let parts = sentences.map { Self.renamed($0.template) }
      rules[Self.rule(word)] = Rule(template: .alternative(parts), node: first.node)
    }
    return rules
  }

  package static func rule(_ word: Word) -> String { "dialogue_\(word.rawValue)" }

  /// The template with references such as `<sure>` renamed to the names of ``rules``.
  private static func renamed(_ template: Template) -> Template {
    switch template {
    case .text, .list: template
    case .sequence(let items): .sequence(items.map(renamed))
    case .alternative(let items): .alternative(items.map(renamed))
    case .permutation(let items): .permutation(items.map(renamed))
    case .rule(let name, let offset):
      .rule(name: Word(rawValue: name).map(rule) ?? name, offset: offset)
    }
  }

  /// The plain texts of `word`, such as the prepositions.
  package func plain(_ word: Word) -> [String] { (words[word] ?? []).compactMap { $0.node.text } }

  /// A reply with `values` for its slots; empty where it is not defined.
  package func reply(_ reply: Reply, _ values: [String: String] = [:]) -> String {
    replies[reply]?.filled { values[$0] } ?? ""
  }

  /// "a", "a or b", "a, b or c".
  package func listed(_ items: [String], by word: Word) -> String {
    guard items.count > 1, let last = items.last else { return items.first ?? "" }
    let joint = plain(word).first ?? ""
    return items.dropLast().joined(separator: ", ") + " \(joint) " + last
  }
}
