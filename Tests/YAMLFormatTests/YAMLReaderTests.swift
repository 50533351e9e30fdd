import Platform
import TestServers
import Testing
import YAMLFormat

@Suite(.limited) struct YAMLReaderTests {
  private func message(_ text: String) -> String? { message(Array(text.utf8)) }

  /// The message of the fault; nil when the text is valid.
  private func message(_ bytes: [UInt8]) -> String? {
    do throws(YAMLFault) {
      _ = try YAMLReader.read(bytes, file: "test.yaml")
      return nil
    } catch {
      #expect(error.exitCode == .badData)
      return error.message
    }
  }

  @Test func readsATreeWithPositions() throws {
    let text = "a: 1\nb: [x, 'y']\nc:\n  d: true\n"
    let root = try YAMLReader.read(Array(text.utf8), file: "test.yaml")
    #expect(root["a"]?.json == 1)
    #expect(root["b"]?.sequence?.map(\.text) == ["x", "y"])
    #expect(root["b"]?.sequence?[1].position == SourcePosition(line: 2, column: 8))
    #expect(root["b"]?.sequence?[1].position(ofCharacter: 0) == SourcePosition(line: 2, column: 9))
    #expect(root["c"]?["d"]?.json == true)
    #expect(root["e"] == nil)
  }

  @Test(arguments: [
    ("", "test.yaml:1:1: the file is empty"), ("# nothing\n", "test.yaml:1:1: the file is empty"),
    ("a: b\na: c\n", "test.yaml:2:1: duplicate key 'a', first used in line 1; remove one of them"),
    ("a: &x b\nc: *x\n", "test.yaml:2:4: the alias '*x' is not supported; write the value out"),
    ("a: !!str b\n", "test.yaml:1:4: the tag 'tag:yaml.org,2002:str' is not supported; remove it"),
    ("a: b\n---\na: b\n", "test.yaml:2:1: a second document begins here; keep one document per file"),
    ("{[a]: b}\n", "test.yaml:1:2: a key must be plain text; quote text that begins with '[' or '{'"),
  ])
  func reportsTheFaultAndItsPosition(_ text: String, _ expected: String) {
    #expect(message(text) == expected)
  }

  @Test func rejectsInvalidSyntaxWithItsPosition() {
    #expect(message("a:\n\t- b\n")?.hasPrefix("test.yaml:2:1: not valid YAML: ") == true)
    #expect(message("a: [b\n")?.contains("not valid YAML") == true)
  }

  @Test func rejectsInvalidUTF8WithItsPosition() {
    let bytes = Array("language: en\n# über ".utf8) + [0xFF, 0x0A]
    #expect(message(bytes) == "test.yaml:2:8: not valid UTF-8; save the file as UTF-8 text")
    #expect(message([0xFF, 0xFE, 0x61, 0x00]) != nil)
    #expect(message([0x00]) != nil)
  }

  @Test func boundsTheDepth() {
    #expect(message(String(repeating: "[", count: 100_000))?.contains("nested deeper than") == true)
    let blocks = (0..<200).map { String(repeating: " ", count: $0) + "a:\n" }.joined()
    #expect(message(blocks)?.contains("nested deeper than") == true)
  }

  @Test func boundsTheNumberOfValues() {
    let text = "words: [" + String(repeating: "a,", count: 250_000) + "a]\n"
    #expect(message(text)?.contains("more than 200000 values") == true)
  }

  @Test func rejectsAliasBombs() {
    var text = "a0: &a0 [x,x,x]\n"
    for level in 1..<30 { text += "a\(level): &a\(level) [*a\(level - 1),*a\(level - 1)]\n" }
    #expect(message(text)?.hasPrefix("test.yaml:2:10: the alias '*a0' is not supported") == true)
  }
}
