import Platform
import TestServers
import Testing
import Understanding

/// Homophones in recognized text.
@Suite(.limited) struct HomophoneTests {
  @Test(arguments: [
    ("set a timer four 3 minutes", "StartTimer", "minutes", 3 as JSON, "3"),
    ("set a timer for ate minutes", "StartTimer", "minutes", 8, "ate"),
    ("make the bedroom light read", "SetColor", "color", "red", "read"),
    ("set the volume two forty", "SetVolume", "volume", 40, "forty"),
    ("turn on the kitchen lite", "TurnOn", "area", "kitchen", "the kitchen"),
  ])
  func areReplacedWhereTheSentenceThenMatches(
    _ text: String, _ intent: String, _ slot: String, _ value: JSON, _ words: String
  ) throws {
    let found = try #require(StandardIntentsTests.understander).interpret(text)
    #expect(found.intent?.name == intent)
    #expect(found[slot]?.value == value)
    #expect(found[slot]?.text == words)
    #expect((found.intent?.confidence ?? 1) < 1)
  }

  @Test func sentencesThatMatchAreNotChanged() throws {
    let understander = try Fixtures.understander(
      """
      language: en
      intents:
        Read: {data: [{sentences: ["read {x}"]}]}
        Paint: {data: [{sentences: ["red it", "paint it (two|to) {n}"]}]}
      lists: {x: {wildcard: true}, n: {range: {from: 0, to: 9}}}
      """)
    #expect(understander.interpret("read it").intent?.name == "Read")
    #expect(understander.interpret("red it").intent == Interpretation.Guess(name: "Paint", confidence: 1))
    #expect(understander.interpret("paint it too won")["n"]?.value == 1)
    #expect(understander.interpret("read the hole story")["x"]?.value == "the hole story")
  }

  @Test func wildcardsKeepTheOriginalWords() throws {
    let understander = try Fixtures.understander(
      """
      language: en
      intents: {Note: {data: [{sentences: ["write down {x}"]}]}}
      lists: {x: {wildcard: true}}
      """)
    let found = understander.interpret("right down by meat 4 the dog")
    #expect(found["x"]?.value == "by meat 4 the dog")
    #expect(found["x"]?.range == 11..<28)
  }

  @Test(arguments: [
    ("call nine one one", "911"), ("call nine hundred and eleven", "911"),
    ("call nine hundred eleven", "911"),
    ("call room oh four two", "room 042"), ("call room zero four two now", "room 042"),
    ("call room 42", "room 042"),
    ("call five five five oh one two three four five six", "5550123456"),
    ("call won one two", "112"),
  ])
  func numbersInTemplatesAreSaidAsNumbersAndDigitByDigit(_ text: String, _ value: String) throws {
    let understander = try Fixtures.understander(
      """
      language: en
      intents: {Call: {data: [{sentences: ["call {who} [now]"]}]}}
      lists: {who: {values: ["911", "[the] room 042", "5550123456", 112, 五百六, ⅬⅬⅬ]}}
      """)
    let found = understander.interpret(text)
    #expect(found.intent?.name == "Call")
    #expect(found["who"]?.value == .string(value))
    #expect(understander.interpret("call one nine one").status == .notUnderstood)
    #expect(understander.interpret("call 五百六").intent?.confidence == 1)
    #expect(understander.interpret("call \(value)").intent?.confidence == 1)
  }

  @Test(arguments: [
    "play channel twelve", "play station seven", "play channel six six six", "play channel three oh five",
    "dim to fifty percent", "heat to thirty degrees",
  ])
  func numbersInTemplatesAreSaidInSentencesWithoutHomophones(_ text: String) throws {
    let understander = try Fixtures.understander(
      """
      language: en
      intents:
        Play: {data: [{sentences: ["play channel (12|666|305)", "play station {s}", "dim to 50%", "heat to 30°"]}]}
      lists: {s: {values: ["7", "24"]}}
      """)
    #expect(understander.interpret(text).intent?.name == "Play")
  }

  @Test(arguments: ["right", "read a book", "the son is up", "for four two to"])
  func otherSentencesAreNotUnderstood(_ text: String) throws {
    #expect(try #require(StandardIntentsTests.understander).interpret(text).status == .notUnderstood)
  }
}
