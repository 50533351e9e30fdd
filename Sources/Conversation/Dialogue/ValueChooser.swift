import Platform
import TextProcessing
import Understanding
import YAMLFormat

/// Finds all values of a list that the same words may mean: "the airport" where there are two.
struct ValueChooser: Sendable {
  /// The values of the lists of slots, without duplicates, in the order of the list.
  private var values: [String: [JSON]] = [:]
  private var names: [String: Set<String>] = [:]
  /// The words of the templates of each value.
  private var words: [String: [String: Set<String>]] = [:]
  private let understander: Understander

  /// Uses the lists of the slots that have rules in `file`.
  init(for file: IntentFile) throws(IntentFileFault) {
    var chooser = IntentFile(name: file.name, language: file.language)
    if file.intents.contains(where: \.asks) {
      chooser.rules = file.rules
      chooser.lists = file.lists
    }
    for intent in file.intents where intent.asks {
      let sources = SlotSource.sources(of: intent, in: file)
      for slot in intent.slots {
        guard let name = sources[slot.name]?.list, values[name] == nil, let list = file.lists[name],
          case .values(let said) = list.kind
        else { continue }
        let groups = Self.groups(of: said)
        values[name] = groups.map(\.value)
        for (index, group) in groups.enumerated() {
          let own = "\(name) \(index)"
          chooser.lists[own] = list
          chooser.lists[own]?.kind = .values(group.said)
          chooser.intents.append(Self.intent(own))
          words[name, default: [:]][group.value.description] = group.said.reduce(into: []) {
            $0.formUnion($1.said.template.literals)
          }
          names[name, default: []].insert(own)
        }
      }
    }
    understander = try Understander(chooser)
  }

  /// All values of `list`; empty for lists without values.
  func values(of list: String) -> [JSON] { values[list] ?? [] }

  /// The values of `list` that `text` may mean, in the order of the list.
  func values(of list: String, for text: String) -> [JSON] {
    guard let all = values[list], let names = names[list] else { return [] }
    let places = understander.interpret(text, among: names).ranking.compactMap { guess in
      Int(guess.name.dropFirst(list.count + 1))
    }
    return places.sorted().map { all[$0] }
  }

  /// All words that may refer to `value`.
  func words(for value: JSON, of list: String) -> Set<String> {
    let name = NormalizedText(ReplyTemplate.words(of: value)).words.map(\.text)
    return (words[list]?[value.description] ?? []).union(name)
  }

  /// Groups templates by value.
  private static func groups(of said: [SlotList.Value]) -> [(value: JSON, said: [SlotList.Value])] {
    var groups: [(value: JSON, said: [SlotList.Value])] = []
    var places: [String: Int] = [:]
    for value in said {
      guard let meant = value.value else { continue }
      if let place = places[meant.description] {
        groups[place].said.append(value)
      } else {
        places[meant.description] = groups.count
        groups.append((meant, [value]))
      }
    }
    return groups
  }

  private static func intent(_ list: String) -> Intent {
    let use = Template.ListReference(
      list: list, slot: "value", isCapture: false, isGlued: false, offset: 0)
    var block = SentenceBlock()
    block.sentences = [Rule(template: .list(use), node: .nowhere)]
    return Intent(name: list, blocks: [block])
  }
}

extension Template {
  /// The literal words in the template.
  fileprivate var literals: Set<String> {
    switch self {
    case .text(let text): Set(NormalizedText(text).words.map(\.text))
    case .sequence(let items), .alternative(let items), .permutation(let items):
      items.reduce(into: []) { $0.formUnion($1.literals) }
    case .list, .rule: []
    }
  }
}

extension IntentFile {
  /// The file with the name of each value, as prompts say it, added to the words that mean the value.
  ///
  /// - Throws: ``IntentFileFault`` for lists that cannot be compiled.
  func namingValues() throws(IntentFileFault) -> IntentFile {
    var asked: Set<String> = []
    for intent in intents where intent.asks {
      let sources = SlotSource.sources(of: intent, in: self)
      for slot in intent.slots { if let name = sources[slot.name]?.list { asked.insert(name) } }
    }
    let unnamed = asked.sorted().compactMap { name in
      lists[name].map { (name, $0.values.filter { !$0.isNamed }) }
    }.filter { !$0.1.isEmpty }
    if unnamed.isEmpty { return self }
    let words = try ListWords(self)
    var file = self
    for (name, values) in unnamed {
      var named: Set<String> = []
      for value in values {
        guard let own = value.name, named.insert(own).inserted, !words.contains(own, in: name) else {
          continue
        }
        let rule = Rule(template: .text(own), node: value.said.node)
        file.lists[name]?.add(SlotList.Value(said: rule, value: value.value, context: value.context))
      }
    }
    return file
  }
}

extension SlotList.Value {
  /// The name of the value in prompts: words of letters; nil for codes and numbers.
  fileprivate var name: String? {
    guard case .string(let text) = value else { return nil }
    let name = ReplyTemplate.words(of: .string(text)).lowercased()
    let isWords = !name.isEmpty && name.allSatisfy { $0.isLetter || $0 == " " || $0 == "'" || $0 == "-" }
    return isWords ? name : nil
  }

  /// Whether its template is its name.
  fileprivate var isNamed: Bool {
    guard let name else { return true }
    return said.template == .text(name)
  }
}
