import Platform

/// A pronouncing dictionary, where one is installed, to find words that sound like a phrase.
package struct Pronunciations: Sendable {
  /// PocketSphinx's American English: the CMU dictionary.
  package static let installedPath = "/usr/share/pocketsphinx/model/en-us/cmudict-en-us.dict"

  /// A word with its phonemes in ARPAbet without stress.
  package struct Entry: Sendable, Equatable {
    package let word: String
    package let phonemes: [Phoneme]
  }

  package let entries: [Entry]
  private let words: [String: Int]

  /// Reads the dictionary at `path`: one word a line and its phonemes; nil where there is none.
  package init?(path: String = Pronunciations.installedPath) {
    guard let bytes = try? Files.read(path, limit: 64 << 20) else { return nil }
    var known: [[UInt8]: Phoneme] = [:]
    var entries: [Entry] = []
    entries.reserveCapacity(140_000)
    for line in bytes.split(separator: 10) {
      let fields = line.split(separator: 32)
      guard fields.count > 1, fields[0].allSatisfy({ ($0 >= 97 && $0 <= 122) || $0 == 39 }) else { continue }
      let phonemes = fields[1...].compactMap { field -> Phoneme? in
        let name = Array(field)
        if let known = known[name] { return known }
        guard let phoneme = Phoneme(arpabet: String(decoding: name, as: UTF8.self)) else { return nil }
        known[name] = phoneme
        return phoneme
      }
      entries.append(Entry(word: String(decoding: fields[0], as: UTF8.self), phonemes: phonemes))
    }
    guard !entries.isEmpty else { return nil }
    self.entries = entries
    words = Dictionary(entries.enumerated().map { ($1.word, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The sounds of `word`; nil where the dictionary lacks it.
  package func phonemes(of word: String) -> [Phoneme]? { words[word].map { entries[$0].phonemes } }

  /// Whether saying `word` says one of `phrase` on the way, as "computers" says "computer".
  package func says(_ word: String, oneOf phrase: [String]) -> Bool {
    guard let index = words[word] else { return false }
    let spoken = entries[index].phonemes
    return phrase.contains { part in
      guard let other = words[part] else { return word.contains(part) }
      let target = entries[other].phonemes
      guard target.count <= spoken.count else { return false }
      return (0...spoken.count - target.count).contains { spoken[$0...].starts(with: target) }
    }
  }

  /// Words whose phonemes are 1…`distance` edits away from those of `word`, nearest first.
  package func neighbours(of word: String, within distance: Int, limit: Int) -> [String] {
    guard let index = words[word] else { return [] }
    let target = entries[index].phonemes
    var found: [(distance: Int, word: String)] = []
    for entry in entries where abs(entry.phonemes.count - target.count) <= distance {
      let edits = Self.edits(target, entry.phonemes, atMost: distance)
      if edits > 0, edits <= distance { found.append((edits, entry.word)) }
    }
    found.sort { ($0.distance, $0.word) < ($1.distance, $1.word) }
    return found.prefix(limit).map(\.word)
  }

  /// Words that begin or end like `word`: `shared` phonemes or more in common.
  package func relatives(of word: String, sharing shared: Int) -> [String] {
    guard let index = words[word] else { return [] }
    let target = entries[index].phonemes
    guard target.count > shared else { return [] }
    return entries.filter { entry in
      guard entry.phonemes != target, entry.phonemes.count >= shared else { return false }
      return entry.phonemes.starts(with: target.prefix(shared))
        || entry.phonemes.suffix(shared) == target.suffix(shared)
    }.map(\.word)
  }

  /// The Levenshtein distance, or anything larger than `limit` once it is known to exceed it.
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
