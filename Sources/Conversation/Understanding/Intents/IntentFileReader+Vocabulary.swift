import Platform
import YAMLFormat

extension IntentFileReader {
  /// `recognizer`: one of those in this program. Others reach servers or run commands, which is not for an intent file
  /// to decide.
  func recognizer(_ node: YAMLNode) throws(IntentFileFault) -> String {
    let name = try text(node, "'recognizer'")
    guard ["builtin", "pocketsphinx"].contains(name) else {
      throw fault(node.position, .wrongShape(what: "'recognizer'", expected: "builtin or pocketsphinx"))
    }
    return name
  }

  /// `vocabulary`: words with how they are said, one hint or a list of them; or the path of a file of its own with such
  /// words, from the intent file's folder.
  func vocabulary(_ node: YAMLNode) throws(IntentFileFault) -> [String: [String]] {
    guard let path = node.text else { return try hints(node) }
    let folder = file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
    let place = path.hasPrefix("/") ? path : folder + path
    guard !Files.isSpecial(place) else {
      throw fault(
        node.position, .wrongShape(what: "'vocabulary'", expected: "words, or an ordinary file of them"))
    }
    let bytes: [UInt8]
    do throws(SystemFault) {
      bytes = try Files.read(place, limit: YAMLReader.byteLimit)
    } catch {
      throw .unreadable(error)
    }
    return try IntentFileReader(file: place).hints(Self.tree(of: bytes, file: place))
  }

  private func hints(_ node: YAMLNode) throws(IntentFileFault) -> [String: [String]] {
    var hints: [String: [String]] = [:]
    for entry in try mapping(node, "'vocabulary'") {
      let what = "how '\(entry.key)' is said"
      let nodes = entry.value.text == nil ? try sequence(entry.value, what) : [entry.value]
      for node in nodes { hints[entry.key.lowercased(), default: []].append(try text(node, what)) }
    }
    return hints
  }
}
