/// Stems of English words.
package enum EnglishWords {
  private static let endings = [
    ("n't", "not"), ("'re", "are"), ("'ve", "have"), ("'ll", "will"), ("'m", "am"), ("'d", "would"),
    ("'s", "is"),
  ]

  /// The stems of a lowercase word: "do" and "not" for "don't", "need" for "needed".
  package static func stems(of word: String) -> [String] {
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

/// Plurals of English nouns: "potato" and "potatoes", "shelf" and "shelves".
package enum EnglishPlurals {
  private static let irregular: [(String, String)] = [
    ("man", "men"), ("woman", "women"), ("child", "children"), ("foot", "feet"), ("tooth", "teeth"),
    ("goose", "geese"), ("mouse", "mice"), ("person", "people"), ("loaf", "loaves"), ("leaf", "leaves"),
    ("shelf", "shelves"), ("half", "halves"), ("knife", "knives"), ("life", "lives"), ("wife", "wives"),
    ("calf", "calves"), ("scarf", "scarves"),
  ]

  /// The phrase with its last word in the plural or the singular, as far as spelling rules decide that.
  package static func variants(of phrase: String) -> [String] {
    let start = phrase.lastIndex(of: " ").map { phrase.index(after: $0) } ?? phrase.startIndex
    let word = phrase[start...].lowercased()
    guard word.count >= 3, word.allSatisfy({ $0.isASCII && $0.isLetter }) else { return [] }
    return (plurals(of: word) + singulars(of: word)).map { phrase[..<start] + $0 }
  }

  private static func plurals(of word: String) -> [String] {
    if let known = irregular.first(where: { word.hasSuffix($0.0) }) {
      return [word.dropLast(known.0.count) + known.1]
    }
    if word.hasSuffix("s"), !word.hasSuffix("ss"), !word.hasSuffix("us") { return [] }
    if ["s", "x", "z", "ch", "sh"].contains(where: word.hasSuffix) { return [word + "es"] }
    let isAfterConsonant = !"aeiou".contains(word.dropLast().last ?? "a")
    if word.hasSuffix("y"), isAfterConsonant { return [word.dropLast() + "ies"] }
    if word.hasSuffix("o"), isAfterConsonant { return [word + "es", word + "s"] }
    return [word + "s"]
  }

  private static func singulars(of word: String) -> [String] {
    if let known = irregular.first(where: { word.hasSuffix($0.1) }) {
      return [word.dropLast(known.1.count) + known.0]
    }
    guard word.hasSuffix("s"), !word.hasSuffix("ss"), !word.hasSuffix("us") else { return [] }
    if word.hasSuffix("ies"), word.count > 4 { return [word.dropLast(3) + "y", String(word.dropLast())] }
    if ["ses", "xes", "zes", "ches", "shes", "oes"].contains(where: word.hasSuffix) {
      return [String(word.dropLast(2)), String(word.dropLast())]
    }
    return [String(word.dropLast())]
  }
}

/// English function words: articles, pronouns, prepositions and the like, which are never keywords.
package enum EnglishFunctionWords {
  package static let words = Set(
    """
    a about above across after again against all almost along already also although always am among an and another any
    anybody anyone anything are around as at away back be because been before behind being below between both but by can
    cannot could did do does doing done down during each either else enough even ever every everybody everyone
    everything few for from get gets getting go goes going gone got had has have having he her here hers herself him
    himself his how however i if in indeed instead into is it its itself just least less let like lot lots made make
    makes many may maybe me might mine more most much must my myself near neither never no nobody none nor not nothing
    now of off often oh ok okay on once one only onto or other others ought our ours ourselves out over own perhaps
    please put quite rather really same seem seems several shall she should since so some somebody someone something
    sometimes still such take than thank thanks that the their theirs them themselves then there therefore these they
    thing things this those though through thus to today together too toward towards under unless until up upon us
    used very want wants was we well were what whatever when where whether which while who whoever whole whom whose why
    will with within without would yes yet you your yours yourself yourselves
    """.split { $0 == " " || $0 == "\n" }.map(String.init))
}

/// The words between the items of an enumeration: "olives, ham and some mushrooms".
package enum Coordination {
  package static let conjunctions: Set<String> = [
    "and", "or", "plus", "und", "oder", "et", "ou", "y", "o", "e",
  ]
  /// Conjunctions of several words.
  package static let phrases = [["as", "well", "as"], ["along", "with"], ["together", "with"]]
  package static let articles: Set<String> = ["a", "an", "the", "some", "any", "also", "more", "extra"]
}
