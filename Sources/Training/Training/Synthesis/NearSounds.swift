import Platform

/// Sequences of sounds similar to a phrase, in espeak-ng's names, for training the distinction in any
/// language.
package struct NearSounds: Sendable {
  /// The sounds of each word.
  private let words: [[String]]
  /// Words of the language, from which sounds and halves are taken.
  private let others: [[String]]
  private let vowels: [String]
  private let consonants: [String]

  /// - Parameters:
  ///   - words: the sounds of each word of the phrase; stress is a mark before a name.
  ///   - others: the sounds of other words of the language.
  package init(_ words: [[String]], others: [[String]]) {
    self.words = words.filter { !$0.isEmpty }
    self.others = others.filter { $0.count > 1 }
    let all = Set((words + others).joined().map(Self.plain)).subtracting([""]).sorted()
    vowels = all.filter { Self.kind(of: $0) == .vowel }
    consonants = all.filter { Self.kind(of: $0) == .consonant }
  }

  package var isEmpty: Bool { words.isEmpty || vowels.count < 3 || consonants.count < 5 }

  /// Returns the phrase with one or two sounds replaced by clearly different ones.
  package func changed(_ random: inout RandomSource) -> String {
    var changed = words
    let places = words.indices.flatMap { word in
      words[word].indices.filter { isDistinctive(words[word][$0]) }.map { (word, $0) }
    }
    guard places.count > 1 else { return joined(words.reversed()) }
    let first = Int(random.next() % UInt64(places.count))
    let second = (first + 1 + Int(random.next() % UInt64(places.count - 1))) % places.count
    let isOnce = places.count >= 5 && random.chance(0.4)
    for place in isOnce ? [first] : [first, second] {
      let (word, index) = places[place]
      changed[word][index] =
        place == second && random.chance(0.3) ? "" : substitute(for: changed[word][index], &random)
    }
    return joined(changed)
  }

  /// Returns the beginning or the end of the phrase; nil if it is too short.
  package func part(_ random: inout RandomSource) -> String? {
    let flat = words.flatMap { $0 }
    guard flat.count >= 4 else { return nil }
    let kept = max(2, Int(Float(flat.count) * random.uniform(0.35...0.65)))
    return joined([Array(random.chance(0.6) ? flat[..<kept] : flat[(flat.count - kept)...])])
  }

  /// The beginning and the end of the phrase, half of its sounds each; empty if it is too short.
  var halves: [String] {
    let flat = words.flatMap { $0 }
    guard flat.count >= 4 else { return [] }
    let half = flat.count / 2
    return [joined([Array(flat[..<half])]), joined([Array(flat[half...])])]
  }

  /// Returns one to three invented words of the language: halves of other words, joined.
  package func invented(_ random: inout RandomSource) -> String? {
    guard !others.isEmpty else { return nil }
    let count = 1 + Int(random.next() % 3)
    return joined(
      (0..<count).map { _ in
        let first = others[Int(random.next() % UInt64(others.count))]
        let last = others[Int(random.next() % UInt64(others.count))]
        return Array(first[..<((first.count + 1) / 2)] + last[(last.count / 2)...])
      })
  }

  private func joined(_ words: [[String]]) -> String {
    words.map { $0.filter { !$0.isEmpty }.joined(separator: "|") }.filter { !$0.isEmpty }.joined(
      separator: " ")
  }

  /// Returns whether a change of the sound is audible: unstressed vowels differ from speaker to speaker.
  private func isDistinctive(_ sound: String) -> Bool {
    switch Self.kind(of: Self.plain(sound)) {
    case .consonant: true
    case .vowel: sound.hasPrefix("'")
    case .other: false
    }
  }

  private func substitute(for sound: String, _ random: inout RandomSource) -> String {
    let plain = Self.plain(sound)
    let pool = Self.kind(of: plain) == .vowel ? vowels : consonants
    let group = Self.group(of: plain)
    let different = pool.filter { Self.group(of: $0) != group }
    guard !different.isEmpty else { return sound }
    return sound.prefix { Self.marks.contains($0) } + different[Int(random.next() % UInt64(different.count))]
  }

  private static let marks: Set<Character> = ["'", ",", "%", "="]
  private static func plain(_ sound: String) -> String { String(sound.drop { marks.contains($0) }) }

  private enum Kind { case vowel, consonant, other }

  private static func kind(of sound: String) -> Kind {
    switch group(of: sound) {
    case nil: .other
    case .some(0..<4): .vowel
    default: .consonant
    }
  }

  /// Sounds of one group are confused across accents and voices; vowels come first.
  private static let groups: [Set<Character>] = [
    ["a", "A", "V", "@", "3", "&", "0", "O"], ["e", "E", "I", "i"], ["o", "u", "U"], ["y", "Y", "W"],
    ["p", "b"],
    ["t", "d", "T", "D"], ["k", "g", "q", "c", "J"], ["f", "v", "B", "w"], ["s", "z"], ["S", "Z", "C"], ["m"],
    ["n", "N"], ["l", "L"], ["r", "R"], ["x", "X", "h", "H", "Q"], ["j"],
  ]

  private static func group(of sound: String) -> Int? {
    // Affricates sound like their second half.
    let first = ["tS", "dZ"].contains(where: sound.hasPrefix) ? sound.dropFirst().first : sound.first
    return first.flatMap { letter in groups.firstIndex { $0.contains(letter) } }
  }
}
