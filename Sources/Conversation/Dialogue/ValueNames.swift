import Platform
import Understanding
import YAMLFormat

/// The values of lists by the names that questions offer them by, among what is said for them.
extension IntentFile {
  /// The file with the names of the values that its intents may ask for among the words that mean them.
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
  /// What questions call it: words of letters only; nil for codes and numbers.
  fileprivate var name: String? {
    guard case .string(let text) = value else { return nil }
    let name = ReplyTemplate.words(of: .string(text)).lowercased()
    let isWords = !name.isEmpty && name.allSatisfy { $0.isLetter || $0 == " " || $0 == "'" || $0 == "-" }
    return isWords ? name : nil
  }

  /// Whether it is said by its name alone.
  fileprivate var isNamed: Bool {
    guard let name else { return true }
    return said.template == .text(name)
  }
}
