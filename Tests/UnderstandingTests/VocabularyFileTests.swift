import Glibc
import TestServers
import Testing
import Understanding

@Suite(.limited) struct VocabularyFileTests {
  private func parse(_ vocabulary: String, name: String = "a.yaml") throws -> IntentFile {
    let text = "language: en\nintents: {Go: {data: [{sentences: [go]}]}}\nvocabulary: \(vocabulary)\n"
    return try IntentFile(parsing: Array(text.utf8), name: name)
  }

  @Test func aWordHasOneHintOrSeveral() throws {
    #expect(
      try parse("{Latte: lah tay, mocha: [\"M OW K AH\", moka]}").vocabulary
        == ["latte": ["lah tay"], "mocha": ["M OW K AH", "moka"]])
  }

  @Test func aVocabularyFilePathIsRelativeToTheIntentFile() throws {
    var template = Array("/tmp/vocabulary-XXXXXX".utf8CString)
    let folder = String(cString: mkdtemp(&template)!)
    defer { rmdir(folder) }
    let path = "\(folder)/words.yaml"
    let file = fopen(path, "w")!
    fputs("latte: lah tay\n", file)
    fclose(file)
    defer { unlink(path) }
    #expect(try parse("words.yaml", name: "\(folder)/a.yaml").vocabulary == ["latte": ["lah tay"]])
    #expect(throws: IntentFileFault.self) { try parse("none.yaml", name: "\(folder)/a.yaml") }
  }

  @Test func aPipeIsRejectedAsVocabularyFile() throws {
    var template = Array("/tmp/vocabulary-XXXXXX".utf8CString)
    let folder = String(cString: mkdtemp(&template)!)
    defer { rmdir(folder) }
    mkfifo("\(folder)/pipe", 0o600)
    defer { unlink("\(folder)/pipe") }
    for name in ["pipe", "/dev/zero", "."] {
      #expect { try parse(name, name: "\(folder)/a.yaml") } throws: { "\($0)".contains("regular file") }
    }
  }

  @Test func anInvalidHintIsRejectedWithItsPosition() {
    #expect { try parse("{latte: {a: b}}") } throws: { "\($0)".contains("latte") }
  }
}
