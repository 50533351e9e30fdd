import Platform
import TextProcessing
import YAMLFormat

/// Annotated example sentences.
extension IntentFileReader {
  func examples(_ node: YAMLNode, _ what: String) throws(IntentFileFault) -> [Example] {
    var examples: [Example] = []
    for item in try sequence(node, "'examples' of \(what)") {
      let annotated = try text(item, "an example")
      do throws(AnnotatedSentence.Failure) {
        examples.append(Example(sentence: try AnnotatedSentence(annotated), node: item))
      } catch {
        throw fault(item.position(ofCharacter: error.offset), .example(error.problem))
      }
    }
    return examples
  }

  /// The built-in entity that `node` names.
  func entityKind(_ node: YAMLNode, _ what: String) throws(IntentFileFault) -> EntityKind {
    let name = try text(node, what)
    if let kind = EntityKind(named: name) { return kind }
    let kinds = EntityKind.allCases.map(\.rawValue)
    let suggestion = nearestName(to: name, among: kinds)
    throw fault(node.position, .notOneOf(what: what, value: name, choices: kinds, suggestion: suggestion))
  }
}
