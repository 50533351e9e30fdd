import Platform

/// Tells which values of a list the same words may mean: "the airport" where two are called so.
struct ValueChooser: Sendable {
  /// Each value once, in the list's order.
  let all: [JSON]
  private let understander: Understander

  /// The choosers of the lists that the slots of `file` name, or that its sentences fill them from.
  static func choosers(of file: IntentFile) throws(UnderstandingFault) -> [String: ValueChooser] {
    var choosers: [String: ValueChooser] = [:]
    for intent in file.intents where intent.asks {
      let sources = SlotSource.sources(of: intent, in: file)
      for slot in intent.slots {
        guard let name = sources[slot.name]?.list, choosers[name] == nil, let list = file.lists[name],
          case .values(let values) = list.kind
        else { continue }
        choosers[name] = try ValueChooser(list, values, in: file)
      }
    }
    return choosers
  }

  private init(
    _ list: SlotList, _ values: [SlotList.Value], in file: IntentFile
  ) throws(UnderstandingFault) {
    var all: [JSON] = []
    var said: [[SlotList.Value]] = []
    for value in values {
      guard let meant = value.value else { continue }
      if let index = all.firstIndex(of: meant) {
        said[index].append(value)
      } else {
        all.append(meant)
        said.append([value])
      }
    }
    self.all = all
    var chooser = IntentFile(name: file.name, language: file.language)
    chooser.rules = file.rules
    chooser.lists = file.lists
    let use = Template.ListReference(
      list: list.name, slot: "value", isCapture: false, isGlued: false, offset: 0)
    for (index, values) in said.enumerated() {
      var block = SentenceBlock()
      block.sentences = [Rule(template: .list(use), node: .nowhere)]
      var own = list
      own.kind = .values(values)
      block.lists = [list.name: own]
      chooser.intents.append(Intent(name: "\(index)", blocks: [block]))
    }
    understander = try Understander(chooser)
  }

  /// The values that `text` may mean, in the list's order.
  func values(for text: String) -> [JSON] {
    understander.interpret(text).ranking.compactMap { Int($0.name) }.sorted().map { all[$0] }
  }
}
