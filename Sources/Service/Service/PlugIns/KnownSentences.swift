import Recognition
import Understanding

/// The sentences that several recognizers recognize: each form of them is compiled once, when it is first needed.
final class KnownSentences {
  let intents: IntentFile
  private var compiledGrammar: Recognition.Grammar?
  private var compiledUnderstander: Understander?

  init(_ intents: IntentFile) { self.intents = intents }

  func grammar() throws -> Recognition.Grammar {
    if let compiledGrammar { return compiledGrammar }
    let compiled = try Understanding.Grammar(intents)
    let made = Recognition.Grammar(jsgf: compiled.jsgf, words: compiled.words, meanings: compiled.intents)
    compiledGrammar = made
    return made
  }

  func understander() throws -> Understander {
    if let compiledUnderstander { return compiledUnderstander }
    let made = try Understander(intents)
    compiledUnderstander = made
    return made
  }
}
