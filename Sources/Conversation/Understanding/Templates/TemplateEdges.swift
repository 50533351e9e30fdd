/// The words with which templates may start or end.
///
/// The words of each rule are found once.
package struct TemplateEdges {
  package enum Edge { case first, last }

  /// The words at an edge.
  private struct Words {
    var own: Set<String>
    /// Whether the template may be empty, so that what is beyond it may be there too.
    var isOpen: Bool

    static let none = Words(own: [], isOpen: false)
  }

  package let rules: [String: Rule]
  private var known: [Edge: [String: Words]] = [:]

  package init(rules: [String: Rule]) { self.rules = rules }

  /// The words at one edge of `template`, and `beyond` where it may be empty; lists and permutations count as no words.
  package mutating func words(at edge: Edge, of template: Template, beyond: Set<String>) -> Set<String> {
    let found = words(at: edge, of: template)
    return found.isOpen ? found.own.union(beyond) : found.own
  }

  private mutating func words(at edge: Edge, of template: Template) -> Words {
    switch template {
    case .text(let text):
      let words = text.utf8.split(separator: UInt8(ascii: " ")).lazy.map { Substring($0) }
      guard let word = edge == .last ? words.last : words.first else { return Words(own: [], isOpen: true) }
      return Words(own: Self.isWord(word) ? [word.lowercased()] : [], isOpen: false)
    case .alternative(let items):
      var found = Words.none
      for item in items {
        let part = words(at: edge, of: item)
        found.own.formUnion(part.own)
        found.isOpen = found.isOpen || part.isOpen
      }
      return found
    case .sequence(let items):
      var found = Words(own: [], isOpen: true)
      for item in edge == .first ? items : items.reversed() where found.isOpen {
        let part = words(at: edge, of: item)
        found.own.formUnion(part.own)
        found.isOpen = part.isOpen
      }
      return found
    case .rule(let name, _):
      if let found = known[edge]?[name] { return found }
      guard let rule = rules[name] else { return .none }
      // Also what is found inside a rule that contains itself, which is a fault of its own.
      known[edge, default: [:]][name] = Words.none
      let found = words(at: edge, of: rule.template)
      known[edge, default: [:]][name] = found
      return found
    case .permutation, .list: return .none
    }
  }

  /// Whether `text` is letters and apostrophes.
  private static func isWord(_ text: Substring) -> Bool {
    let isASCII = text.utf8.allSatisfy { $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A || $0 == UInt8(ascii: "'") }
    return isASCII || text.allSatisfy { $0.isLetter || $0 == "'" }
  }
}
