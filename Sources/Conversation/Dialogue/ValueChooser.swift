import Platform
import TextProcessing
import Understanding
import YAMLFormat

/// Tells which values of a list the same words may mean: "the airport" where two are called so.
struct ValueChooser: Sendable {
  /// The lists that slots are asked from, each value once, in the list's order.
  private var values: [String: [JSON]] = [:]
  private var names: [String: Set<String>] = [:]
  /// The words of what is said for each value.
  private var words: [String: [String: Set<String>]] = [:]
  private let understander: Understander

  /// Takes the lists of the slots that `file` has rules for.
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

  /// All values of `list`; empty where it has none to choose from.
  func values(of list: String) -> [JSON] { values[list] ?? [] }

  /// The values of `list` that `text` may mean, in the list's order.
  func values(of list: String, for text: String) -> [JSON] {
    guard let all = values[list], let names = names[list] else { return [] }
    let places = understander.interpret(text, among: names).ranking.compactMap { guess in
      Int(guess.name.dropFirst(list.count + 1))
    }
    return places.sorted().map { all[$0] }
  }

  /// The words of which some may stand for `value` where others are not meant.
  func words(for value: JSON, of list: String) -> Set<String> {
    let name = NormalizedText(ReplyTemplate.words(of: value)).words.map(\.text)
    return (words[list]?[value.description] ?? []).union(name)
  }

  /// What is said for each value.
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
  /// The words that stand in it.
  fileprivate var literals: Set<String> {
    switch self {
    case .text(let text): Set(NormalizedText(text).words.map(\.text))
    case .sequence(let items), .alternative(let items), .permutation(let items):
      items.reduce(into: []) { $0.formUnion($1.literals) }
    case .list, .rule: []
    }
  }
}
