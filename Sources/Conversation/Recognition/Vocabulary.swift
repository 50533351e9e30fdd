/// Pronunciations of the user's own words, from hints in a vocabulary file.
public struct Vocabulary: Sendable, Equatable {
  /// The pronunciations of each word.
  private let ways: [String: [[String]]]

  public static let empty = Vocabulary(ways: [:])

  private init(ways: [String: [[String]]]) { self.ways = ways }

  /// - Parameter hints: pronunciations of each word: `K AE F EY` in ARPAbet, `/kæfˈeɪ/` in IPA, or an English spelling,
  ///   `caffay`.
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

  /// The pronunciations of `word` in ARPAbet; nil for words without hints.
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
