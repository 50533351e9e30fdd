import Recognition
import TestServers
import Testing
import TextProcessing

@Suite(.limited) struct PronunciationTests {
  @Test(arguments: [
    ("kɪtʃɪn", "K IH CH IH N"), ("lˈaɪt", "L AY T"), ("tˈɜːn ˈɒn", "T ER N AA N"), ("ɡəɹˈɑːʒ", "G ER AA ZH"),
    ("θˈɜːməstˌæt", "TH ER M AH S T AE T"),
  ])
  func ipaIsMapped(ipa: String, phones: String) {
    #expect(Pronunciation.arpabet(ipa: ipa)?.joined(separator: " ") == phones)
  }

  @Test func soundsThatEnglishLacksAreRejected() {
    #expect(Pronunciation.arpabet(ipa: "ɣa") == nil)
    #expect(Pronunciation.arpabet(ipa: "") == nil)
  }

  @Test(arguments: [
    ("ship", "SH IH P"), ("make", "M EY K"), ("lights", "L AY T S"), ("knock", "N AA K"),
    ("butter", "B AH T ER"),
    ("station", "S T AE SH AH N"), ("tv", "T IY V IY"), ("jumped", "JH AH M P T"), ("queen", "K W IY N"),
  ])
  func spellingIsGuessed(word: String, phones: String) {
    #expect(Pronunciation.arpabet(spelling: word)?.joined(separator: " ") == phones)
  }

  @Test func textWithoutLettersIsRejected() {
    #expect(Pronunciation.arpabet(spelling: "21") == nil)
    #expect(Pronunciation.arpabet(spelling: "café") == nil)
    #expect(Pronunciation.arpabet(spelling: "") == nil)
  }
}

@Suite(.limited) struct GrammarTests {
  @Test func wordsAreExtractedFromTheRules() {
    let grammar = Grammar(
      jsgf: """
        #JSGF V1.0 UTF-8 en;
        grammar home; // with a comment
        public <command> = /0.5/ turn (on | off) {state} [the] <room> light | i'd like <NULL>;
        <room> = living-room;
        """)
    #expect(grammar.words == ["i'd", "light", "like", "living-room", "off", "on", "the", "turn"])
  }
}
