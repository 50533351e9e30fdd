import Platform

/// Makes pronunciations that sound similar to a phrase, but differ from it for any speaker.
enum SimilarReading {
  /// Sounds of one group are confused across accents, voices and rooms.
  private static let vowels: [[Phoneme]] = [
    [.aa, .ah, .ao, .er, .ae, .ow], [.ae, .eh, .ey, .ah], [.ih, .iy, .ey, .eh, .ah, .ue],
    [.uh, .uw, .ow, .ue, .oe, .er], [.ay, .aa, .ae], [.aw, .aa, .ao, .ow], [.oy, .ow, .ao],
  ]
  private static let consonants: [[Phoneme]] = [
    [.th, .dh, .f, .v, .s, .z, .t, .d], [.p, .b, .t, .d, .k, .g], [.sh, .zh, .ch, .jh, .s, .z],
    [.m, .n, .ng],
    [.l, .r, .w], [.v, .w, .b], [.hh, .kh, .f], [.y, .l],
  ]
  /// Vowels of unstressed syllables, in which speakers differ.
  private static let reduced: Set<Phoneme> = [.ah, .ih, .er]

  /// Returns `reading` with two of its sounds exchanged, missing or followed by another; of long ones sometimes only one.
  static func of(_ reading: [Phoneme], _ random: inout RandomSource) -> [Phoneme] {
    let distinct = reading.indices.filter { !reduced.contains(reading[$0]) }
    let places = distinct.isEmpty ? Array(reading.indices) : distinct
    var changed = reading.map { [$0] }
    let isOnce = reading.count >= 7 && random.chance(0.4)
    for _ in 0..<(isOnce ? 1 : 2) {
      let place = places[Int(random.next() % UInt64(places.count))]
      let other = other(than: reading[place], &random)
      let draw = random.uniform()
      if isOnce || draw < 0.7 {
        changed[place] = [other]
      } else {
        changed[place] = draw < 0.85 ? [] : [reading[place], other]
      }
    }
    let result = changed.flatMap { $0 }
    return result == reading || result.isEmpty ? reading.reversed() : result
  }

  private static func other(than sound: Phoneme, _ random: inout RandomSource) -> Phoneme {
    let groups = vowels.contains { $0.contains(sound) } ? vowels : consonants
    let near = Set(groups.filter { $0.contains(sound) }.joined())
    let others = Set(groups.joined()).subtracting(near).sorted { $0.rawValue < $1.rawValue }
    return others[Int(random.next() % UInt64(others.count))]
  }
}
