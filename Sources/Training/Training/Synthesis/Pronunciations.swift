import Platform

/// A pronouncing dictionary, if one is installed, to find words that sound like a phrase.
package struct Pronunciations: Sendable {
  /// PocketSphinx's American English dictionary, the CMU dictionary.
  package static let installedPath = "/usr/share/pocketsphinx/model/en-us/cmudict-en-us.dict"

  /// A word with its phonemes in ARPAbet without stress.
  package struct Entry: Sendable, Equatable {
    package let word: String
    package let phonemes: [Phoneme]
  }

  /// Each word once, with its most common pronunciation.
  package let entries: [Entry]
  private let words: [String: Int]
  /// The other pronunciations of a word.
  private let variants: [String: [[Phoneme]]]

  /// Reads the dictionary at `path`, with a word and its phonemes on each line. Returns nil if there is none.
  package init?(path: String = Pronunciations.installedPath) {
    guard let bytes = try? Files.read(path, limit: 64 << 20) else { return nil }
    var known: [[UInt8]: Phoneme] = [:]
    var entries: [Entry] = []
    var variants: [String: [[Phoneme]]] = [:]
    entries.reserveCapacity(140_000)
    for line in bytes.split(separator: 10) {
      let fields = line.split(separator: 32)
      // The word of a variant has its number in parentheses.
      let mark = fields.first?.firstIndex(of: 40)
      guard fields.count > 1, let name = mark.map({ fields[0][..<$0] }) ?? fields.first,
        name.allSatisfy({ ($0 >= 97 && $0 <= 122) || $0 == 39 })
      else { continue }
      let phonemes = fields[1...].compactMap { field -> Phoneme? in
        let name = Array(field)
        if let known = known[name] { return known }
        guard let phoneme = Phoneme(arpabet: String(decoding: name, as: UTF8.self)) else { return nil }
        known[name] = phoneme
        return phoneme
      }
      let word = String(decoding: name, as: UTF8.self)
      if mark == nil {
        entries.append(Entry(word: word, phonemes: phonemes))
      } else {
        variants[word, default: []].append(phonemes)
      }
    }
    guard !entries.isEmpty else { return nil }
    self.entries = entries
    self.variants = variants
    words = Dictionary(entries.enumerated().map { ($1.word, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the sounds of `word`; nil if it is not in the dictionary.
  package func phonemes(of word: String) -> [Phoneme]? { words[word].map { entries[$0].phonemes } }

  /// Returns all pronunciations of `word`, the most common first; empty if it is not in the dictionary.
  package func readings(of word: String) -> [[Phoneme]] {
    phonemes(of: word).map { [$0] + (variants[word] ?? []) } ?? []
  }

  /// Returns the sounds of a word that is two words of the dictionary together, as "mycroft" is "my" and "croft"; nil if it is
  /// not. The parts are as equal in length as can be; one has three letters or more and the other two.
  package func compound(_ word: String) -> [Phoneme]? {
    let letters = Array(word)
    guard letters.count >= 5 else { return nil }
    let middle = letters.count / 2
    for cut in (2...letters.count - 2).sorted(by: { (abs($0 - middle), $0) < (abs($1 - middle), $1) }) {
      if let first = phonemes(of: String(letters[..<cut])), let second = phonemes(of: String(letters[cut...]))
      {
        return first + second
      }
    }
    return nil
  }

  /// Returns whether `word` contains the sounds of one of `phrase`, as "computers" contains "computer".
  package func says(_ word: String, oneOf phrase: [[Phoneme]]) -> Bool {
    guard let spoken = phonemes(of: word) else { return false }
    return phrase.contains { target in
      guard !target.isEmpty, target.count <= spoken.count else { return false }
      return (0...spoken.count - target.count).contains { spoken[$0...].starts(with: target) }
    }
  }

  /// Returns the words that are 1…`distance` edits away from `target`, nearest first.
  package func neighbours(of target: [Phoneme], within distance: Int, limit: Int) -> [String] {
    var found: [(distance: Int, word: String)] = []
    for entry in entries where abs(entry.phonemes.count - target.count) <= distance {
      let edits = Self.edits(target, entry.phonemes, atMost: distance)
      if edits > 0, edits <= distance { found.append((edits, entry.word)) }
    }
    found.sort { ($0.distance, $0.word) < ($1.distance, $1.word) }
    return found.prefix(limit).map(\.word)
  }

  /// Returns the words that begin or end like `target`, with `shared` phonemes or more in common.
  package func relatives(of target: [Phoneme], sharing shared: Int) -> [String] {
    guard target.count > shared else { return [] }
    return entries.filter { entry in
      guard entry.phonemes != target, entry.phonemes.count >= shared else { return false }
      return entry.phonemes.starts(with: target.prefix(shared))
        || entry.phonemes.suffix(shared) == target.suffix(shared)
    }.map(\.word)
  }

  /// Returns the Levenshtein distance, or any value above `limit` if it exceeds that.
  static func edits(_ a: [Phoneme], _ b: [Phoneme], atMost limit: Int) -> Int {
    var row = Array(0...b.count)
    for i in 0..<a.count {
      var diagonal = row[0]
      row[0] = i + 1
      var least = row[0]
      for j in 0..<b.count {
        let cost = min(row[j] + 1, row[j + 1] + 1, diagonal + (a[i] == b[j] ? 0 : 1))
        diagonal = row[j + 1]
        row[j + 1] = cost
        least = min(least, cost)
      }
      if least > limit { return limit + 1 }
    }
    return row[b.count]
  }
}
