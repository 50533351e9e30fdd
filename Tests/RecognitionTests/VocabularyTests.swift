import Recognition
import TestServers
import Testing

@Suite(.limited) struct VocabularyTests {
  @Test func hintsAreParsedInEachForm() throws {
    let vocabulary = try Vocabulary(hints: ["Kaffee": ["K AE F EY", "/kæfˈeɪ/", "ka fay"]])
    #expect(
      vocabulary.phones(of: "kaffee") == [
        ["K", "AE", "F", "EY"], ["K", "AE", "F", "EY"], ["K", "AE", "F", "EY"],
      ])
    #expect(vocabulary.phones(of: "tee") == nil)
  }

  @Test(arguments: ["", "42", "/ɣ/"])
  func hintsThatTellNothingAreRefused(hint: String) {
    #expect(throws: RecognitionFault.badHint(word: "word", hint: hint)) {
      try Vocabulary(hints: ["word": [hint]])
    }
  }

  @Test func espeakPronouncesUnknownWords() {
    guard let phones = EspeakPronouncer().phones(of: "glimfex") else { return }
    #expect(phones.joined(separator: " ") == "G L IH M F EH K S")
  }
}
