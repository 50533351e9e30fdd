import Recognition
import Synchronization
import Understanding

/// The sentences that several recognizers recognize: each form of them is compiled once, when it is first needed.
///
/// Any thread may use it.
package final class KnownSentences: Sendable {
  let intents: IntentFile
  private let compiled = Mutex(Compiled())

  private struct Compiled {
    var grammar: Recognition.Grammar?
    var understander: Understander?
    var network: SentenceNetwork?
  }

  package init(_ intents: IntentFile) { self.intents = intents }

  func grammar() throws -> Recognition.Grammar {
    try once(\.grammar) {
      let compiled = try Understanding.Grammar(intents)
      return Recognition.Grammar(jsgf: compiled.jsgf, words: compiled.words, meanings: compiled.intents)
    }
  }

  func understander() throws -> Understander { try once(\.understander) { try Understander(intents) } }

  /// For `builtin`.
  func network() throws -> SentenceNetwork {
    let (grammar, understander) = (try grammar(), try understander())
    return try once(\.network) {
      SentenceNetwork(
        encoders: BuiltInRecognizer.encoders(for: intents.language), locale: intents.language,
        grammar: grammar,
        vocabulary: try Vocabulary(hints: intents.vocabulary), pronounce: EspeakPronouncer().phones
      ) { first, second in
        let meanings = [understander.interpret(first), understander.interpret(second)]
        return meanings.allSatisfy { $0.intent != nil } && !meanings[0].means(meanings[1])
      }
    }
  }

  private func once<Form: Sendable>(
    _ form: WritableKeyPath<Compiled, Form?> & Sendable, _ make: () throws -> Form
  ) throws -> Form {
    try compiled.withLock { compiled in
      if let made = compiled[keyPath: form] { return made }
      let made = try make()
      compiled[keyPath: form] = made
      return made
    }
  }
}
