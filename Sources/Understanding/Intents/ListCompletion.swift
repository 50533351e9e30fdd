import Platform

/// What annotated examples and plurals add to the lists.
extension IntentFile {
  /// The list or entity whose values `mark` has, by its name; nil for any words.
  ///
  /// - Throws: ``IntentFileProblem/unknownList(name:suggestion:)``.
  func listName(
    of mark: AnnotatedSentence.Mark, in intent: Intent
  ) throws(IntentFileProblem) -> String? {
    if let name = mark.list {
      guard let known = knownList(name) else {
        let suggestion = nearestName(to: name, among: lists.keys)
        throw .unknownList(name: name, suggestion: suggestion)
      }
      return known
    }
    return (intent.slot(mark.slot)?.list).flatMap(knownList) ?? knownList(mark.slot)
  }

  private func knownList(_ name: String) -> String? {
    lists[name] == nil ? EntityKind(named: name)?.rawValue : name
  }

  /// Adds the words that examples mark, and the plurals of lists that examples or slots of many values use.
  mutating func completeLists() throws(UnderstandingFault) {
    var learned: Set<String> = []
    var said: [String: [String: JSON]] = [:]
    for intent in intents {
      for slot in intent.slots where slot.isMany { if let list = slot.list { learned.insert(list) } }
      for example in intent.examples {
        for mark in example.sentence.marks {
          let name: String?
          do throws(IntentFileProblem) {
            name = try listName(of: mark, in: intent)
          } catch {
            throw .invalid(file: self.name, position: example.position(mark.offset), problem: error)
          }
          guard let name, case .values(let values) = lists[name]?.kind else { continue }
          learned.insert(name)
          add(mark, of: example, to: name, values, &said)
        }
      }
    }
    guard hasNumberWords else { return }
    for name in lists.keys.sorted() where lists[name]?.hasPlurals ?? learned.contains(name) {
      addPlurals(to: name)
    }
  }

  private mutating func add(
    _ mark: AnnotatedSentence.Mark, of example: Example, to name: String, _ values: [SlotList.Value],
    _ said: inout [String: [String: JSON]]
  ) {
    let text = NormalizedText(example.sentence.text)
    let words = text.original(mark.range)
    if said[name] == nil {
      said[name] = [:]
      for value in values {
        if case .text(let text) = value.said.template { said[name]?[Self.key(text)] = value.value ?? .null }
      }
    }
    let ways = [Self.key(words)] + (hasNumberWords ? EnglishPlurals.variants(of: Self.key(words)) : [])
    if lists[name]?.hasPlurals ?? true, ways.contains(where: { said[name]?[$0] != nil }) { return }
    let value = JSON.string(mark.value ?? words)
    said[name]?[Self.key(words)] = value
    let rule = Rule(template: .text(Self.key(words)), node: example.node)
    lists[name]?.kind = .values(values + [SlotList.Value(said: rule, value: value)])
  }

  private mutating func addPlurals(to name: String) {
    guard case .values(var values) = lists[name]?.kind else { return }
    var known: Set<String> = []
    for value in values {
      if case .text(let text) = value.said.template { known.insert(Self.key(text)) }
    }
    for value in values {
      guard case .text(let text) = value.said.template, let meant = value.value else { continue }
      for variant in EnglishPlurals.variants(of: Self.key(text)) where known.insert(variant).inserted {
        let rule = Rule(template: .text(variant), node: value.said.node)
        values.append(SlotList.Value(said: rule, value: meant, context: value.context))
      }
    }
    lists[name]?.kind = .values(values)
  }

  /// The words of a phrase as they are compared.
  private static func key(_ text: String) -> String {
    NormalizedText(text).words.map(\.text).joined(separator: " ")
  }
}
