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
    let folder = PythonServer.temporaryFolder("vocabulary")
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
    let folder = PythonServer.temporaryFolder("vocabulary")
    defer { rmdir(folder) }
    mkfifo("\(folder)/pipe", 0o600)
    defer { unlink("\(folder)/pipe") }
    for name in ["pipe", "/dev/zero", "."] {
      #expect { try parse(name, name: "\(folder)/a.yaml") } throws: { "\($0)".contains("regular file") }
    }
  }

  @Test(arguments: [
    (
      "{latte: lah tay, mocha: [moka, \"M OW K AG\"]}",
      "a.yaml:3:52: 'AG' in the pronunciation of 'mocha' is not a phone of ARPAbet; did you mean 'AA'?"
    ),
    (
      "{latte: L AA1 T EY}",
      "a.yaml:3:23: 'AA1' in the pronunciation of 'latte' is not a phone of ARPAbet; did you mean 'AA'?"
    ),
    (
      "{latte: T XATTE}",
      "a.yaml:3:23: 'XATTE' in the pronunciation of 'latte' is not a phone of ARPAbet; write an English spelling in lower case"
    ),
    (
      "{latte: /laɣe/}",
      "a.yaml:3:24: 'ɣ' in the pronunciation of 'latte' is not a sound of English; use the nearest one"
    ),
    (
      "{latte: \"42\"}",
      "a.yaml:3:22: '42' is not a pronunciation of 'latte'; use ARPAbet (K AE F EY), /IPA/ or an English spelling"
    ),
  ])
  func anUnknownPhonemeIsRejectedWithItsPosition(_ vocabulary: String, _ message: String) {
    do throws(IntentFileFault) {
      _ = try IntentFile(
        parsing: Array(
          "language: en\nintents: {Go: {data: [{sentences: [go]}]}}\nvocabulary: \(vocabulary)\n".utf8),
        name: "a.yaml")
      Issue.record("read \(vocabulary)")
    } catch {
      #expect(error.message == message)
    }
  }

  @Test func anInvalidHintIsRejectedWithItsPosition() {
    #expect { try parse("{latte: {a: b}}") } throws: { "\($0)".contains("latte") }
  }
}
