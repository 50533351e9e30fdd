import Detection
import Platform
import TextProcessing

/// The built-in recognizer: recognizes the sentences of a grammar in phoneme posteriors of neural encoders.
///
/// The encoders are trained with noise. Costs some hundredths of a second of processor time per second of audio, while
/// audio arrives; the final result takes milliseconds. Pass the unprocessed stream. Results depend on the audio only,
/// not on the size of chunks or on earlier audio. Not thread-safe: use it on one worker thread. Measurements are in the
/// README of this module.
public final class BuiltInRecognizer: Recognizer {
  public let name = "builtin"
  public let locale: String
  private let encoders: [String]
  private let dictionary: String
  private let grammar: Grammar
  private let vocabulary: Vocabulary
  private let pronounce: Pronouncer
  private let differ: (String, String) -> Bool
  private var loaded: (encoder: EncoderStream, search: SentenceSearch)?
  private weak var session: BuiltInSession?

  /// - Parameters:
  ///   - encoders: the paths of the encoder files, whose outputs are averaged; empty where the locale has none.
  ///   - dictionary: the path of a pronouncing dictionary in the CMU format; if it is missing, spelling rules apply.
  ///   - vocabulary: pronunciations that replace those of the dictionary.
  ///   - pronounce: called for words that are not in the dictionary; where it returns nil, spelling rules apply.
  ///   - differ: whether two sentences mean different things: a sentence is not trusted if one that means something else fits
  ///     almost as well.
  public init(
    encoders: [String], dictionary: String = SpeechModel.english.dictionary, locale: String = "en-US",
    grammar: Grammar, vocabulary: Vocabulary = .empty, pronounce: @escaping Pronouncer = { _ in nil },
    differ: @escaping (String, String) -> Bool = { _, _ in false }
  ) {
    self.vocabulary = vocabulary
    self.encoders = encoders
    self.dictionary = dictionary
    self.locale = locale
    self.grammar = grammar
    self.pronounce = pronounce
    self.differ = differ
  }

  /// The encoders for a language: the files `recognition/en/….safetensors` in the first model folder that has any.
  public static func encoders(for language: String, in store: ModelStore = .standard()) -> [String] {
    let code = language.prefix { $0.isLetter }.lowercased()
    for folder in store.folders.map({ "\($0)/recognition/\(code)" }) {
      let files = ((try? Files.names(in: folder)) ?? []).filter { $0.hasSuffix(ModelStore.suffix) }
      if !files.isEmpty { return files.map { "\(folder)/\($0)" } }
    }
    return []
  }

  public var availability: RecognizerAvailability {
    if encoders.isEmpty { return .unavailable(.noEncoder(language: locale)) }
    let missing = encoders.first { !Files.exists($0) }
    return missing.map { .unavailable(.missingEncoder(path: $0)) } ?? .available
  }

  public func prepare() throws(RecognitionFault) { _ = try load() }

  public func start(_ request: RecognitionRequest) throws(RecognitionFault) -> any RecognitionSession {
    session?.cancel()
    let (encoder, search) = try load()
    let started = BuiltInSession(encoder, search, grammar.meanings, request, differ: differ)
    session = started
    return started
  }

  private func load() throws(RecognitionFault) -> (encoder: EncoderStream, search: SentenceSearch) {
    if let loaded { return loaded }
    if case .unavailable(let fault) = availability { throw fault }
    var read: [PhonemeEncoder] = []
    do throws(DetectionFault) {
      for path in encoders { read.append(try PhonemeEncoder(reading: path)) }
    } catch {
      throw .encoderRefused(reason: error.message)
    }
    let encoder = try EncoderStream(read)
    let sounds = read[0].phonemes
    let rules = try GrammarParser.parse(grammar.jsgf)
    let graph = try SentenceGraph(
      rules, silence: UInt8(sounds.firstIndex(of: "silence") ?? 0),
      pronunciations: pronunciations(sounds), vowels: Self.vowels(among: sounds),
      sentences: grammar.meanings.count)
    let made = (encoder: encoder, search: SentenceSearch(graph))
    loaded = made
    return made
  }

  private static func vowels(among sounds: [String]) -> Set<UInt8> {
    let vowels: Set = [
      "aa", "ae", "ah", "ao", "aw", "ay", "eh", "er", "ey", "ih", "iy", "ow", "oy", "uh", "uw",
    ]
    return Set(sounds.indices.filter { vowels.contains(sounds[$0]) }.map { UInt8($0) })
  }

  /// The pronunciations of each word of the grammar, as outputs of the encoder.
  private func pronunciations(_ sounds: [String]) throws(RecognitionFault) -> [String: [[UInt8]]] {
    let outputs = Dictionary(
      sounds.enumerated().map { ($1.uppercased(), UInt8($0)) }, uniquingKeysWith: { first, _ in first })
    let known = PronouncingDictionary(dictionary, words: Set(grammar.words)).entries
    var found: [String: [[UInt8]]] = [:]
    var unknown: [String] = []
    for word in grammar.words {
      let ways =
        vocabulary.phones(of: word) ?? known[word]
        ?? [pronounce(word) ?? Pronunciation.arpabet(spelling: word)].compactMap { $0 }
      let rows = ways.map { $0.compactMap { outputs[$0] } }.filter { !$0.isEmpty }
      if rows.isEmpty { unknown.append(word) }
      found[word] = rows
    }
    if !unknown.isEmpty { throw .unpronounceable(words: unknown) }
    return found
  }
}
