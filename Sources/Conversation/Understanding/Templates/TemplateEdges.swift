import TextProcessing

/// The words that templates may begin or end with.
package struct TemplateEdges {
  package enum Edge { case first, last }

  package let rules: [String: Rule]

  package init(rules: [String: Rule]) { self.rules = rules }

  /// The words at an edge of `template`, and `beyond` where it may be empty there; none that a list or a permutation tells.
  package func words(at edge: Edge, of template: Template, beyond: Set<String>) -> Set<String> {
    words(at: edge, of: template, beyond: beyond, depth: 0)
  }

  private func words(
    at edge: Edge, of template: Template, beyond: Set<String>, depth: Int
  ) -> Set<String> {
    guard depth < 8 else { return [] }
    switch template {
    case .text(let text):
      let words = text.split(separator: " ")
      guard let word = edge == .last ? words.last : words.first else { return beyond }
      return word.allSatisfy { $0.isLetter || $0 == "'" } ? [word.lowercased()] : []
    case .alternative(let items):
      return items.reduce(into: []) {
        $0.formUnion(self.words(at: edge, of: $1, beyond: beyond, depth: depth + 1))
      }
    case .sequence(let items):
      return (edge == .last ? items : items.reversed()).reduce(beyond) {
        self.words(at: edge, of: $1, beyond: $0, depth: depth + 1)
      }
    case .rule(let name, _):
      return rules[name].map { words(at: edge, of: $0.template, beyond: beyond, depth: depth + 1) } ?? []
    case .permutation, .list: return []
    }
  }
}
