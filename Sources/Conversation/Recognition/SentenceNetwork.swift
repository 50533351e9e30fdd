import Detection
import Platform
import Synchronization
import TextProcessing

/// What built-in recognizers of the same sentences share: the encoders, and the sentences as a network of sounds.
///
/// Loaded once, when a recognizer needs it first. Any thread may use it.
public final class SentenceNetwork: Sendable {
  struct Loaded: Sendable {
    let encoders: [PhonemeEncoder]
    let packed: PackedNetworks
    let graph: SentenceGraph
  }

  public let locale: String
  let grammar: Grammar
  let differ: @Sendable (String, String) -> Bool
  private let encoders: [String]
  private let dictionary: String
  private let vocabulary: Vocabulary
  private let pronounce: Pronouncer
  private let loaded = Mutex<Loaded?>(nil)

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
    differ: @escaping @Sendable (String, String) -> Bool = { _, _ in false }
  ) {
    self.encoders = encoders
    self.dictionary = dictionary
    self.locale = locale
    self.grammar = grammar
    self.vocabulary = vocabulary
    self.pronounce = pronounce
    self.differ = differ
  }

  var availability: RecognizerAvailability {
    if encoders.isEmpty { return .unavailable(.noEncoder(language: locale)) }
    let missing = encoders.first { !Files.exists($0) }
    return missing.map { .unavailable(.missingEncoder(path: $0)) } ?? .available
  }

  func load() throws(RecognitionFault) -> Loaded {
    try loaded.withLock { loaded throws(RecognitionFault) in
      if let loaded { return loaded }
      let made = try read()
      loaded = made
      return made
    }
  }

  private func read() throws(RecognitionFault) -> Loaded {
    if case .unavailable(let fault) = availability { throw fault }
    var read: [PhonemeEncoder] = []
    do throws(DetectionFault) {
      for path in encoders { read.append(try PhonemeEncoder(reading: path)) }
    } catch {
      throw .encoderRefused(reason: error.message)
    }
    let sounds = read[0].phonemes
    let ways = pronunciations(sounds)
    let rules = try GrammarParser.parse(grammar.jsgf).leavingOut(
      grammar.words.filter { ways[$0]?.isEmpty ?? true })
    let graph = try SentenceGraph(
      rules, silence: UInt8(sounds.firstIndex(of: "silence") ?? 0), pronunciations: ways,
      vowels: Self.vowels(among: sounds),
      sentences: grammar.meanings.count)
    return Loaded(encoders: read, packed: PackedNetworks(), graph: graph)
  }

  private static func vowels(among sounds: [String]) -> Set<UInt8> {
    let vowels: Set = [
      "aa", "ae", "ah", "ao", "aw", "ay", "eh", "er", "ey", "ih", "iy", "ow", "oy", "uh", "uw",
    ]
    return Set(sounds.indices.filter { vowels.contains(sounds[$0]) }.map { UInt8($0) })
  }

  /// Returns the pronunciations of each word of the grammar, none for an unknown word, as outputs of an encoder with these `sounds`,
  /// in lower case.
  package func pronunciations(_ sounds: [String]) -> [String: [[UInt8]]] {
    let outputs = Dictionary(
      sounds.enumerated().map { ($1.uppercased(), UInt8($0)) }, uniquingKeysWith: { first, _ in first })
    let known = PronouncingDictionary(dictionary, words: Set(grammar.words)).entries
    var found: [String: [[UInt8]]] = [:]
    for word in grammar.words {
      let ways =
        vocabulary.phones(of: word)
        ?? Self.withMergedVowels(
          known[word] ?? [pronounce(word) ?? Pronunciation.arpabet(spelling: word)].compactMap { $0 })
      found[word] = ways.map { $0.compactMap { outputs[$0] } }.filter { !$0.isEmpty }
    }
    return found
  }

  /// Adds the pronunciations of those who say "cot" and "caught" alike: AA for AO, except before R. The dictionary has both for
  /// "on", but not for "off", which was therefore recognized as "on".
  private static func withMergedVowels(_ ways: [[String]]) -> [[String]] {
    let merged = ways.map { phones in
      phones.indices.map { phones[$0] == "AO" && phones.dropFirst($0 + 1).first != "R" ? "AA" : phones[$0] }
    }
    return ways + merged.filter { !ways.contains($0) }
  }
}
