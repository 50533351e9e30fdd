import Dialogue
import Platform
import TestServers
import Testing
import Understanding

/// Dialogues, turn by turn.
@Suite(.limited) struct DialogueStateMachineTests {
  static let ride = """
    language: en
    intents:
      BookRide:
        data:
          - sentences:
              - "(book|get) [me] (a ride|a {kind}) [for {seats} [people]] [from {place:from}] [to {place:to}]"
              - "(book|get) [me] (a ride|a {kind}) [to {place:to}] [from {place:from}]"
        slots:
          kind: {required: true, prompt: ["Taxi or limo?", "Please say taxi or limo."], choices: "Do you mean {choices}?"}
          from: {required: true, prompt: "Where from?"}
          to: {required: true, prompt: "Where to?", unlike: from, unsupported: "You are at {value} already."}
          seats: {from: 1, to: 6, unsupported: "We seat one to six."}
        confirm: "A {kind} from {from} to {to}, right?"
        context: {sets: ride}
      Status:
        data: [{sentences: ["where is my ride"], requires_context: {ride: null, kind: {slot: true}}}]
      Lights:
        data: [{sentences: ["lights (on|off)"]}]
    lists:
      kind: {values: [{in: "(taxi|cab|car)", out: taxi}, {in: "(limo|limousine|car)", out: limo}]}
      place: {values: [home, work, {in: "[the] airport", out: airport}, {in: "[the] station", out: station}]}
      seats: {range: {from: 0, to: 20}}
    responses:
      BookRide: "A {kind} to {to} is coming."
      Status: "Your {kind} is near."

    """

  static let pizza = """
    language: en
    intents:
      Order:
        data:
          - sentences:
              - "(order|i want) [a] [{size}] {pizza} [pizza] [with {topping:toppings} [[and] {topping:toppings}]]"
        slots:
          size: {required: true, prompt: "What size?"}
          pizza: {required: true}
          toppings: {many: true}
        context: {sets: {name: order, lifespan: 2}}
      Again:
        data:
          - sentences: ["[the] same (as before|again) [but] [with {topping:with}] [without {topping:without}]"]
        slots:
          with: {many: true, adds: toppings}
          without: {many: true, removes: toppings}
        context: {repeats: order}
      Chat:
        data: [{sentences: ["how are you"]}]
      Else: {fallback: true}
    lists:
      size: {values: [small, large]}
      pizza: {values: [margherita, salami]}
      topping: {values: [olives, ham, cheese]}
    responses:
      Order: "One {size} {pizza}."
      Chat: "Fine."
      Else: "I only sell pizza."

    """

  /// A dialogue with one turn a second.
  struct Talk {
    var cycle: DialogueStateMachine
    var time = 0.0

    init(_ yaml: String) throws {
      cycle = try DialogueStateMachine(Fixtures.understander(yaml))
    }

    mutating func say(
      _ text: String, by voice: TurnSpeaker = .notEnrolled, after seconds: Double = 1
    ) -> DialogueAction {
      time += seconds
      return cycle.process(text, at: time, by: voice)
    }

    /// The prompt or the reply, with the status before it.
    mutating func tell(_ text: String) -> String {
      let said = say(text).interpretation
      return "\(said.status.rawValue): \(said.prompt ?? said.reply ?? "")"
    }
  }

  private func slots(_ action: DialogueAction) -> [String: JSON] {
    Dictionary(uniqueKeysWithValues: action.interpretation.slots.map { ($0.name, $0.value) })
  }

  // MARK: Resolve

  @Test func thePartOfTheDayThatTheDateTellsCountsInLaterTurns() throws {
    let meeting = """
      language: en
      intents:
        Meet:
          data: [{sentences: ["meet [{date}] [[at] {time}]"]}]
          slots: {date: {required: true}, time: {required: true}}
          confirm: "Meet {date} at {time}?"
      """
    for turns in [
      ["meet tomorrow evening", "half past eight"], ["meet at half past eight", "tomorrow evening"],
      ["meet tomorrow evening at seven", "no, at half past eight"],
    ] {
      var talk = try Talk(meeting)
      for turn in turns.dropLast() { _ = talk.say(turn) }
      let asked = talk.say(turns[turns.count - 1])
      #expect(slots(asked)["time"] == "20:30", "\(turns)")
      #expect(asked.interpretation.prompt == "Meet tomorrow evening at half past eight?")
      let corrected = talk.say("no, tomorrow morning")
      #expect(slots(corrected)["time"] == "08:30", "\(turns)")
    }
  }

  @Test func aQuestionForAnyWordsTakesThem() throws {
    let note = """
      language: en
      intents:
        Note:
          data: [{sentences: ["take a note", "note {words}"]}]
          slots: {words: {required: true, prompt: "What?"}}
      lists: {words: {wildcard: true}}
      responses: {Note: "Noted: {words}."}
      """
    for words in ["number two", "last", "the first one"] {
      var talk = try Talk(note)
      #expect(talk.tell("take a note") == "needsValue: What?")
      #expect(talk.tell(words).hasPrefix("ready: Noted: "), "\(words)")
    }
    for words in ["meet the right people", "say thanks", "it is fine", "make it rain", "buy another one"] {
      var talk = try Talk(note)
      _ = talk.tell("take a note")
      #expect(talk.tell(words) == "ready: Noted: \(words).")
    }
  }

  @Test func limitsAreThoseOfDegreesAndAmountsToo() throws {
    let limits = """
      language: en
      intents:
        Heat:
          data: [{sentences: ["set it to {temperature}"]}]
          slots: {temperature: {type: temperature, from: 5, to: 30, unsupported: "Five to thirty."}}
        Pay:
          data: [{sentences: ["pay {money}"]}]
          slots: {money: {type: money, to: 100, unsupported: "Up to a hundred."}}
      """
    var talk = try Talk(limits)
    #expect(talk.tell("set it to 200 degrees") == "unsupported: Five to thirty.")
    #expect(talk.say("set it to 20 degrees").interpretation.status == .ready)
    #expect(talk.tell("pay 5000 dollars") == "unsupported: Up to a hundred.")
    #expect(talk.say("pay ninety dollars").interpretation.status == .ready)
  }

  @Test func wordsThatAreNoValueOfATypeAreNotCalledOutOfRange() throws {
    var talk = try Talk(
      """
      language: en
      intents:
        Rate:
          data: [{sentences: ["rate it [{number:stars}]"]}]
          slots:
            stars: {type: number, required: true, prompt: ["How many?", "One to five?"], from: 1, to: 5, unsupported: "One to five."}
      """)
    #expect(talk.tell("rate it") == "needsValue: How many?")
    #expect(talk.tell("the blue one") == "needsValue: One to five?")
    #expect(talk.tell("nine") == "unsupported: One to five.")
    #expect(talk.say("four").interpretation.status == .ready)
  }

  @Test func onePersonIsAnAnswerAndCountedAsOne() throws {
    let table = """
      language: en
      intents:
        Book:
          data: [{sentences: ["book a table [for {number:seats}]"]}]
          slots: {seats: {type: number, required: true, prompt: "For how many?"}}
      responses: {Book: "A table for {seats} {seats:person|people}."}
      """
    var talk = try Talk(table)
    #expect(talk.tell("book a table for 1") == "ready: A table for 1 person.")
    #expect(talk.tell("book a table for two") == "ready: A table for two people.")
    _ = talk.say("book a table")
    #expect(talk.tell("one person") == "ready: A table for one person.")
  }

  @Test func onlyTheIntentsThatAreAcceptedAreUnderstood() throws {
    var talk = try Talk(Self.pizza)
    talk.cycle.intents = ["Order"]
    #expect(talk.say("how are you").interpretation.status == .notUnderstood)
    #expect(talk.tell("order a margherita") == "needsValue: What size?")
    #expect(talk.say("how are you").interpretation.intent?.name == "Order")
    talk.cycle.intents = ["Chat"]
    #expect(talk.say("large").interpretation.status == .notUnderstood, "the question is of another intent")
    talk.cycle.intents = nil
    #expect(talk.tell("how are you") == "ready: Fine.")
  }

  @Test func missingSlotsAreAskedForOneAtATime() throws {
    var talk = try Talk(Self.ride)
    #expect(talk.tell("book a ride") == "needsValue: Taxi or limo?")
    #expect(talk.tell("limo") == "needsValue: Where from?")
    #expect(talk.tell("home") == "needsValue: Where to?")
    #expect(talk.tell("to the airport") == "needsConfirmation: A limo from home to airport, right?")
    let done = talk.say("yes please")
    guard case .handle(let ride) = done else {
      Issue.record("\(done)")
      return
    }
    #expect(ride.status == .ready && ride.reply == "A limo to airport is coming.")
    #expect(slots(done) == ["kind": "limo", "from": "home", "to": "airport"])
    #expect(ride.slots.allSatisfy { $0.range == nil })
  }

  @Test(arguments: [
    "to the airport", "the airport", "airport", "To the airport, please.", "um i think the airport",
    "let's go with the airport", "take the airport", "it's the airport please thanks",
  ])
  func aBareValueAnswersAPrompt(_ text: String) throws {
    var talk = try Talk(Self.ride)
    _ = talk.say("book a taxi from home")
    let said = talk.say(text)
    #expect(slots(said)["to"] == "airport")
    #expect(said.interpretation["to"]?.range != nil)
  }

  @Test func aRoleWordDecidesWhichSlotAnAnswerFills() throws {
    var talk = try Talk(Self.ride)
    _ = talk.say("book a taxi")
    #expect(talk.tell("to the airport") == "needsValue: Where from?")
    #expect(slots(talk.say("from the station"))["from"] == "station")
    var other = try Talk(Self.ride)
    _ = other.say("book a ride")
    let all = other.say("a limo from work to home")
    #expect(slots(all) == ["kind": "limo", "from": "work", "to": "home"])
    #expect(all.interpretation.status == .needsConfirmation)
  }

  @Test func anAmbiguousValueOffersItsChoices() throws {
    for (answer, kind) in [
      ("limo", "limo"), ("the second one", "limo"), ("the first", "taxi"), ("a taxi please", "taxi"),
      ("the last one", "limo"), ("number two", "limo"),
    ] {
      var talk = try Talk(Self.ride)
      #expect(talk.tell("book a car from home to work") == "needsDisambiguation: Do you mean taxi or limo?")
      #expect(slots(talk.say(answer))["kind"] == .string(kind), "\(answer)")
    }
  }

  @Test func anAmbiguousAnswerIsAskedAgain() throws {
    var talk = try Talk(Self.ride)
    _ = talk.say("book a car from home to work")
    #expect(talk.tell("a car").hasSuffix("Do you mean taxi or limo?"))
    #expect(talk.tell("the fifth one").hasSuffix("Do you mean taxi or limo?"))
  }

  @Test func anUnacceptedValueIsExplained() throws {
    var talk = try Talk(Self.ride)
    #expect(talk.tell("book a taxi for nine people from home to work") == "unsupported: We seat one to six.")
    let four = talk.say("four")
    #expect(slots(four)["seats"] == 4 && four.interpretation.status == .needsConfirmation)
    var same = try Talk(Self.ride)
    #expect(same.tell("book a taxi from home to home") == "unsupported: You are at home already.")
    #expect(same.tell("to work") == "needsConfirmation: A taxi from home to work, right?")
  }

  @Test func anInvalidAnswerIsExplainedWhereTheFileDoesSo() throws {
    var talk = try Talk(Self.ride)
    _ = talk.say("book a taxi from home")
    #expect(talk.tell("to the moon") == "unsupported: You are at to the moon already.")
  }

  // MARK: Confirm

  @Test(arguments: [
    "yes", "yeah", "yep", "sure", "ok", "okay", "right", "correct", "that's right", "yes please", "go ahead",
    "of course", "please do", "do it", "sounds good", "yes that's right", "exactly",
  ])
  func yesInSeveralWordings(_ text: String) throws {
    var talk = try Talk(Self.ride)
    _ = talk.say("book a taxi from home to work")
    #expect(talk.say(text).interpretation.status == .ready)
    #expect(talk.cycle.state == .handling(intent: "BookRide"))
  }

  @Test(arguments: [
    "no", "nope", "no thanks", "don't", "that's wrong", "no that's not right", "cancel", "never mind",
    "forget it", "i changed my mind", "please don't",
  ])
  func noInSeveralWordings(_ text: String) throws {
    var talk = try Talk(Self.ride)
    _ = talk.say("book a taxi from home to work")
    guard case .end(let left, .cancelled) = talk.say(text) else {
      Issue.record("not cancelled by \(text)")
      return
    }
    #expect(left.intent?.name == "Cancel" && left.reply?.hasPrefix("Okay") == true)
    #expect(talk.cycle.state == .idle)
  }

  @Test(arguments: [
    ("no, to the station", "A taxi from home to station, right?"),
    ("make it a limo", "A limo from home to work, right?"),
    ("no make it a limo from the airport", "A limo from airport to work, right?"),
    ("actually a limo", "A limo from home to work, right?"),
    ("limo", "A limo from home to work, right?"),
    ("sorry i meant from the station", "A taxi from station to work, right?"),
    ("change the kind to limo", "A limo from home to work, right?"),
  ])
  func correctionsAreConfirmedAgain(_ text: String, _ prompt: String) throws {
    var talk = try Talk(Self.ride)
    _ = talk.say("book a taxi from home to work")
    #expect(talk.tell(text) == "needsConfirmation: \(prompt)")
    #expect(talk.say("yes").interpretation.status == .ready)
  }

  // MARK: Other intents and misunderstandings

  @Test func anotherIntentTakesOverAndTheSameOneIsMerged() throws {
    var talk = try Talk(Self.ride)
    _ = talk.say("book a ride")
    #expect(talk.tell("get a limo to work") == "needsValue: Where from?")
    #expect(talk.say("lights on").interpretation.intent?.name == "Lights")
    #expect(talk.cycle.state == .handling(intent: "Lights"))
  }

  @Test func repeatedMisunderstandingEndsTheDialogue() throws {
    var talk = try Talk(Self.ride)
    _ = talk.say("book a ride")
    #expect(talk.tell("purple") == "needsValue: Please say taxi or limo.")
    #expect(talk.tell("monkey") == "needsValue: Please say taxi or limo.")
    guard case .end(let left, .gaveUp) = talk.say("dishwasher") else {
      Issue.record("still asking")
      return
    }
    #expect(left.status == .notUnderstood && left.reply?.hasPrefix("Sorry") == true)
    #expect(talk.cycle.state == .idle)
    // Values that are not accepted end it too.
    var stubborn = try Talk(Self.ride)
    _ = stubborn.say("book a taxi for nine people from home to work")
    var turns = 0
    while case .asking = stubborn.cycle.state, turns < 9 {
      _ = stubborn.say("nine")
      turns += 1
    }
    #expect(turns == 3)
  }

  @Test func anUnansweredQuestionTimesOut() throws {
    var talk = try Talk(Self.ride)
    _ = talk.say("book a ride")
    #expect(talk.say("limo", after: 119).interpretation.status == .needsValue)
    #expect(talk.say("home", after: 121).interpretation.status == .notUnderstood)
    #expect(talk.cycle.state == .idle)
  }

  // MARK: Contexts

  @Test func theSameAsBeforeRepeatsTheOrder() throws {
    var talk = try Talk(Self.pizza)
    let first = talk.say("order a large salami with olives and ham")
    #expect(slots(first) == ["size": "large", "pizza": "salami", "toppings": ["olives", "ham"]])
    #expect(first.interpretation["toppings"]?.text == "olives and ham")
    let second = talk.say("the same as before but with cheese without olives")
    #expect(second.interpretation.intent?.name == "Order" && second.interpretation.status == .ready)
    #expect(slots(second) == ["size": "large", "pizza": "salami", "toppings": ["ham", "cheese"]])
    let third = talk.say("no, make it small")
    #expect(third.interpretation.reply == "One small salami.")
  }

  @Test func aContextLastsItsTurns() throws {
    var talk = try Talk(Self.pizza)
    _ = talk.say("order a large salami")
    _ = talk.say("how are you")
    #expect(talk.say("same again").interpretation.intent?.name == "Order")
    for _ in 0..<2 { _ = talk.say("how are you") }
    #expect(talk.say("same again").interpretation.intent?.name == "Else")
  }

  @Test func aContextOpensSentencesAndFillsTheirSlots() throws {
    var talk = try Talk(Self.ride)
    #expect(talk.say("where is my ride").interpretation.status == .notUnderstood)
    _ = talk.say("book a limo from home to work")
    _ = talk.say("yes")
    #expect(talk.say("where is my ride").interpretation.reply == "Your limo is near.")
  }

  @Test func aFailedIntentLeavesNoContext() throws {
    var talk = try Talk(Self.pizza)
    _ = talk.say("order a large salami")
    talk.cycle.handled(succeeded: false)
    #expect(talk.say("same again").interpretation.intent?.name == "Else")
  }

  @Test func theFallbackIntentIsUsedLast() throws {
    var talk = try Talk(Self.pizza)
    guard case .handle(let other) = talk.say("sing me a song") else {
      Issue.record("no fallback")
      return
    }
    #expect(other.reply == "I only sell pizza." && other.intent?.confidence == 0)
    _ = talk.say("order a salami")
    #expect(talk.tell("sing me a song") == "needsValue: Sorry, I did not get that. What size?")
  }

  @Test func cancelWorksWithoutAQuestion() throws {
    var talk = try Talk(Self.ride)
    for text in ["never mind", "cancel", "book a thingummy no wait cancel that"] {
      guard case .end(_, .cancelled) = talk.say(text) else {
        Issue.record("not cancelled by \(text)")
        continue
      }
    }
  }

  // MARK: Robustness

  @Test(.needsOptimization) func aFileWithThousandsOfSlotsAndValuesIsReadInTime() throws {
    let slots = (0..<2_000).map { "s\($0): {list: l\($0 % 200), required: true}" }.joined(separator: ", ")
    let lists = (0..<200).map { list in
      "  l\(list): {values: [\((0..<50).map { "v\($0)x\(list)" }.joined(separator: ", "))]}\n"
    }
    let yaml =
      "language: en\nintents: {A: {data: [{sentences: [go]}], slots: {\(slots)}}}\nlists:\n" + lists.joined()
    let start = MonotonicClock.threadTime()
    var talk = try Talk(yaml)
    #expect(talk.tell("go") == "needsValue: Which s0?")
    #expect(talk.tell("v3x0") == "needsValue: Which s1?")
    #expect(MonotonicClock.threadTime() - start < 10)
  }

  @Test(.needsOptimization) func anyTextInAnyOrderIsAnsweredInTime() throws {
    let pieces = [
      "book", "a", "car", "taxi", "limo", "from", "to", "home", "the", "airport", "yes", "no", "cancel",
      "make",
      "it", "nine", "people", "the second one", "\u{0}", "🙂", "{to}", "[", "same", "again", "and", "sorry",
    ]
    var random = RandomSource(seed: 5)
    let voices = [TurnSpeaker.enrolled("ann"), .notEnrolled, .undetermined]
    for yaml in [Self.ride, Self.pizza, DialogueSpeakerTests.door("ann")] {
      var talk = try Talk(yaml)
      let start = MonotonicClock.threadTime()
      for _ in 0..<400 {
        let count = Int(random.next() % 9)
        let text = (0..<count).map { _ in pieces[Int(random.next() % UInt64(pieces.count))] }
        let action = talk.say(text.joined(separator: " "), by: voices[Int(random.next() % 3)])
        let said = action.interpretation
        switch action {
        case .ask, .refuse: #expect(said.prompt?.isEmpty == false && said.status != .ready)
        case .handle: #expect(said.status == .ready && said.intent != nil)
        case .end: #expect(said.prompt == nil)
        }
        if said.prompt != nil { continue }
        #expect(talk.cycle.state != .asking(intent: said.intent?.name ?? ""))
      }
      #expect(MonotonicClock.threadTime() - start < 20)
      _ = talk.say(String(repeating: "no make it a limo ", count: 5_000))
    }
  }

  // MARK: Intent files

  @Test func everyActionHasTheTraitsOfItsText() throws {
    let yaml =
      "language: en\nintents: {Hello: {data: [{sentences: [hello]}]}}\ntraits: {tongue: {language: true}}\n"
    var dialogue = try DialogueStateMachine(Fixtures.understander(yaml))
    for text in ["hello", "cancel", "whatever this is"] {
      let found = dialogue.process(text, at: 0).interpretation
      #expect(found.traits.map(\.name) == ["tongue"], "\(text)")
    }
  }

  @Test func answersAndStopPhrasesKeepTheRecognizerOfTheFile() throws {
    let text = "language: en\nrecognizer: builtin\nintents:\n  A:\n    data:\n      - sentences: [a]\n"
    let file = try IntentFile(parsing: Array(text.utf8), name: "test.yaml")
    #expect(try file.withAnswers().withStopPhrases(["done", "cancel"]).recognizer == "builtin")
  }
}
