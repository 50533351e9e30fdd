import Platform
import TestServers
import Testing
import TextProcessing
import Understanding

@Suite(.limited) struct UnderstanderTests {
  static func file(_ sentences: String, more: String = "") -> String {
    "language: en\nintents:\n  A:\n    data:\n      - sentences: [\(sentences)]\n" + more
  }

  @Test func rangesCountCodePointsOfTheOriginalText() throws {
    let more = "lists:\n  area: {values: [kitchen, café]}\n"
    let understander = try Fixtures.understander(Self.file("\"turn on [the] {area} light\"", more: more))
    let text = "  Turn on, the\u{A0}KITCHEN… light!"
    let slot = understander.interpret(text)["area"]
    #expect(slot?.range == 15..<22)
    #expect(slot?.text == "KITCHEN")
    #expect(slot?.value == "kitchen")
    let accent = understander.interpret("🙂 turn on cafe\u{301} light")
    #expect(accent.status == .notUnderstood)
    #expect(understander.interpret("turn on cafe\u{301} light")["area"]?.range == 8..<13)
  }

  @Test func confidenceFallsWithDroppedWordsAndWildcards() throws {
    let more = "skip_words: [please]\nlists:\n  x: {wildcard: true}\n"
    let understander = try Fixtures.understander(Self.file("\"lights on\", \"find {x}\"", more: more))
    func confidence(_ text: String) -> Double { understander.interpret(text).intent?.confidence ?? 0 }
    #expect(confidence("Lights on!") == 1)
    #expect(confidence("please lights on") < 1)
    #expect(confidence("um lights on") < confidence("please lights on"))
    #expect(confidence("um uh lights on") < confidence("um lights on"))
    #expect(confidence("find a red bicycle") < 1)
    #expect(confidence("find a red bicycle") > 0.5)
  }

  @Test func matchingIntentsAreRanked() throws {
    let understander = try Fixtures.understander(
      """
      language: en
      intents:
        Play: {data: [{sentences: ["play {song}"]}]}
        PlayRadio: {data: [{sentences: ["play [the] radio"]}]}
      lists: {song: {wildcard: true}}
      """)
    let found = understander.interpret("play the radio")
    #expect(found.ranking.map(\.name) == ["PlayRadio", "Play"])
    #expect(found.ranking[0].confidence > found.ranking[1].confidence)
    #expect(found.intent == found.ranking[0])
    #expect(found.slots.isEmpty)
  }

  @Test func contextDecidesAndFillsSlots() throws {
    let understander = try Fixtures.understander(
      """
      language: en
      intents:
        Here: {data: [{sentences: [lights on], requires_context: {area: {slot: true}}}]}
      """)
    #expect(understander.interpret("lights on").status == .notUnderstood)
    let found = understander.interpret("lights on", context: ["area": "kitchen"])
    #expect(found["area"]?.value == "kitchen")
    #expect(found["area"]?.range == nil)
  }

  @Test(arguments: [
    ("zero", 0), ("twenty one", 21), ("twenty-one", 21), ("a hundred", 100), ("one hundred and five", 105),
    ("two thousand three hundred and forty five", 2345), ("nineteen eighty four", 1984),
    ("fifteen hundred", 1500),
    ("one million", 1_000_000), ("minus three", -3), ("007", 7), ("-12", -12), ("twelfth", 12),
    ("twenty third", 23), ("nine hundred ninety nine thousand", 999_000),
  ])
  func numbersInWordsAndDigits(_ text: String, _ value: Int) throws {
    let more = "lists: {n: {range: {from: -1000, to: 2000000}}}\n"
    let understander = try Fixtures.understander(Self.file("\"{n}\"", more: more))
    #expect(understander.interpret(text)["n"]?.value == .number(Double(value)))
  }

  @Test(arguments: [
    "twenty ten", "five twenty", "one two", "hundred", "and five", "a", "one hundred and", "zero five",
    "twenty eleven five", "thousand", "minus", "5x", "ten one",
  ])
  func otherWordsAreNotNumbers(_ text: String) throws {
    let more = "lists: {n: {range: {from: -1000, to: 1999}}}\n"
    let understander = try Fixtures.understander(Self.file("\"{n}\"", more: more))
    #expect(understander.interpret(text).status == .notUnderstood)
  }

  @Test func spelledNumbersAreReadBack() throws {
    let more = "lists: {n: {range: {from: -100, to: 999999}}}\n"
    let understander = try Fixtures.understander(Self.file("\"{n}\"", more: more))
    for number in Array(-100...1_200) + [9_999, 20_000, 99_999, 100_001, 123_456, 999_999] {
      let words = NumberWords.spelled(number)
      #expect(understander.interpret(words)["n"]?.value == .number(Double(number)), "\(words)")
    }
  }

  @Test(.needsOptimization) func exponentialTemplatesAreMatchedInTime() throws {
    let optional = String(repeating: "[a] [a|b] (a|[b] a|c) ", count: 60)
    let rules = (0..<20).map { "  r\($0): \"[<r\($0 + 1)>] [<r\($0 + 1)>] (a|b|<r\($0 + 1)>)\"\n" }.joined()
    let more =
      "expansion_rules:\n" + rules + "  r20: \"[a] [a] (a|a a|b)\"\n"
      + "lists:\n  w: {wildcard: true}\n"
    let wild = String(repeating: "{w} ", count: 30)
    let understander = try Fixtures.understander(
      Self.file("\"\(optional) end\", \"<r0> end\", \"\(wild) end\", \"(a;a;[b];c;[a];a) end\"", more: more))
    let start = MonotonicClock.threadTime()
    for count in [10, 40, 100] {
      _ = understander.interpret(String(repeating: "a ", count: count) + "stop")
      _ = understander.interpret(String(repeating: "a ", count: count) + "end")
    }
    #expect(MonotonicClock.threadTime() - start < 30)
  }

  @Test func tooLongTextIsNotUnderstood() throws {
    let understander = try Fixtures.understander(Self.file("\"{w}\"", more: "lists: {w: {wildcard: true}}\n"))
    #expect(understander.interpret(String(repeating: "a", count: 1_000)).status == .ready)
    #expect(understander.interpret(String(repeating: "a", count: 1_001)).status == .notUnderstood)
  }
}
