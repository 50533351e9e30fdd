/// English words without what grammar puts to them.
package enum EnglishWords {
  private static let endings = [
    ("n't", "not"), ("'re", "are"), ("'ve", "have"), ("'ll", "will"), ("'m", "am"), ("'d", "would"),
    ("'s", "is"),
  ]

  /// The stems of a small-letter word: "don't" is do, not; "needed" is need.
  package static func parts(of word: String) -> [String] {
    guard word.utf8.count > 2 else { return [word] }
    if word.utf8.contains(0x27) {
      switch word {
      case "won't": return ["will", "not"]
      case "can't": return ["can", "not"]
      case "let's": return ["let", "us"]
      default: break
      }
      for (ending, meaning) in endings where word.hasSuffix(ending) {
        return [stem(String(word.dropLast(ending.count))), meaning]
      }
    }
    return word == "cannot" ? ["can", "not"] : [stem(word)]
  }

  private static func stem(_ word: String) -> String {
    let letters = Array(word.utf8)
    guard letters.count > 3, letters.allSatisfy({ (0x61...0x7A).contains($0) }) else { return word }
    func cut(_ count: Int, adding: String = "") -> String { word.dropLast(count) + adding }
    if word.hasSuffix("ies"), letters.count > 4 { return cut(3, adding: "y") }
    if word.hasSuffix("s"), !["ss", "us", "is"].contains(where: word.hasSuffix) { return cut(1) }
    for ending in ["ing", "ed"] where word.hasSuffix(ending) && letters.count >= ending.utf8.count + 4 {
      let rest = letters.dropLast(ending.utf8.count)
      let isDoubled =
        rest.count > 3 && rest.last == rest.dropLast().last && rest.last != 0x6C && rest.last != 0x73
      return cut(ending.utf8.count + (isDoubled ? 1 : 0))
    }
    return word
  }
}
