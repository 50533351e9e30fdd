import Platform
import TextProcessing
import YAMLFormat

/// Adds values from annotated examples, and plurals, to the lists.
extension IntentFile {
  /// The name of the list or entity of a mark's value; nil where any words are accepted.
  ///
  /// - Throws: ``IntentFileProblem/unknownList(name:suggestion:)``.
  package func listName(
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

  /// `name` if a list or a built-in entity has it; else nil.
  package func knownList(_ name: String) -> String? {
    lists[name] == nil ? EntityKind(named: name)?.rawValue : name
  }

  /// Adds the marked words of examples, and the plurals of lists used by examples or by slots with several values.
  ///
  /// - Returns: the faults of marks whose list is not defined.
  mutating func completeLists() -> [IntentFileFault] {
    var faults: [IntentFileFault] = []
    var learned: Set<String> = []
    var said: [String: Set<String>] = [:]
    let words = examplesNeedTemplates ? try? ListWords(self) : nil
    for intent in intents {
      for slot in intent.slots where slot.isMany { if let list = slot.list { learned.insert(list) } }
      for example in intent.examples {
        for mark in example.sentence.marks {
          let name: String?
          do throws(IntentFileProblem) {
            name = try listName(of: mark, in: intent)
          } catch {
            faults.append(
              .invalid(file: self.name, position: example.position(mark.offset), problem: error))
            continue
          }
          guard let name, case .values = lists[name]?.kind else { continue }
          learned.insert(name)
          add(mark, of: example, to: name, words, &said)
        }
      }
    }
    guard hasNumberWords else { return faults }
    for name in lists.keys.sorted() where lists[name]?.hasPlurals ?? learned.contains(name) {
      addPlurals(to: name)
    }
    return faults
  }

  /// Whether the file has both examples and lists whose values are templates.
  private var examplesNeedTemplates: Bool {
    intents.contains { !$0.examples.isEmpty }
      && lists.values.contains { list in
        list.values.contains { if case .text = $0.said.template { false } else { true } }
      }
  }

  private mutating func add(
    _ mark: AnnotatedSentence.Mark, of example: Example, to name: String, _ words: ListWords?,
    _ said: inout [String: Set<String>]
  ) {
    let text = NormalizedText(example.sentence.text).original(mark.range)
    let key = Self.key(text)
    if said[name] == nil {
      said[name] = []
      for value in lists[name]?.values ?? [] {
        if case .text(let text) = value.said.template { said[name]?.insert(Self.key(text)) }
      }
    }
    let ways =
      [key] + (hasNumberWords && lists[name]?.hasPlurals ?? true ? EnglishPlurals.variants(of: key) : [])
    if ways.contains(where: { said[name]?.contains($0) ?? false }) { return }
    if ways.contains(where: { words?.contains($0, in: name) ?? false }) { return }
    said[name]?.insert(key)
    let rule = Rule(template: .text(key), node: example.node)
    lists[name]?.add(SlotList.Value(said: rule, value: .string(mark.value ?? text)))
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

  /// A phrase in the form in which phrases are compared.
  private static func key(_ text: String) -> String {
    NormalizedText(text).words.map(\.text).joined(separator: " ")
  }
}

/// Finds out whether a phrase is a value of a list, where values are templates.
package struct ListWords {
  private let program: Program

  /// - Throws: ``IntentFileFault`` for lists that cannot be compiled.
  package init(_ file: IntentFile) throws(IntentFileFault) {
    var lists = IntentFile(name: file.name, language: file.language)
    lists.lists = file.lists
    lists.rules = file.rules
    program = try Program(lists)
  }

  /// Whether the whole of `text` is one value of `list`.
  package func contains(_ text: String, in list: String) -> Bool {
    guard let node = program.listNodes[list] else { return false }
    let chart = Chart(NormalizedText(text), program, now: LocalTime(year: 2000, month: 1, day: 1))
    return chart.ends(of: node, from: Chart.State(place: 0, isLoose: true)).contains {
      Int($0.state.place) >= chart.symbols.count - 1
    }
  }
}
