/// Plurals of English nouns: "potato" and "potatoes", "shelf" and "shelves".
package enum EnglishPlurals {
  private static let irregular: [(String, String)] = [
    ("man", "men"), ("woman", "women"), ("child", "children"), ("foot", "feet"), ("tooth", "teeth"),
    ("goose", "geese"), ("mouse", "mice"), ("person", "people"), ("loaf", "loaves"), ("leaf", "leaves"),
    ("shelf", "shelves"), ("half", "halves"), ("knife", "knives"), ("life", "lives"), ("wife", "wives"),
    ("calf", "calves"), ("scarf", "scarves"),
  ]

  /// The other numbers of a phrase's last word, as far as they can be told from its letters.
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
