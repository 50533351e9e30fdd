/// What is known of how a model was made; what is not known is not advised on.
public struct ModelOrigin: Sendable, Equatable {
  public var phrase: String
  /// Real recordings of the phrase that it learned from.
  public var recordings: Int?
  /// The speakers or sessions that they come from.
  public var speakers: Int?
  /// Hours of real sound without the phrase.
  public var negativeHours: Double?

  public init(
    phrase: String, recordings: Int? = nil, speakers: Int? = nil, negativeHours: Double? = nil
  ) {
    self.phrase = phrase
    self.recordings = recordings
    self.speakers = speakers
    self.negativeHours = negativeHours
  }

  /// Groups of vowels in a phrase of Latin letters, about its syllables; nil for other scripts.
  var syllables: Int? {
    let letters = phrase.lowercased().unicodeScalars.filter(\.properties.isAlphabetic)
    guard !letters.isEmpty, letters.allSatisfy({ $0.value < 0x250 }) else { return nil }
    return phrase.lowercased().split(separator: " ").reduce(0) { sum, word in
      var count = 0
      var inVowel = false
      for scalar in String(word).unicodeScalars {
        let isVowel = "aeiouyàáâãäåæèéêëìíîïòóôõöøœùúûüý".unicodeScalars.contains(scalar)
        if isVowel, !inVowel { count += 1 }
        inVowel = isVowel
      }
      // The silent e of "home".
      if count > 1, word.hasSuffix("e"), !word.hasSuffix("le") { count -= 1 }
      return sum + max(count, 1)
    }
  }
}
