import Dialogue
import Platform
import TestServers
import Testing
import Understanding

/// The examples and slots that are listed for an intent file.
@Suite(.limited) struct IntentCatalogueTests {
  private func catalogue(_ yaml: String, all: Bool = false) throws -> IntentCatalogue {
    try IntentCatalogue(IntentFile(parsing: Array(yaml.utf8), name: "a"), listsAll: all)
  }

  private static let coffee = """
    language: en
    intents:
      Coffee:
        data: [{sentences: ["(make|brew) [me] [a] [{size}] coffee [for {1..4:cups}]", "<now> please"]}]
        slots: {size: {required: true}, cups: {}}
        voice: [ann]
        confirm: "A {size} coffee?"
    expansion_rules: {now: "coffee[s] (now|at once)"}
    lists: {size: {values: [small, {in: "(large|big)", out: large}]}}
    """

  @Test func examplesIncludeOptionalPartsThatFillASlot() throws {
    let entry = try #require(try catalogue(Self.coffee).entries.first)
    #expect(
      entry.sentences == [
        "make small coffee for 2", "coffee now please", "make coffee",
      ])
    #expect(
      !entry.isComplete && entry.speaker == .names(["ann"]) && entry.confirmations == ["A {size} coffee?"])
  }

  @Test func allSentencesAreListedOnce() throws {
    let entry = try #require(try catalogue(Self.coffee, all: true).entries.first)
    // 2 verbs, me, a, 4 ways of size, 4 of cups; and 4 with "now".
    #expect(entry.sentences.count == 2 * 2 * 2 * 4 * 4 + 4 && entry.isComplete)
    #expect(Set(entry.sentences).count == entry.sentences.count)
    #expect(entry.sentences.contains("brew me a big coffee for 4"))
    #expect(entry.sentences.contains("coffees at once please"))
  }

  @Test func slotsHaveTheirValues() throws {
    let slots = try #require(try catalogue(Self.coffee).entries.first).slots
    #expect(slots.map(\.name) == ["size", "cups"] && slots.map(\.isRequired) == [true, false])
    #expect(slots.map(\.values) == [.list(["small", "large"]), .range(from: 1, to: 4)])
  }

  @Test func theNumberOfSentencesIsBounded() throws {
    let digits = "(0|1|2|3|4|5|6|7|8|9)"
    let rules = (1...9).map { "r\($0): \"<r\($0 - 1)> <r\($0 - 1)> <r\($0 - 1)>\"" }.joined(separator: ", ")
    let yaml = """
      language: en
      intents: {A: {data: [{sentences: ["<r9>"]}]}}
      expansion_rules: {r0: "\(digits)", \(rules)}
      """
    let started = MonotonicClock.now()
    let entry = try #require(try catalogue(yaml, all: true).entries.first)
    #expect(entry.sentences.count == IntentCatalogue.sentenceLimit && !entry.isComplete)
    #expect(MonotonicClock.now() - started < 60)
  }

  @Test(arguments: [nil, "coffee", "grocery", "order", "ride"])
  func everyExampleIsUnderstood(name: String?) throws {
    let file =
      try name.map { try IntentFile(reading: "\(Self.root)/Examples/\($0).yaml") } ?? IntentFile.standard()
    let understander = try Understander(file)
    let catalogue = try IntentCatalogue(file, listsAll: false)
    #expect(catalogue.entries.map(\.name) == file.intentNames)
    for entry in catalogue.entries where entry.contexts.isEmpty {
      #expect(!entry.sentences.isEmpty || entry.isFallback, "\(entry.name)")
      for sentence in entry.sentences {
        let context: [String: JSON] = ["ride": "BookRide", "kind": "taxi", "to": "home"]
        let ways = [understander.interpret(sentence), understander.interpret(sentence, context: context)]
        #expect(ways.contains { $0.ranking.contains { $0.name == entry.name } }, "\(entry.name): \(sentence)")
      }
    }
  }

  private static let root = String(
    #filePath.dropLast("/Tests/DialogueTests/IntentCatalogueTests.swift".count))
}
