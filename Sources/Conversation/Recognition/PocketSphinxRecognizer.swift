import CPocketSphinx
import Platform

/// Says how a word is spoken: its phones in ARPAbet, or nil.
///
/// ``Pronunciation`` turns espeak-ng's IPA into such phones.
public typealias Pronouncer = @Sendable (String) -> [String]?

/// PocketSphinx in process: a grammar of what may be said, or free dictation where there is none.
///
/// With a grammar: 0.04 s (orders for coffee) to 0.15 s (the standard intents) of processor time per second of audio,
/// while it comes; the final result needs milliseconds. Its confidence tells grammar sentences from other speech.
/// Dictation by n-grams costs 0.3 s per second, has other readings and posteriors, and is poor.
///
/// The library and the model are loaded by `prepare` or the first session, never before: 0.13 s of processor time and
/// 30 MB with a few sentences, 0.65 s and 93 MB with the grammar of the standard intents. Feed it the raw stream, not
/// what a noise suppressor left. Equal audio gives equal results, in chunks of any size and whatever went before.
/// Belongs to one worker thread.
public final class PocketSphinxRecognizer: Recognizer {
  public let name = "pocketsphinx"
  public let model: SpeechModel
  public let grammar: Grammar?
  private let vocabulary: Vocabulary
  private let pronounce: Pronouncer
  private var decoder: SphinxDecoder?
  private weak var session: PocketSphinxSession?

  /// - Parameters:
  ///   - grammar: what may be said; nil for dictation.
  ///   - vocabulary: words that are said its way; where the dictionary has them too, its way counts besides.
  ///   - pronounce: asked for words that the model's dictionary lacks; spelling rules decide where it returns nil.
  public init(
    model: SpeechModel = .english, grammar: Grammar?, vocabulary: Vocabulary = .empty,
    pronounce: @escaping Pronouncer = { _ in nil }
  ) {
    self.vocabulary = vocabulary
    self.model = model
    self.grammar = grammar
    self.pronounce = pronounce
  }

  public var locale: String { model.locale }

  /// Whether the library and the model's files are there; opens the library, which takes some milliseconds.
  public var availability: RecognizerAvailability {
    if let path = model.missing(grammar: grammar != nil) { return .unavailable(.missingModel(path: path)) }
    if let reason = sphinx_load() {
      return .unavailable(.missingLibrary(reason: String(cString: reason)))
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
      guard grammar.jsgf.hasPrefix("#JSGF") else { throw .badGrammar(reason: "it does not begin with #JSGF") }
      try teach(made, grammar.words)
      try made.use(grammar: grammar.jsgf)
    } else {
      try made.use(ngrams: model.ngrams)
    }
    decoder = made
    return made
  }

  private func teach(_ decoder: SphinxDecoder, _ words: [String]) throws(RecognitionFault) {
    var unknown: [String] = []
    for word in words {
      let isKnown = decoder.knows(word)
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
    if !unknown.isEmpty { throw .unpronounceable(words: unknown) }
  }
}
