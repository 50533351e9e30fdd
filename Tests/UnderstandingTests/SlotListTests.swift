import Platform
import TestServers
import Testing
import TextProcessing
import Understanding

/// Lists with synonyms, and slots that take several values.
@Suite(.limited) struct SlotListTests {
  static let pizza = """
    language: en
    intents:
      Order:
        data: [{sentences: ["[i want] [a] pizza with {topping:toppings} [please]", "one {topping:top}"]}]
        slots: {toppings: {list: topping, many: true}}
    lists:
      topping:
        values:
          - {in: mushroom, synonyms: [fungus, "(field|button) mushroom"]}
          - {in: "olive[s]", out: olive}
          - ham
          - "goat's cheese"
    responses: {Order: "With {toppings}."}
    """

  @Test func numbersMayBeNegativeAndEndWithTheRange() throws {
    let understander = try Fixtures.understander(
      """
      language: en
      intents: {Set: {data: [{sentences: ["set it to {n} [degrees]"]}]}}
      lists: {n: {range: {from: -30, to: 30, fractions: halves}}}
      """)
    for text in ["minus 5", "minus five", "-5", "−5", "negative 5"] {
      #expect(understander.interpret("set it to \(text) degrees")["n"]?.value == -5, "\(text)")
    }
    #expect(understander.interpret("set it to 29.5")["n"]?.value == 29.5)
    #expect(understander.interpret("set it to 30.5").status == .notUnderstood)
  }

  @Test(arguments: [
    ("{0..9223372036854775807:n}", "stay within"), ("{-9223372036854775808..5:n}", "stay within"),
    ("{5..1:n}", "ends before it begins"), ("{1..5,0:n}", "invalid 'step'"),
  ])
  func aRangeInASentenceThatCannotBeIsAFaultAtItsPlace(_ range: String, _ words: String) {
    let yaml = "language: en\nintents: {A: {data: [{sentences: [\"set \(range)\"]}]}}\n"
    #expect {
      _ = try IntentFile(parsing: Array(yaml.utf8), name: "t.yaml")
    } throws: { fault in
      let message = (fault as? IntentFileFault)?.message ?? ""
      return message.hasPrefix("t.yaml:2:40: ") && message.contains(words)
    }
    let list = "language: en\nintents: {}\nlists: {n: {range: {from: -9223372036854775808, to: 5}}}\n"
    #expect(Fixtures.fault(list)?.contains("stay within") == true)
    let product = "language: en\nintents: {}\nlists: {n: {range: {from: 0, to: 5, multiplier: 1e300}}}\n"
    #expect(Fixtures.fault(product)?.contains("a number within ±1000000000") == true)
  }

  @Test func synonymsHaveTheSameValue() throws {
    let understander = try Fixtures.understander(Self.pizza)
    for text in ["one mushroom", "one fungus", "one button mushroom"] {
      #expect(understander.interpret(text)["top"]?.value == "mushroom")
    }
    #expect(understander.interpret("one ham")["top"]?.value == "ham")
  }

  @Test(arguments: [
    ("pizza with olives, ham and mushroom please", ["olive", "ham", "mushroom"], "olives, ham and mushroom"),
    ("I want a pizza with ham", ["ham"], "ham"),
    ("pizza with ham and some goat's cheese and an olive", ["ham", "goat's cheese", "olive"], nil),
    ("pizza with ham or ham", ["ham"], "ham or ham"),
    ("pizza with ham fungus olives", ["ham", "mushroom", "olive"], "ham fungus olives"),
  ])
  func aSlotAcceptsManyValues(_ text: String, _ values: [String], _ words: String?) throws {
    let found = try Fixtures.understander(Self.pizza).interpret(text)
    #expect(found["toppings"]?.value == .array(values.map(JSON.string)))
    if let words { #expect(found["toppings"]?.text == words) }
    #expect(found.reply == "With \(values.joined(separator: ", ")).")
  }

  @Test(arguments: [
    ("Iced Mocha", "iced mocha"), ("MOCHA", "mocha"), ("16 ounce", "sixteen ounce"),
    ("16-ounce", "sixteen ounce"),
    ("twelve-ounce", "twelve ounce"), ("Sixteen Ounce", "sixteen ounce"), ("new york", "New York"),
    ("mac-and-cheese", "mac and cheese"), ("some Wood", "some wood"),
    ("a lot of read wood", "a lot of red wood"),
    ("eight-ball", "8 ball"),
  ])
  func aValueIsSpelledAsInTheList(_ said: String, _ value: JSON) throws {
    let understander = try Fixtures.understander(
      """
      language: en
      expansion_rules: {much: "(some|a lot of)"}
      intents:
        Get:
          data: [{sentences: ["get {x}"]}]
          examples: ["could you bring me [mocha](x)", "I would like to have [some wood](x)"]
      lists:
        x: {values: ["[iced] mocha", "(twelve|sixteen) ounce", "New (York|Castle)", "mac and cheese", "[<much>] [red] wood", "8 ball"]}
      """)
    let isAsListed = !["a lot of read wood", "eight-ball"].contains(said)
    for sentence in ["get \(said)"] + (isAsListed ? ["could you bring me \(said)"] : []) {
      let found = understander.interpret(sentence)["x"]
      #expect(found?.value == value, "\(sentence)")
      #expect(found?.text == said, "\(sentence)")
    }
  }

  @Test func aRangeDoesNotJoinSeparateNumbers() throws {
    let understander = try Fixtures.understander(
      """
      language: en
      intents: {Set: {data: [{sentences: ["volume {n}", "gain {x}", "from {n} to {to}"]}]}}
      lists:
        n: {range: {from: 0, to: 100}}
        to: {range: {from: 0, to: 100}}
        x: {range: {from: 0, to: 9, fractions: halves}}
      """)
    for (text, slot, value) in [
      ("gain .5", "x", 0.5), ("gain point five", "x", 0.5), ("volume .5", "n", nil),
      ("volume twenty to", "n", nil),
      ("volume 20 2", "n", nil), ("from twenty to 30", "n", 20), ("from won to ate", "to", 8),
    ] as [(String, String, JSON?)] {
      #expect(understander.interpret(text)[slot]?.value == value, "\(text)")
    }
  }

  @Test func otherSlotsAcceptOneValue() throws {
    let understander = try Fixtures.understander(Self.pizza)
    #expect(understander.interpret("one ham and olive").status == .notUnderstood)
    #expect(understander.interpret("one ham").slots.first?.value == "ham")
  }

  @Test(.needsOptimization) func aHundredValuesInARowAreMatchedInTime() throws {
    let understander = try Fixtures.understander(Self.pizza)
    let start = MonotonicClock.threadTime()
    let text = "pizza with " + Array(repeating: "ham and olives", count: 60).joined(separator: " ")
    #expect(understander.interpret(text).status == .notUnderstood)
    #expect(MonotonicClock.threadTime() - start < 2)
  }

  @Test func theGrammarContainsManyValuesAndEntities() throws {
    let grammar = try GrammarTests.grammar(Self.pizza)
    #expect(
      grammar.jsgf.contains(
        "<several_list_topping> = <list_topping> [ [ [ and ] <list_topping> [ [ and ] <list_topping> ] ] and"
          + " <list_topping> ];"))
    #expect(grammar.words.contains("and") && grammar.words.contains("fungus"))
    let kinds = EntityKind.allCases.map { "\"say {\($0.rawValue)}\"" }.joined(separator: ", ")
    let entities = try GrammarTests.grammar(UnderstanderTests.file(kinds))
    #expect(entities.notes.isEmpty)
    #expect(entities.words.contains("tomorrow") && entities.words.contains("o'clock"))
  }
}
