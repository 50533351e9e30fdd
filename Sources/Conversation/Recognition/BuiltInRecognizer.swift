import Detection
import Platform

/// Hotword's own recognizer: hears the sentences of a grammar in the sounds that encoders tell apart.
///
/// The encoders learned in noise, so that commands are understood in it; see the module's guide for what was measured.
/// Some hundredths of a second of processor time per second of audio, while it comes; the final result needs
/// milliseconds. Feed it the raw stream. Equal audio gives equal results, in chunks of any size and whatever went
/// before. Belongs to one worker thread.
public final class BuiltInRecognizer: Recognizer {
  public let name = "builtin"
  public let locale: String
  private let encoders: [String]
  private let dictionary: String
  private let grammar: Grammar
  private let vocabulary: Vocabulary
  private let pronounce: Pronouncer
  private var loaded: (ear: EncoderEar, search: SentenceSearch)?
  private weak var session: BuiltInSession?

  /// - Parameters:
  ///   - encoders: the paths of the encoders' files, whose hearing is averaged; none where there is none for the locale.
  ///   - dictionary: the path of a dictionary in the form of CMU's; without the file all words are spelled.
  ///   - vocabulary: words that are said its way, whatever the dictionary tells.
  ///   - pronounce: asked for words that the dictionary lacks; spelling rules decide where it returns nil.
  public init(
    encoders: [String], dictionary: String = SpeechModel.english.dictionary, locale: String = "en-US",
    grammar: Grammar, vocabulary: Vocabulary = .empty, pronounce: @escaping Pronouncer = { _ in nil }
  ) {
    self.vocabulary = vocabulary
    self.encoders = encoders
    self.dictionary = dictionary
    self.locale = locale
    self.grammar = grammar
    self.pronounce = pronounce
  }

  /// The encoders for a language: the files `recognition/en/….safetensors` in the first of the models' folders that
  /// has any.
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
    let (ear, search) = try load()
    let started = BuiltInSession(ear, search, request)
    session = started
    return started
  }

  private func load() throws(RecognitionFault) -> (ear: EncoderEar, search: SentenceSearch) {
    if let loaded { return loaded }
    if case .unavailable(let fault) = availability { throw fault }
    var read: [PhonemeEncoder] = []
    do throws(DetectionFault) {
      for path in encoders { read.append(try PhonemeEncoder(reading: path)) }
    } catch {
      throw .encoderRefused(reason: error.message)
    }
    let ear = try EncoderEar(read)
    let sounds = read[0].phonemes
    let rules = try GrammarParser.parse(grammar.jsgf)
    let graph = try SentenceGraph(
      rules, silence: UInt8(sounds.firstIndex(of: "silence") ?? 0),
      pronunciations: pronunciations(sounds), vowels: Self.vowels(among: sounds))
    let made = (ear: ear, search: SentenceSearch(graph))
    loaded = made
    return made
  }

  private static func vowels(among sounds: [String]) -> Set<UInt8> {
    let vowels: Set = [
      "aa", "ae", "ah", "ao", "aw", "ay", "eh", "er", "ey", "ih", "iy", "ow", "oy", "uh", "uw",
    ]
    return Set(sounds.indices.filter { vowels.contains(sounds[$0]) }.map { UInt8($0) })
  }

  /// The ways to say each word of the grammar, as outputs of the encoder.
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
