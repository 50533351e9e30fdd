import Platform
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

  private static let hasEspeak =
    (try? Subprocess(shell: "command -v espeak-ng").run(timeout: 5).ending) == .exited(0)

  @Test(.enabled(if: hasEspeak, "needs espeak-ng; 'make test' installs it"))
  func espeakPronouncesUnknownWords() {
    #expect(EspeakPronouncer().phones(of: "glimfex")?.joined(separator: " ") == "G L IH M F EH K S")
  }

  /// "off" as AA F is added to the dictionary's pronunciation, not to that of a user.
  @Test func pronunciationsOfTheVocabularyStayAsWritten() throws {
    let grammar = Grammar(
      jsgf: """
        #JSGF V1.0;
        grammar g;
        public <g> = off;
        """)
    func ways(_ hints: [String: [String]]) throws -> [[UInt8]]? {
      try SentenceNetwork(encoders: [], grammar: grammar, vocabulary: Vocabulary(hints: hints)) { _ in
        ["AO", "F"]
      }.pronunciations(["silence", "aa", "ao", "f"])["off"]
    }
    #expect(try ways(["off": ["AO F"]]) == [[2, 3]])
    #expect(try ways([:])?.sorted { $0[0] > $1[0] } == [[2, 3], [1, 3]])
  }
}
