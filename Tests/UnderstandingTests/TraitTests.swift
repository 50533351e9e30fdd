import Platform
import TestServers
import Testing
import Understanding

/// Traits of a text: language, keywords, classes.
@Suite(.limited) struct TraitTests {
  static let file = """
    language: en
    intents: {Hello: {data: [{sentences: [hello]}]}}
    traits:
      tongue: {language: true}
      topic: {keywords: 3, corpus: ["the espresso machine is broken", "this machine is loud", "which machine is it"]}
      sentiment:
        classes:
          positive: ["I love it", "this is great", "what a wonderful day", "thank you, that was perfect",
            "the food was delicious", "I am so happy", "that is really nice of you", "excellent work"]
          negative: ["I hate it", "this is awful", "what a terrible day", "that was a waste of time",
            "the food was disgusting", "I am very disappointed", "that is really rude", "it does not work"]
    """
  static let understander = try? Fixtures.understander(file)

  static func trait(_ name: String, _ text: String) throws -> TextTrait? {
    try #require(understander).interpret(text).traits.first { $0.name == name }
  }

  @Test(arguments: [
    ("en", "could you please close the door behind you"), ("de", "ich glaube, es wird heute noch regnen"),
    ("fr", "est-ce que tu viens avec nous ce soir"), ("es", "no me gusta nada este tiempo"),
    ("it", "non so ancora se posso venire"), ("pt", "você já comeu alguma coisa hoje"),
    ("nl", "ik heb geen zin om naar school te gaan"), ("sv", "jag vet inte vad du menar med det"),
    ("da", "jeg ved ikke, hvad du mener med det"), ("pl", "nie wiem, co masz na myśli"),
    ("cs", "nevím, co tím myslíš"), ("fi", "en tiedä mitä tarkoitat sillä"),
    ("tr", "ne demek istediğini bilmiyorum"), ("ru", "я не знаю, что ты имеешь в виду"),
    ("uk", "я не розумію, що ти маєш на увазі"), ("no", "jeg skjønner ikke hva dere mener med det"),
    ("el", "δεν ξέρω τι εννοείς"), ("ja", "何を言っているのか分かりません"), ("zh", "我不知道你是什么意思"),
    ("ko", "무슨 말인지 모르겠어요"), ("he", "אני לא יודע למה אתה מתכוון"), ("th", "ฉันไม่รู้ว่าคุณหมายถึงอะไร"),
  ])
  func identifiesTheLanguage(_ code: String, _ text: String) throws {
    let trait = try Self.trait("tongue", text)
    #expect(trait?.value == .string(code))
    #expect((trait?.confidence.number ?? 0) > 0.6)
  }

  @Test func identifiesTheLanguageOfShortSentences() throws {
    let lines = String(decoding: try Files.read(Fixtures.path("languages.tsv")), as: UTF8.self)
      .split(separator: "\n").filter { !$0.hasPrefix("#") }.map { $0.split(separator: "\t") }
    var wrong: [String] = []
    for line in lines {
      let trait = try #require(try Self.trait("tongue", String(line[1])))
      let isRight = line[0].split(separator: "|").contains { $0 == trait.value.string ?? "null" }
      if !isRight { wrong.append("\(line[1]): \(trait.value) \(trait.confidence)") }
      if !isRight { #expect(trait.confidence.number ?? 1 < 0.75, "\(line[1])") }
    }
    #expect(lines.count > 110)
    #expect(wrong.count * 100 <= lines.count * 7, "\(wrong)")
  }

  @Test(arguments: ["नमस्ते दुनिया", "مرحبا بالعالم", "12 34"])
  func scriptsOfSeveralLanguagesHaveNoLanguage(_ text: String) throws {
    #expect(try Self.trait("tongue", text)?.value == .null)
  }

  @Test(arguments: [
    ("does the kettle work with very hard water", ["kettle", "work", "hard", "water"]),
    ("would you please come with me", ["come"]), ("would there be very few of them", []),
  ])
  func keywordsAreNotFunctionWords(_ text: String, _ words: [String]) throws {
    let understander = try Fixtures.understander(
      "language: en\nintents: {A: {data: [{sentences: [a]}]}}\ntraits: {topic: {keywords: 9, corpus: [it is]}}\n"
    )
    let topic = understander.interpret(text).traits.first
    #expect(Set(topic?.value.array?.compactMap(\.string) ?? []) == Set(words))
  }

  @Test(arguments: [
    ("positive", "the soup was delicious, I love this place"),
    ("positive", "that was really excellent, thank you"),
    ("negative", "what an awful experience, I am disappointed"), ("negative", "I hate this terrible machine"),
  ])
  func identifiesTheClass(_ name: String, _ text: String) throws {
    let trait = try Self.trait("sentiment", text)
    #expect(trait?.value == .string(name))
    #expect((trait?.confidence.number ?? 0) > 0.6)
  }

  @Test func keywordsAreRareInTheCorpus() throws {
    let trait = try Self.trait(
      "topic", "This machine makes a gurgling noise: oat milk everywhere, all that oat milk")
    #expect(trait?.value == ["oat", "milk", "gurgling"])
    let weights = trait?.confidence.array?.compactMap(\.number) ?? []
    #expect(weights == weights.sorted(by: >) && weights.reduce(0, +) < 1)
  }

  @Test func theOutputContainsTraits() throws {
    let line = try #require(Self.understander).interpret("hello").json
    #expect(line["intent"]?["name"] == "Hello")
    #expect(line["traits"]?.members?.map(\.name) == ["tongue", "topic", "sentiment"])
    #expect(line["traits"]?["tongue"]?["confidence"]?.number != nil)
    let plain = try Fixtures.understander(UnderstanderTests.file("\"a\"")).interpret("a").json
    #expect(plain["traits"] == nil)
  }

  @Test func textWithoutLettersHasNoLanguage() throws {
    #expect(try Self.trait("tongue", "12 34")?.value == .null)
    #expect(try Self.trait("topic", "12 34")?.value == [])
  }

  @Test(arguments: [
    ("{x: {language: false}}", "the trait 'x' must have one of 'language: true', 'keywords' and 'classes'"),
    ("{x: {corpus: [a]}}", "the trait 'x' must have one of 'language: true', 'keywords' and 'classes'"),
    ("{x: {keywords: 0}}", "'keywords' of the trait 'x' must be a number from 1 to 100"),
    ("{x: {classes: {a: [b]}}}", "the trait 'x' needs at least two classes, each with sentences"),
    ("{x: {classes: {a: [b], c: []}}}", "the trait 'x' needs at least two classes, each with sentences"),
    ("{x: {langage: true}}", "unknown key 'langage' in the trait 'x'; did you mean 'language'?"),
  ])
  func invalidTraitsAreReported(_ traits: String, _ message: String) {
    let fault = Fixtures.fault(UnderstanderTests.file("\"a\"", more: "traits: \(traits)\n"))
    #expect(fault?.hasSuffix(": \(message)") == true)
  }
}
