import Platform
import YAMLFormat

/// The shapes that a key's value may have, and the fault where it has another.
extension IntentFileReader {
  /// The YAML tree of `bytes`.
  static func tree(of bytes: [UInt8], file: String) throws(IntentFileFault) -> YAMLNode {
    do throws(YAMLFault) {
      return try YAMLReader.read(bytes, file: file)
    } catch {
      let problem = error.problem == .empty ? .empty : IntentFileProblem.yaml(error.problem)
      throw .invalid(file: file, position: error.position, problem: problem)
    }
  }

  func fault(_ position: SourcePosition, _ problem: IntentFileProblem) -> IntentFileFault {
    .invalid(file: file, position: position, problem: problem)
  }

  func check(_ node: YAMLNode, _ what: String, _ keys: [String]) throws(IntentFileFault) {
    for entry in try mapping(node, what) where !keys.contains(entry.key) {
      let suggestion = nearestName(to: entry.key, among: keys)
      throw fault(entry.keyPosition, .unknownKey(key: entry.key, within: what, suggestion: suggestion))
    }
  }

  func mapping(_ node: YAMLNode, _ what: String) throws(IntentFileFault) -> [YAMLNode.Entry] {
    guard let entries = node.mapping else {
      throw fault(node.position, .wrongShape(what: what, expected: "a mapping of keys to values"))
    }
    return entries
  }

  func sequence(_ node: YAMLNode, _ what: String) throws(IntentFileFault) -> [YAMLNode] {
    guard let items = node.sequence else {
      throw fault(node.position, .wrongShape(what: what, expected: "a list of items that begin with '- '"))
    }
    return items
  }

  func text(_ node: YAMLNode, _ what: String) throws(IntentFileFault) -> String {
    guard let text = node.text, !text.isEmpty else {
      throw fault(node.position, .wrongShape(what: what, expected: "text"))
    }
    return text
  }

  func whole(
    _ node: YAMLNode, _ key: String, _ what: String
  ) throws(IntentFileFault) -> Int? {
    guard let value = node[key] else { return nil }
    guard let number = value.json.number, let whole = Int(exactly: number) else {
      throw fault(value.position, .wrongShape(what: "'\(key)' of \(what)", expected: "a whole number"))
    }
    return whole
  }

  func truth(_ node: YAMLNode, _ key: String, _ what: String) throws(IntentFileFault) -> Bool {
    guard let value = node[key] else { return true }
    guard let truth = value.json.bool else {
      throw fault(value.position, .wrongShape(what: "'\(key)' of \(what)", expected: "true or false"))
    }
    return truth
  }

  func choice(
    _ node: YAMLNode, _ what: String, _ choices: [String]
  ) throws(IntentFileFault) -> String {
    let value = try text(node, what)
    guard choices.contains(value) else {
      let suggestion = nearestName(to: value, among: choices)
      throw fault(
        node.position, .notOneOf(what: what, value: value, choices: choices, suggestion: suggestion))
    }
    return value
  }
}
