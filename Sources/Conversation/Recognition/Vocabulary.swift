import TextProcessing

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
        do throws(PronunciationDefect) {
          ways[word.lowercased(), default: []].append(try Pronunciation.phones(hint: hint))
        } catch {
          throw .badHint(word: word, hint: hint)
        }
      }
    }
    self.ways = ways
  }

  /// The pronunciations of `word` in ARPAbet; nil for words without hints.
  package func phones(of word: String) -> [[String]]? { ways[word] }
}
