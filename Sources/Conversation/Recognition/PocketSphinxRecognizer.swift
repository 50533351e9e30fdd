import CPocketSphinx
import Platform
import TextProcessing

/// Returns the pronunciation of a word as phones in ARPAbet, or nil.
public typealias Pronouncer = @Sendable (String) -> [String]?

/// PocketSphinx in this process: with a grammar, or for dictation.
///
/// A grammar costs 0.04 s (the coffee example) to 0.15 s (the built-in intents) of processor time per second of audio,
/// while audio arrives; the final result takes milliseconds. Its confidence separates sentences of the grammar from
/// other speech. Dictation by n-grams costs 0.3 s per second; it has alternatives and posteriors, and a high word error
/// rate.
///
/// `prepare` or the first session loads the library and the model: 0.13 s of processor time and 30 MB with a few
/// sentences, 0.65 s and 93 MB with the grammar of the built-in intents. Pass the unprocessed stream, without noise
/// suppression. Results depend on the audio only, not on the size of chunks or on earlier audio. Not thread-safe: use
/// it on one worker thread.
public final class PocketSphinxRecognizer: Recognizer {
  public let name = "pocketsphinx"
  public let model: SpeechModel
  public let grammar: Grammar?
  /// The largest number of words of a grammar after rules are expanded; the built-in intents have 25,000. Names of four words
  /// need 5 KB a word, and a time to load that grows with its square: 160 s for 120,000. Where memory runs out, the library ends
  /// the process.
  static let wordLimit = 50_000

  private let vocabulary: Vocabulary
  private let pronounce: Pronouncer
  private var decoder: SphinxDecoder?
  private weak var session: PocketSphinxSession?

  /// - Parameters:
  ///   - grammar: the sentences; nil for dictation.
  ///   - vocabulary: pronunciations in addition to those of the dictionary.
  ///   - pronounce: called for words that are not in the dictionary; where it returns nil, spelling rules apply.
  public init(
    model: SpeechModel = .english, grammar: Grammar?, vocabulary: Vocabulary = .empty,
    pronounce: @escaping Pronouncer = { _ in nil }
  ) {
    self.vocabulary = vocabulary
    self.model = model
    self.grammar = grammar
    self.pronounce = pronounce
  }

  /// Keeps the libraries that PocketSphinx loads from starting a thread for each processor.
  ///
  /// It changes the environment: call it while the process has one thread, and not before `CommandLine.arguments` is read,
  /// which Swift finds next to the original environment.
  public static func limitThreads() { sphinx_limit_threads() }

  public var locale: String { model.locale }

  /// Whether the library and the model files exist, and the grammar is not too large; loads the library, which takes some milliseconds.
  public var availability: RecognizerAvailability {
    if let path = model.missing(grammar: grammar != nil) { return .unavailable(.missingModel(path: path)) }
    if let reason = sphinx_load() {
      return .unavailable(.missingLibrary(reason: String(cString: reason)))
    }
    if let grammar {
      do throws(RecognitionFault) {
        let words = try GrammarParser.parse(grammar.jsgf).expandedWords
        guard words <= Self.wordLimit else { throw .grammarTooLarge(words: words, limit: Self.wordLimit) }
      } catch {
        return .unavailable(error)
      }
    }
    return .available
  }

  public func prepare() throws(RecognitionFault) { _ = try load() }

  public func start(_ request: RecognitionRequest) throws(RecognitionFault) -> any RecognitionSession {
    session?.cancel()
    session?.close()
    let started = try PocketSphinxSession(load(), isGrammar: grammar != nil, request)
    session = started
    return started
  }

  private func load() throws(RecognitionFault) -> SphinxDecoder {
    if let decoder { return decoder }
    if case .unavailable(let fault) = availability { throw fault }
    var options = ["-hmm", model.acousticModel, "-dict", model.dictionary]
    if grammar != nil { options += ["-compallsen", "yes", "-bestpath", "no"] }
    let made = try SphinxDecoder(folder: model.folder, options: options)
    if let grammar {
      let unknown = try addWords(made, grammar.words)
      // Its own parser takes no alternative that cannot be said.
      try made.use(
        grammar: unknown.isEmpty ? grammar.jsgf : GrammarParser.parse(grammar.jsgf).leavingOut(unknown).jsgf)
    } else {
      try made.use(ngrams: model.ngrams)
    }
    decoder = made
    return made
  }

  /// Adds words to the dictionary and returns those without a pronunciation.
  private func addWords(_ decoder: SphinxDecoder, _ words: [String]) throws(RecognitionFault) -> [String] {
    var unknown: [String] = []
    for word in words {
      let isKnown = decoder.contains(word)
      if let ways = vocabulary.phones(of: word) {
        for (number, way) in ways.enumerated() {
          let isFirst = !isKnown && number == 0
          guard decoder.add(isFirst ? word : "\(word)(hint\(number))", phones: way) else {
            throw .badHint(word: word, hint: way.joined(separator: " "))
          }
        }
        continue
      }
      if isKnown { continue }
      let phones = pronounce(word) ?? Pronunciation.arpabet(spelling: word)
      guard let phones, decoder.add(word, phones: phones) else {
        unknown.append(word)
        continue
      }
    }
    return unknown
  }
}
