import TextProcessing
import Understanding
import YAMLFormat

extension IntentFile {
  /// The file with the answers to its questions added as sentences, for the grammar of a recognizer.
  public func withAnswers() throws(IntentFileFault) -> IntentFile {
    guard intents.contains(where: \.asks) else { return self }
    let words = try conversation()
    var file = try namingValues()
    let named = file
    file.rules.merge(words.rules) { $1 }
    let asking = intents.filter(\.asks)
    let isConfirmed = asking.contains { !$0.requirements.confirmations.isEmpty }
    let isChosen = asking.contains { intent in
      let sources = SlotSource.sources(of: intent, in: self)
      return intent.slots.contains {
        $0.isAsked && lists[sources[$0.name]?.list ?? ""]?.values.isEmpty == false
      }
    }
    file.intents += Answers.common(isSpoken: true).filter {
      ($0.name != "yes" || isConfirmed) && ($0.name != "choice" || isChosen)
    }
    file.add(answersOf: named, words, isSpoken: true)
    return file
  }

  /// The file with stop phrases added to its sentences, for the grammar of a recognizer: alone and after any sentence.
  ///
  /// - Parameter phrases: the phrases that end a command and those that cancel it.
  public func withStopPhrases(_ phrases: [String]) -> IntentFile {
    let endings = phrases.compactMap(Self.spoken)
    if endings.isEmpty { return self }
    var file = self
    file.ending = .alternative(endings)
    var block = SentenceBlock()
    block.sentences = [Rule(template: .alternative(endings), node: .nowhere)]
    file.intents.append(Intent(name: Self.stopping, blocks: [block]))
    return file
  }

  /// The intent of the stop phrases in a grammar.
  static let stopping = "stopping phrases"

  private static func spoken(_ phrase: String) -> Template? {
    let words = NormalizedText(phrase).words.map(\.text)
    return words.isEmpty ? nil : .words(words.map { .text($0) })
  }
}
