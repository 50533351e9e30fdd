import TextProcessing
import Understanding
import YAMLFormat

extension IntentFile {
  /// The file with phrases that end what is said among its sentences, for the recognizer's grammar.
  ///
  /// - Parameters:
  ///   - done: may stand behind any sentence, and alone.
  ///   - cancel: alone; behind a sentence other noise would be taken for them.
  public func withStopPhrases(_ done: [String], cancel: [String]) -> IntentFile {
    var file = self
    let endings = done.compactMap(Self.spoken)
    if !endings.isEmpty {
      let ending = Template.optional(.words([.alternative(endings)]))
      for intent in file.intents.indices {
        for block in file.intents[intent].blocks.indices {
          file.intents[intent].blocks[block].sentences = intents[intent].blocks[block].sentences.map {
            Rule(template: .sequence([$0.template, ending]), node: $0.node)
          }
        }
      }
    }
    let alone = endings + cancel.compactMap(Self.spoken)
    if alone.isEmpty { return file }
    var block = SentenceBlock()
    block.sentences = [Rule(template: .alternative(alone), node: .nowhere)]
    file.intents.append(Intent(name: "stopping phrases", blocks: [block]))
    return file
  }

  private static func spoken(_ phrase: String) -> Template? {
    let words = NormalizedText(phrase).words.map(\.text)
    return words.isEmpty ? nil : .words(words.map { .text($0) })
  }
}
