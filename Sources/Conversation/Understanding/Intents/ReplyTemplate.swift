import Platform

/// The reply of an intent: text in which `{slot}` is replaced by the value of a slot.
///
/// `{count:pizza|pizzas}` is the first word where the slot `count` is 1, and the second for any other value.
package struct ReplyTemplate: Sendable, Equatable {
  package enum Part: Sendable, Equatable {
    case text(String)
    case slot(String)
    case counted(String, one: String, many: String)
  }

  /// A use of a slot.
  package struct Reference: Sendable, Equatable {
    package let slot: String
    /// The code point of its `{`.
    package let offset: Int
  }

  package let parts: [Part]
  /// The template as written.
  package let source: String
  /// The uses of slots in the text, in their order.
  package let references: [Reference]
  /// Whether the program that carries the intent out fills the template, in a language of its own; ``filled(_:)`` is then nil.
  package let isForClient: Bool

  private init(parts: [Part], source: String, references: [Reference], isForClient: Bool = false) {
    self.parts = parts
    self.source = source
    self.references = references
    self.isForClient = isForClient
  }

  /// A template that is passed on as it is.
  package init(forClient source: String) {
    self.init(parts: [], source: source, references: [], isForClient: true)
  }

  package init(_ text: String) throws(IntentFileProblem) {
    guard !text.contains("{%"), !text.contains("{#") else { throw .badReply(reason: .jinja) }
    var parts: [Part] = []
    var references: [Reference] = []
    var rest = text[...]
    while let open = rest.firstIndex(of: "{") {
      if open > rest.startIndex { parts.append(.text(String(rest[..<open]))) }
      guard let close = rest[open...].firstIndex(of: "}") else { throw .badReply(reason: .unclosed) }
      var name = rest[rest.index(after: open)..<close].drop { $0 == "{" || $0 == " " }
      while name.last == " " { name.removeLast() }
      if name.hasPrefix("slots.") { name = name.dropFirst(6) }
      rest = rest[close...].dropFirst()
      if rest.first == "}" { rest.removeFirst() }
      guard !name.isEmpty else { throw .badReply(reason: .emptyName) }
      let offset = text.unicodeScalars.distance(from: text.startIndex, to: open)
      if case .counted(let slot, let one, let many)? = Self.counted(name) {
        parts.append(.counted(slot, one: one, many: many))
        references.append(Reference(slot: slot, offset: offset))
        continue
      }
      guard !name.contains(where: { " |.(".contains($0) }) else { throw .badReply(reason: .jinja) }
      parts.append(.slot(String(name)))
      references.append(Reference(slot: String(name), offset: offset))
    }
    if !rest.isEmpty { parts.append(.text(String(rest))) }
    self.parts = parts
    source = text
    self.references = references
    isForClient = false
  }

  /// `count:pizza|pizzas`.
  private static func counted(_ text: Substring) -> Part? {
    guard let colon = text.firstIndex(of: ":") else { return nil }
    let words = text[colon...].dropFirst().split(separator: "|", omittingEmptySubsequences: false)
    let name = text[..<colon]
    guard words.count == 2, !name.contains(where: { " |.(".contains($0) }) else { return nil }
    return .counted(String(name), one: String(words[0]), many: String(words[1]))
  }

  /// The reply with the words of the slots; nil where one of the slots has no value, or the client fills it.
  package func filled(_ words: (String) -> String?) -> String? {
    if isForClient { return nil }
    var text = ""
    for part in parts {
      switch part {
      case .text(let literal): text += literal
      case .slot(let name):
        guard let word = words(name) else { return nil }
        text += word
      case .counted(let name, let one, let many):
        guard let word = words(name) else { return nil }
        text += isOne(word) ? one : many
      }
    }
    return text
  }

  private func isOne(_ words: String) -> Bool {
    ["1", "one", "a", "an"].contains(words.lowercased())
  }

  /// The template with slots replaced by the given words.
  package func naming(_ words: [String: String]) -> ReplyTemplate {
    if isForClient { return self }
    return ReplyTemplate(
      parts: parts.map { part in
        guard case .slot(let name) = part, let word = words[name] else { return part }
        return .text(word)
      }, source: source, references: references)
  }

  /// The value of a slot in words.
  package static func words(of value: JSON) -> String {
    switch value {
    case .string(let text): text.replacing("_", with: " ")
    case .array(let values): values.map(words(of:)).joined(separator: ", ")
    default: value.description
    }
  }
}
