import Platform
import YAMLFormat

/// What is told of a text besides its intent.
extension IntentFileReader {
  static let sentenceLimit = 5_000
  static let classLimit = 100
  static let keywordLimit = 100

  func traits(_ node: YAMLNode) throws(IntentFileFault) -> [TraitRule] {
    var traits: [TraitRule] = []
    for entry in try mapping(node, "'traits'") {
      traits.append(TraitRule(name: entry.key, kind: try traitKind(entry)))
    }
    return traits
  }

  private func traitKind(_ entry: YAMLNode.Entry) throws(IntentFileFault) -> TraitRule.Kind {
    let what = "the trait '\(entry.key)'"
    let node = entry.value
    try check(node, what, ["language", "keywords", "classes", "corpus"])
    let kinds = (node.mapping ?? []).filter { $0.key != "corpus" }
    guard kinds.count == 1, let kind = kinds.first, node["corpus"] == nil || kind.key == "keywords" else {
      throw fault(node.position, .traitKind(trait: entry.key))
    }
    switch kind.key {
    case "language":
      guard kind.value.json == .bool(true) else { throw fault(node.position, .traitKind(trait: entry.key)) }
      return .language
    case "keywords":
      guard let limit = try whole(node, "keywords", what), (1...Self.keywordLimit).contains(limit) else {
        throw fault(
          kind.value.position,
          .wrongShape(what: "'keywords' of \(what)", expected: "a number from 1 to \(Self.keywordLimit)"))
      }
      return .keywords(limit: limit, corpus: try node["corpus"].map(sentences) ?? [])
    default: return .classes(try classes(kind.value, entry.key))
    }
  }

  private func classes(
    _ node: YAMLNode, _ trait: String
  ) throws(IntentFileFault) -> [(name: String, sentences: [String])] {
    var classes: [(name: String, sentences: [String])] = []
    for entry in try mapping(node, "'classes' of the trait '\(trait)'") {
      let sentences = try sentences(entry.value)
      guard !sentences.isEmpty else { throw fault(entry.keyPosition, .tooFewClasses(trait: trait)) }
      classes.append((entry.key, sentences))
      guard classes.count <= Self.classLimit else {
        throw fault(entry.keyPosition, .tooManyLearned(limit: Self.classLimit))
      }
    }
    guard classes.count > 1 else { throw fault(node.position, .tooFewClasses(trait: trait)) }
    return classes
  }

  private func sentences(_ node: YAMLNode) throws(IntentFileFault) -> [String] {
    var sentences: [String] = []
    for item in try sequence(node, "the sentences") {
      sentences.append(try text(item, "a sentence"))
      guard sentences.count <= Self.sentenceLimit else {
        throw fault(item.position, .tooManyExamples(limit: Self.sentenceLimit))
      }
    }
    return sentences
  }
}
