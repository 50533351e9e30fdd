import Dialogue
import Platform
import TestServers
import Testing
import Understanding

/// Answers: values of lists, choices, and yes or no with more words.
@Suite(.limited) struct AnswerTests {
  static let alarm = """
    language: en
    intents:
      SetAlarm:
        examples:
          - "set an alarm"
          - "I need an alarm for [7 am](time:when)"
          - "wake me at [half past seven](time:when)"
          - "wake me up please"
        slots: {when: {required: true, prompt: "When?"}}
      Ride:
        examples:
          - "get me a [taxi](kind)"
          - "I need a ride"
          - "book a [limo](kind) please"
          - "can you get me a ride"
        slots: {kind: {required: true, prompt: "Which?"}}
    lists:
      kind: {values: [{in: taxi, synonyms: [cab]}, {in: limo, synonyms: [limousine]}]}

    """

  static let call = """
    language: en
    intents:
      Call:
        data: [{sentences: ["call {contact}"]}]
        slots: {contact: {required: true, prompt: "Whom?"}}
      Paint:
        data: [{sentences: ["paint it [{shade}]"]}]
        slots: {shade: {required: true, prompt: "Which?"}}
    lists:
      contact:
        values: [{in: "anna [miller]", out: "Anna Miller"}, {in: "anna [smith]", out: "Anna Smith"}, {in: peter, out: "Peter Jones"}, {in: peter, out: "Peter Brown"}]
      shade: {values: [{in: "(red|dark red)", out: crimson}, {in: "(red|light red)", out: pink}, blue]}

    """

  static let door = """
    language: en
    intents:
      Unlock:
        data: [{sentences: ["unlock the {door} door"]}]
        confirm: "Unlock the {door} door?"
      Order:
        data: [{sentences: ["order a {size} pizza [with {topping:toppings}] [[but] without {topping:without}]"]}]
        slots:
          toppings: {many: true}
          without: {many: true, removes: toppings}
        confirm: ["{size} with {toppings}?", "{size}?"]
        context: {sets: order}
      Again:
        data: [{sentences: ["same as before [with {topping:with}] [without {topping:without}]"]}]
        slots:
          with: {many: true, adds: toppings}
          without: {many: true, removes: toppings}
        context: {repeats: order}
      Light:
        data: [{sentences: ["light (on|off)"]}]
    lists:
      door: {values: [front, back]}
      size: {values: [small, large]}
      topping: {values: [olives, ham, onions]}

    """

  private func values(_ action: DialogueAction) -> [String: JSON] {
    Dictionary(action.interpretation.slots.map { ($0.name, $0.value) }) { $1 }
  }

  // MARK: Examples

  @Test func theAnswersToTheOpenQuestionAreExpected() throws {
    let understander = try Fixtures.understander(Self.door)
    var machine = try DialogueStateMachine(understander)
    let grammar = try Grammar(understander.file.withAnswers().withStopPhrases(["done"]))
    #expect(machine.expectedAnswers.isEmpty)
    _ = machine.process("unlock the front door", at: 0)
    #expect(machine.expectedAnswers.isSuperset(of: ["yes", "no", "cancel", "Unlock correction"]))
    #expect(!machine.expectedAnswers.contains("Unlock"))
    // The grammar has them under the same names.
    #expect(Set(grammar.intents).isSuperset(of: ["Unlock", "yes", "no", "cancel", "stopping phrases"]))
    #expect(grammar.jsgf.contains("<sentence_\(grammar.intents.count)> ="))
    _ = machine.process("yes", at: 1)
    #expect(machine.expectedAnswers.isEmpty)

    machine = try DialogueStateMachine(Fixtures.understander(Self.alarm))
    _ = machine.process("I need a ride", at: 0)
    #expect(machine.expectedAnswers.contains("Ride value kind"))
    #expect(
      !machine.expectedAnswers.contains("yes") && !machine.expectedAnswers.contains("SetAlarm value when"))
  }

  @Test func anAnswerUsesTheListOfTheExamples() throws {
    var talk = try DialogueStateMachineTests.Talk(Self.alarm)
    #expect(talk.say("set an alarm").interpretation.status == .needsValue)
    #expect(talk.tell("banana boat") == "needsValue: Sorry, I did not get that. When?")
    #expect(values(talk.say("half past six"))["when"] == "06:30")
    _ = talk.say("I need a ride")
    #expect(talk.say("the sky is very blue").interpretation.status == .needsValue)
    #expect(values(talk.say("cab")) == ["kind": "taxi"])
  }

  @Test func aMarkThatMatchesATemplateAddsNoValue() throws {
    var talk = try DialogueStateMachineTests.Talk(
      """
      language: en
      intents:
        Ride:
          examples: ["book me a [car](kind)", "I need a [taxi](kind)", "get a [limo](kind) please", "can I have a [car](kind)"]
          slots: {kind: {required: true, choices: "{choices}?"}}
      lists:
        kind: {values: [{in: "(taxi|cab|car)", out: taxi}, {in: "(limo|car)", out: limo}]}

      """)
    #expect(talk.tell("book me a car") == "needsDisambiguation: taxi or limo?")
    #expect(values(talk.say("the second one")) == ["kind": "limo"])
  }

  // MARK: Choices

  @Test(arguments: [
    ("call peter", "Peter Jones", "Peter Jones"), ("call peter", "jones", "Peter Jones"),
    ("call peter", "the brown one", "Peter Brown"), ("call anna", "smith", "Anna Smith"),
    ("call anna", "anna miller please", "Anna Miller"), ("paint it red", "pink", "pink"),
    ("paint it red", "the pink one", "pink"), ("paint it red", "two", "pink"), ("paint it red", "2", "pink"),
    ("paint it red", "option one", "crimson"), ("paint it red", "the 2nd one", "pink"),
    ("paint it red", "the light one", "pink"), ("paint it", "crimson", "crimson"),
  ])
  func aChoiceIsSelectedByItsDistinguishingWords(_ text: String, _ answer: String, _ value: String) throws {
    var talk = try DialogueStateMachineTests.Talk(Self.call)
    _ = talk.say(text)
    let said = talk.say(answer)
    #expect(said.interpretation.status == .ready && said.interpretation.slots.first?.value == .string(value))
  }

  @Test func anAmbiguousChoiceIsRepeatedAndThenEnds() throws {
    var talk = try DialogueStateMachineTests.Talk(Self.call)
    #expect(talk.tell("paint it") == "needsValue: Which?")
    #expect(talk.tell("red") == "needsDisambiguation: Which one: crimson or pink?")
    #expect(talk.tell("the red one").hasPrefix("needsDisambiguation: Sorry, I did not get that."))
    #expect(talk.tell("red").hasPrefix("needsDisambiguation: Sorry"))
    #expect(talk.say("red").interpretation.status == .notUnderstood)
  }

  // MARK: Yes and no

  @Test(arguments: [
    ("unlock the front door", "no, the back door", "Unlock the back door?"),
    ("unlock the front door", "no, unlock the back door", "Unlock the back door?"),
    ("unlock the front door", "the back door please", "Unlock the back door?"),
    ("order a large pizza", "yes but with olives", "large with olives?"),
    ("order a large pizza with ham", "yes and with olives", "large with ham, olives?"),
    ("order a large pizza with ham", "yes, and make it small", "small with ham?"),
    ("order a large pizza with ham", "yes, but without ham", "large?"),
    ("order a large pizza with ham", "no, with olives", "large with olives?"),
  ])
  func aChangeWithYesOrNoIsConfirmedAgain(_ text: String, _ answer: String, _ prompt: String) throws {
    var talk = try DialogueStateMachineTests.Talk(Self.door)
    _ = talk.say(text)
    #expect(talk.tell(answer) == "needsConfirmation: \(prompt)")
    #expect(talk.say("yes").interpretation.status == .ready)
  }

  @Test(arguments: [
    "affirmative", "uh huh", "i'm sure", "yes sir", "yes, unlock it", "yes, unlock the front door",
    "sure thing",
    "yes, I am sure", "okay then", "I said yes",
  ])
  func yes(_ text: String) throws {
    var talk = try DialogueStateMachineTests.Talk(Self.door)
    _ = talk.say("unlock the front door")
    #expect(talk.say(text).interpretation.status == .ready)
    #expect(talk.cycle.state == .handling(intent: "Unlock"))
  }

  @Test(arguments: [
    "never", "not at all", "no sir", "no, don't unlock it", "don't unlock the front door", "no no",
    "no, the moon",
    "okay no", "no, unlock the front door", "on second thought, no",
  ])
  func no(_ text: String) throws {
    var talk = try DialogueStateMachineTests.Talk(Self.door)
    _ = talk.say("unlock the front door")
    guard case .end(let left, .cancelled) = talk.say(text) else {
      Issue.record("not declined by \(text)")
      return
    }
    #expect(left.reply == "Okay, I won't.")
  }

  @Test(arguments: ["yes and feed the cat", "yes but tomorrow", "sure if it rains"])
  func yesWithAnythingElseIsAskedAgain(_ text: String) throws {
    var talk = try DialogueStateMachineTests.Talk(Self.door)
    _ = talk.say("unlock the front door")
    #expect(talk.say(text).interpretation.status == .needsConfirmation)
  }

  @Test func noMayStartAnotherIntent() throws {
    var talk = try DialogueStateMachineTests.Talk(Self.door)
    _ = talk.say("unlock the front door")
    let other = talk.say("no, light on").interpretation
    #expect(other.intent?.name == "Light" && other.text == "no, light on")
    _ = talk.say("unlock the front door")
    let changed = talk.say("no, unlock the back door").interpretation
    #expect(changed["door"]?.range == 15..<19)
  }

  @Test func addedValuesAreNoLongerRemoved() throws {
    var talk = try DialogueStateMachineTests.Talk(Self.door)
    _ = talk.say("order a large pizza with ham but without onions")
    _ = talk.say("yes")
    #expect(talk.say("same as before with onions").interpretation.status == .needsConfirmation)
    #expect(values(talk.say("yes")) == ["size": "large", "toppings": ["ham", "onions"]])
  }

  @Test(arguments: ["cancel the order", "cancel my booking please", "call off this thing"])
  func anIntentMayBeCancelledByItsName(_ text: String) throws {
    for opening in ["unlock the front door", "order a large pizza"] {
      var talk = try DialogueStateMachineTests.Talk(Self.door)
      _ = talk.say(opening)
      guard case .end(_, .cancelled) = talk.say(text) else {
        Issue.record("not cancelled by \(text)")
        continue
      }
      #expect(talk.say(text).interpretation.status == .notUnderstood)
    }
  }

  @Test func aSlotIsRequiredUnlessAnotherHasAValue() throws {
    var talk = try DialogueStateMachineTests.Talk(
      """
      language: en
      intents:
        Wait:
          data: [{sentences: ["wait [{0..9:minutes} minutes]"]}]
          slots: {minutes: {}, length: {type: duration, required: true, unless: minutes, prompt: "How long?"}}

      """)
    #expect(values(talk.say("wait 5 minutes")) == ["minutes": 5])
    #expect(talk.tell("wait") == "needsValue: How long?")
    #expect(values(talk.say("for two hours")) == ["length": 7200])
  }

  @Test func aTimerRequiresADuration() throws {
    var cycle = try DialogueStateMachine(Understander(.standard()))
    #expect(cycle.process("set a tea timer", at: 0).interpretation.prompt == "For how long?")
    #expect(values(cycle.process("five minutes", at: 1)) == ["name": "tea", "duration": 300])
  }

  @Test func absentValuesMayBeRemoved() throws {
    var talk = try DialogueStateMachineTests.Talk(Self.door)
    _ = talk.say("order a large pizza with ham")
    #expect(
      values(talk.say("without onions")) == ["size": "large", "toppings": ["ham"], "without": ["onions"]])
    let both = values(talk.say("without ham and olives"))
    #expect(both == ["size": "large", "without": ["onions", "olives"]])
    #expect(values(talk.say("with olives"))["without"] == ["onions"])
  }

  // MARK: Grammar

  @Test func theGrammarContainsOnlyPossibleAnswers() throws {
    let standard = try IntentFile.standard()
    let heard = try standard.withAnswers()
    let more = heard.intents.dropFirst(standard.intents.count).map(\.name)
    #expect(more == ["no", "cancel", "StartTimer value duration"])
    let door = try IntentFile(parsing: Array(Self.door.utf8), name: "test.yaml").withAnswers()
    #expect(Set(door.intentNames).isSuperset(of: ["yes", "no", "cancel", "Unlock correction"]))
    #expect(!door.intentNames.contains("choice") && !door.intentNames.contains("place"))
  }

  // MARK: Contexts

  @Test func anIntentClosesContexts() throws {
    let yaml = """
      language: en
      intents:
        Book: {data: [{sentences: [book]}], context: {sets: ride}}
        Cancel: {data: [{sentences: [drop it now]}], context: {requires: ride, ends: [ride]}}
        Where: {data: [{sentences: [where is it]}], context: {requires: ride}}

      """
    var talk = try DialogueStateMachineTests.Talk(yaml)
    for text in ["book", "where is it", "drop it now"] {
      #expect(talk.say(text).interpretation.status == .ready)
    }
    #expect(talk.say("where is it").interpretation.status == .notUnderstood)
    // A failed intent closes no context.
    _ = talk.say("book")
    _ = talk.say("drop it now")
    talk.cycle.handled(succeeded: false)
    #expect(talk.say("where is it").interpretation.status == .ready)
    #expect(
      Fixtures.fault(yaml.replacing("ends: [ride]", with: "ends: rid"))?
        .hasSuffix("4:80: no context 'rid'; did you mean 'ride'?") == true)
  }

  // MARK: Words

  @Test func severalValuesMayBeJoinedByPhrases() throws {
    let understander = try Fixtures.understander(
      """
      language: en
      intents: {Add: {data: [{sentences: ["add {food}"]}], slots: {food: {many: true}}}}
      lists: {food: {values: [milk, eggs, bread]}}

      """)
    for text in ["add milk as well as eggs", "add milk along with eggs", "add milk and also eggs"] {
      #expect(understander.interpret(text)["food"]?.value == ["milk", "eggs"], "\(text)")
    }
    #expect(understander.interpret("add milk as well").intent == nil)
  }

  @Test func aWordMayFollowANumber() throws {
    var talk = try DialogueStateMachineTests.Talk(
      """
      language: en
      intents: {Order: {data: [{sentences: ["order {0..9:count}"]}], confirm: "{count} {count:pizza|pizzas}?"}}

      """)
    #expect(talk.tell("order one") == "needsConfirmation: 1 pizza?")
    #expect(talk.tell("order 2") == "needsConfirmation: 2 pizzas?")
  }

  @Test func moreLiteralTextIsPreferred() throws {
    let understander = try Fixtures.understander(
      """
      language: en
      intents: {Play: {data: [{sentences: ["play {song}", "play {song} by {artist}", "play {genre}"]}]}}
      lists: {song: {wildcard: true}, artist: {wildcard: true}, genre: {values: [music by women]}}

      """)
    let said = understander.interpret("play yesterday by queen")
    #expect(said["song"]?.value == "yesterday" && said["artist"]?.value == "queen")
    let other = understander.interpret("play stand by me by ben e king")
    #expect(other["song"]?.value == "stand by me" && other["artist"]?.value == "ben e king")
    #expect(understander.interpret("play music by women")["genre"] != nil)
    #expect(understander.interpret("play yesterday")["song"]?.value == "yesterday")
  }

  @Test func aByteOrderMarkIsAccepted() throws {
    let bytes = [0xEF, 0xBB, 0xBF] + Array("language: en\nintents: {A: {data: [{sentences: [go]}]}}\n".utf8)
    #expect(try Understander(IntentFile(parsing: bytes, name: "test.yaml")).interpret("go").status == .ready)
  }
}
