/// How to say a person's own words, from the hints of a vocabulary file.
public struct Vocabulary: Sendable, Equatable {
  /// Each word's hints; see ``init(hints:)``.
  private let ways: [String: [[String]]]

  public static let empty = Vocabulary(ways: [:])

  private init(ways: [String: [[String]]]) { self.ways = ways }

  /// - Parameter hints: for each word ways to say it: `K AE F EY` in ARPAbet, `/kæfˈeɪ/` in IPA, or as English would
  ///   spell it, `caffay`.
  /// - Throws: ``RecognitionFault/badHint(word:hint:)``.
  public init(hints: [String: [String]]) throws(RecognitionFault) {
    var ways: [String: [[String]]] = [:]
    for (word, list) in hints {
      for hint in list {
        guard let phones = Self.phones(hint) else { throw .badHint(word: word, hint: hint) }
        ways[word.lowercased(), default: []].append(phones)
      }
    }
    self.ways = ways
  }

  /// The ways to say `word`, in ARPAbet; nil for words that it does not have.
  package func phones(of word: String) -> [[String]]? { ways[word] }

  private static func phones(_ hint: String) -> [String]? {
    if hint.count > 2, hint.first == "/", hint.last == "/" {
      return Pronunciation.arpabet(ipa: String(hint.dropFirst().dropLast()))
    }
    let parts = hint.split(separator: " ").map(String.init)
    if !parts.isEmpty, parts.allSatisfy(Pronunciation.phones.contains) { return parts }
    var phones: [String] = []
    for part in parts {
      guard let some = Pronunciation.arpabet(spelling: part) else { return nil }
      phones += some
    }
    return phones.isEmpty ? nil : phones
  }
}
