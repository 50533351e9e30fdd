import Platform
import TestServers
import Testing
import Understanding

/// Training on examples: generalization and limits.
@Suite(.limited) struct LearningTests {
  static let file = """
    language: en
    intents:
      Order:
        data: [{sentences: ["(bring|get) me [a] {drink}"], slots: {source: template}}]
        examples:
          - "I would like [a coffee](drink)"
          - "could I have [two](number:count) [beers](drink) please"
          - "we are thirsty, [water](drink) please"
          - "[the usual](drink=coffee)"
          - "my guest wants to drink [juice](drink)"
      Note:
        examples:
          - "write down [buy new shoes](what)"
          - "take a note: [call the bank](what)"
          - "make a note that [the car is dirty](what)"
          - "note [garage at nine](what)"
    lists:
      drink: {values: [coffee, tea, water, beer, {in: juice, synonyms: [lemonade]}]}
    responses: {Order: "One {drink}.", Note: "Noted: {what}."}
    """

  @Test func newCombinationsOfWordsAreUnderstood() throws {
    let understander = try Fixtures.understander(Self.file)
    let found = understander.interpret("could we have three teas, please")
    #expect(found.intent?.name == "Order")
    #expect(found["drink"]?.value == "tea" && found["drink"]?.text == "teas")
    #expect(found["count"]?.value == 3)
    #expect(found.ranking.first == found.intent)
    #expect((found.intent?.confidence ?? 0) > 0.5 && (found["drink"]?.confidence ?? 0) > 0.5)
    #expect(found.reply == "One tea.")
    let note = understander.interpret("make a note that grandma comes on friday")
    #expect(note.intent?.name == "Note" && note["what"]?.value == "grandma comes on friday")
  }

  @Test func templatesTakePrecedenceAndAreTrainedOn() throws {
    let understander = try Fixtures.understander(Self.file)
    let exact = understander.interpret("bring me a tea")
    #expect(exact.intent?.confidence == 1 && exact["source"]?.value == "template")
    let near = understander.interpret("bring me quickly a nice tea")
    #expect(near.intent?.name == "Order" && near["drink"]?.value == "tea")
  }

  @Test func anExampleDefinesTheValueOfItsWords() throws {
    let found = try Fixtures.understander(Self.file).interpret("the usual please")
    #expect(found.intent?.name == "Order" && found["drink"]?.value == "coffee")
  }

  @Test(arguments: ["", "the tea was cold", "qwertz asdf", "who wrote this book", "xyzzy"])
  func chatterIsNotUnderstood(_ text: String) throws {
    let found = try Fixtures.understander(Self.file).interpret(text)
    #expect(found.status == .notUnderstood && found.intent == nil && found.ranking.isEmpty)
  }

  @Test func filesWithoutExamplesAreStrict() throws {
    let understander = try Fixtures.understander(
      "language: en\nintents: {A: {data: [{sentences: [\"turn on the light\"]}]}}\n")
    #expect(understander.interpret("turn on the lights now").status == .notUnderstood)
  }

  @Test func requiredContextsApplyToExamples() throws {
    let understander = try Fixtures.understander(
      """
      language: en
      intents:
        More: {context: {requires: ride}, examples: ["the same again", "once more please", "do that again"]}
        Ride: {context: {sets: ride}, examples: ["take me home", "i need a taxi"]}
        Stop: {examples: ["that is enough", "stop it now", "no more of that"]}
      """)
    #expect(understander.interpret("please do the same again").status == .notUnderstood)
    #expect(
      understander.interpret("please do the same again", context: ["ride": true]).intent?.name == "More")
  }

  @Test func otherLanguagesAreTrainedWithoutStemming() throws {
    let understander = try Fixtures.understander(
      """
      language: de
      intents:
        Licht:
          examples: ["mach das Licht in der [Küche](raum) an", "Licht an im [Bad](raum)", "es ist zu dunkel"]
        Musik: {examples: ["spiel etwas Musik", "ich möchte Musik hören", "mach Musik an"]}
      lists: {raum: {values: [Küche, Bad, Flur]}}
      """)
    let found = understander.interpret("mach bitte das Licht im Flur an")
    #expect(found.intent?.name == "Licht" && found["raum"]?.value == "Flur")
    #expect(understander.interpret("ich möchte gern Musik hören").intent?.name == "Musik")
  }

  // MARK: Untrusted files

  @Test func limitsOfTrainingAreChecked() {
    let head = "language: en\nintents:\n  A:\n    examples:\n"
    let many = head + String(repeating: "      - \"a b c\"\n", count: 5_001)
    #expect(Fixtures.fault(many)?.hasSuffix("more than 5000 examples in one file; remove some") == true)
    let slots = (0..<30).map { "[w\($0)](s\($0))" }.joined(separator: " ")
    #expect(
      Fixtures.fault(head + "      - \"\(slots)\"\n")?
        .hasSuffix("the examples of one intent fill more than 24 slots; split the intent") == true)
    let intents = (0..<1_001).map { "  I\($0): {examples: [\"w\($0)\"]}\n" }.joined()
    #expect(
      Fixtures.fault("language: en\nintents:\n" + intents)?
        .hasSuffix("more than 1000 intents and groups of sentences to train on; use fewer") == true)
    #expect(
      Fixtures.fault(head + "      - \"a [b](nolist:c)\"\n")
        == "test.yaml:5:12: no list '{nolist}'; add it under 'lists'")
  }

  @Test(.needsOptimization) func theLargestFilesAreTrainedInTime() throws {
    var random = RandomSource(seed: 4)
    func words(_ count: Int) -> String {
      (0..<count).map { _ in "w\(random.next() % 4_000)" }.joined(separator: " ")
    }
    let wide = (0..<900).map { "  I\($0): {examples: [\"\(words(60))\", \"\(words(40))\"]}\n" }.joined()
    let start = MonotonicClock.threadTime()
    _ = try Fixtures.understander("language: en\nintents:\n" + wide)
    let slots = (0..<300).map { _ in
      "      - \"" + (0..<12).map { "\(words(2)) [\(words(1))](s\($0))" }.joined(separator: " ") + "\"\n"
    }.joined()
    let understander = try Fixtures.understander("language: en\nintents:\n  A:\n    examples:\n" + slots)
    _ = understander.interpret(words(180))
    let time = MonotonicClock.threadTime() - start
    print("hostile examples: \(time) s")
    #expect(time < 60)
  }
}
