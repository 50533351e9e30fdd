import Testing

@testable import Understanding

/// What is unknown in a sentence that is not understood, and what could be said instead.
@Suite struct UnknownValueTests {
  private static let file = """
    language: en
    intents:
      TurnOn:
        data:
          - sentences: ["turn on [the] {name}", "turn on [the] {name} in [the] {area}"]
          - sentences: ["open [the] {name}"]
            requires_context: {domain: cover}
      Colour:
        data: [{sentences: ["set [the] {name} to {colour}"]}]
      Read:
        data: [{sentences: ["tell me [the] {colour}", "play {anything}"]}]
    lists:
      name:
        names: true
        unknown: "There is no {words}."
        values:
          - {in: "[the] (main|big) lamp", out: lamp, context: {domain: light}}
          - {in: desk lamp, out: desk, context: {domain: light}}
          - {in: curtain, out: curtain, context: {domain: cover}}
          - {in: drapes, out: curtain, context: {domain: cover}}
      area: {values: [kitchen, bedroom, hall, cellar]}
      colour: {values: [purple, green, blue, red]}
      anything: {wildcard: true}
    """

  private static func unknown(_ text: String) throws -> UnknownValue? {
    try Understander(IntentFile(parsing: Array(file.utf8), name: "test.yaml")).unknownValue(in: text)
  }

  @Test(
    arguments: [
      ("turn on the purple elephant", "name", "purple elephant", ["the main lamp", "desk lamp", "curtain"]),
      ("turn on the dsk lamp please", "name", "dsk lamp", ["desk lamp", "the main lamp"]),
      ("turn on the desk lamp in the kitchn", "area", "kitchn", ["kitchen"]),
      ("set the big lamp to purplish", "colour", "purplish", ["purple"]),
      // Only what may be opened.
      ("open the barn", "name", "barn", ["curtain"]),
    ] as [(String, String, String, [String])])
  func theUnknownWordsAndSimilarValuesAreFound(
    _ text: String, _ slot: String, _ words: String, _ choices: [String]
  ) throws {
    let unknown = try #require(try Self.unknown(text))
    #expect(unknown.slot == slot && unknown.words == words && unknown.choices == choices)
    #expect((unknown.reply != nil) == (slot == "name"))
  }

  @Test(arguments: [
    "tell me a joke", "hello there", "", "turn on the purple elephant in the green house",
    "play the purple elephant",
  ])
  func otherTextsAreNotAboutAnUnknownValue(_ text: String) throws {
    #expect(try Self.unknown(text) == nil)
  }
}
