import Platform
import TestServers
import Testing
import Understanding

/// Slots, confirmations, speakers and contexts in intent files, and messages about invalid ones.
@Suite(.limited) struct IntentRequirementsTests {
  private static let head = """
    language: en
    intents:
      Ride:
        data: [{sentences: ["[a] {kind} to {place:to} [for {1..9:seats}] [with {kind:extras}|without {kind:without}]"]}]
    lists: {kind: {values: [taxi, limo]}, place: {values: [home]}}

    """

  /// The head with `requirements` below the intent.
  private static func file(_ requirements: String) -> String {
    head.replacing(
      "    data:", with: requirements.split(separator: "\n").map { "    \($0)\n" }.joined() + "    data:")
  }

  @Test func everyKeyIsRead() throws {
    let yaml = Self.file(
      """
      slots:
        kind: {required: true, prompt: ["Which?", "Taxi or limo?"], choices: "{choices}?"}
        to: {list: place, answers: ["off to {place:to}"]}
        seats: {type: number, from: 1, to: 6, unsupported: "One to six."}
        extras: {list: kind, many: true}
        without: {list: kind, removes: extras}
      confirm: "A {kind} to {to}?"
      voice: {who: [ann, bob], refusal: "No."}
      context: {sets: [ride, {name: other, lifespan: 2}]}
      """)
    let intent = try #require(try IntentFile(parsing: Array(yaml.utf8), name: "a").intents.first)
    #expect(intent.slots.map(\.name) == ["kind", "to", "seats", "extras", "without"])
    let kind = try #require(intent.slot("kind"))
    #expect(kind.isRequired && kind.prompts.count == 2 && kind.choices != nil)
    let seats = try #require(intent.slot("seats"))
    #expect(seats.list == "number" && seats.from == 1 && seats.to == 6 && seats.unsupported != nil)
    #expect(intent.slot("extras")?.isMany == true && intent.slot("without")?.removes == "extras")
    #expect(
      intent.requirements.speaker == .names(["ann", "bob"]) && intent.requirements.confirmations.count == 1)
    #expect(
      intent.requirements.sets == [ContextGrant(name: "ride"), ContextGrant(name: "other", lifespan: 2)])
  }

  @Test func anIntentWithoutSentencesIsAFallbackOrAFault() throws {
    let yaml = "language: en\nintents: {Other: {fallback: true}}\n"
    #expect(try IntentFile(parsing: Array(yaml.utf8), name: "a").intents[0].requirements.isFallback)
    #expect(
      Fixtures.fault("language: en\nintents: {Other: {fallback: false}}\n")
        == "test.yaml:2:18: missing key 'data' in the intent 'Other'; add it")
  }

  struct Wrong: Sendable, CustomTestStringConvertible {
    let requirements: String
    let message: String
    var testDescription: String { message }
    init(_ requirements: String, _ message: String) {
      self.requirements = requirements
      self.message = message
    }
  }

  static let wrong = [
    Wrong(
      "slots: {seat: {type: number}}",
      "test.yaml:4:13: no sentence of the intent 'Ride' fills the slot 'seat'; did you mean 'seats'?"),
    Wrong(
      "slots: {colour: {}}",
      "test.yaml:4:13: no sentence of the intent 'Ride' fills the slot 'colour'; use '{list:colour}' in a sentence, or remove the slot"
    ),
    Wrong(
      "slots: {seat: {required: true}}",
      "test.yaml:4:13: no sentence of the intent 'Ride' fills the slot 'seat'; did you mean 'seats'?"),
    Wrong("confirm: \"A {knid}?\"", "test.yaml:4:17: no slot 'knid'; did you mean 'kind'?"),
    Wrong(
      "confirm: [\"A {kind}?\", \"For {count:one|more}?\"]",
      "test.yaml:4:33: no slot 'count'; define it or remove the reference"),
    Wrong(
      "slots: {to: {prompt: \"Where, {choises}?\"}}",
      "test.yaml:4:34: no slot 'choises'; define it or remove the reference"),
    Wrong(
      "slots: {to: {unsupported: \"Not {plaice}.\"}}",
      "test.yaml:4:36: no slot 'plaice'; define it or remove the reference"),
    Wrong(
      "voice: {who: enrolled, refusal: \"Not to {too}.\"}",
      "test.yaml:4:45: no slot 'too'; did you mean 'to'?"),
    Wrong(
      "slots: {to: {requierd: true}}",
      "test.yaml:4:18: unknown key 'requierd' in the slot 'to' of the intent 'Ride'; did you mean 'required'?"
    ),
    Wrong("slots: {to: {list: palce}}", "test.yaml:4:24: no list 'palce'; did you mean 'place'?"),
    Wrong("slots: {to: {unlike: form}}", "test.yaml:4:26: no slot 'form'; define it or remove the reference"),
    Wrong(
      "slots: {to: {required: yes please}}",
      "test.yaml:4:28: 'required' of the slot 'to' of the intent 'Ride' must be true or false"),
    Wrong(
      "slots: {to: {from: 6, to: 1}}",
      "test.yaml:4:17: the range of 'to' ends before it begins; swap 'from' and 'to'"),
    Wrong(
      "slots: {to: {prompt: []}}",
      "test.yaml:4:26: 'prompt' of the slot 'to' of the intent 'Ride' must be a text or a list of texts"),
    Wrong(
      "slots: {to: {answers: [\"to (home\"]}}",
      "test.yaml:4:32: '(' is not closed; write '\\(' if the character is meant"),
    Wrong("confirm: \"A {kind?\"", "test.yaml:4:14: a '{' of the reply is not closed; write '{slot}'"),
    Wrong(
      "voice: {refusal: \"No.\"}", "test.yaml:4:12: missing key 'who' in 'voice' of the intent 'Ride'; add it"
    ),
    Wrong(
      "voice: []",
      "test.yaml:4:12: 'voice' of the intent 'Ride' must be 'enrolled', a name, or a list of names"),
    Wrong(
      "context: {requires: ride}", "test.yaml:4:25: no context 'ride'; define it or remove the reference"),
    Wrong(
      "context: {sets: {name: ride, lifespan: 0}}",
      "test.yaml:4:21: 'lifespan' of 'context' of the intent 'Ride' must be a number of turns from 1 to 1000"),
  ]

  @Test(arguments: wrong) func reportsThePositionTheFaultAndTheFix(_ wrong: Wrong) {
    #expect(Fixtures.fault(Self.file(wrong.requirements)) == wrong.message)
  }

  @Test(arguments: [
    ("dialogue: {timeout: 0}", "test.yaml:6:11: 'timeout' of 'dialogue' must be seconds, more than 0"),
    (
      "dialogue: {words: {yess: [a]}}",
      "test.yaml:6:20: unknown key 'yess' in 'words' of 'dialogue'; did you mean 'yes'?"
    ),
    (
      "dialogue: {replies: {choose: \"Which, {choice}?\"}}",
      "test.yaml:6:38: no value 'choice'; did you mean 'choices'?"
    ),
    (
      "dialogue: {replies: {cancelled: \"{%if%}\"}}",
      "test.yaml:6:33: Jinja is not supported in replies; write '{slot}' for the text of a slot"
    ),
  ])
  func invalidDialogueWordsAreReported(_ yaml: String, _ message: String) {
    #expect(Fixtures.fault(Self.head + yaml + "\n") == message)
  }

  @Test(arguments: [
    "slots: {message: {required: true}}",
    "slots: {to: {prompt: \"{slot}: {choices}?\", choices: \"{choices}?\", unsupported: \"Not {value}.\"}}",
    "slots: {fare: {answers: [\"for {1..9:fare}\"]}}", "confirm: \"{kind} to {to} {seats:seat|seats}?\"",
  ])
  func slotsThatCanHaveAValueAreAccepted(_ requirements: String) {
    #expect(Fixtures.fault(Self.file(requirements)) == nil)
  }

  @Test func slotsOfARepeatedIntentAreAccepted() {
    let yaml = """
      language: en
      intents:
        Ride:
          data: [{sentences: ["a {kind}"]}]
          slots: {extras: {list: kind, many: true}}
          context: {sets: ride}
        Again:
          data: [{sentences: ["the same with {kind:more}"]}]
          slots: {more: {adds: extras}}
          context: {repeats: ride}
          confirm: "Again a {kind} with {more}?"
      lists: {kind: {values: [taxi]}}
      """
    #expect(Fixtures.fault(yaml) == nil)
  }

  @Test func voicesThatAreNotEnrolledAreReportedWithTheirPositions() throws {
    func messages(_ voice: String, _ enrolled: [String]) throws -> [String] {
      let bytes = Array(Self.file("voice: \(voice)").utf8)
      return try IntentFile(parsing: bytes, name: "a").voiceFaults(enrolled: enrolled).map(\.message)
    }
    #expect(
      try messages("[ann, bbo, zoe]", ["ann", "bob"]) == [
        "a:4:18: no voice 'bbo' is enrolled; did you mean 'bob'?",
        "a:4:23: no voice 'zoe' is enrolled; enroll it with 'hotword enroll zoe --phrase M CLIP…'",
      ])
    #expect(
      try messages("enrolled", []) == [
        "a:4:12: no voice is enrolled; enroll it with 'hotword enroll NAME --phrase M CLIP…'"
      ])
    #expect(try messages("{who: bob}", ["bob"]).isEmpty)
  }

  @Test func dialogueWordsOfTheFileReplaceTheStandardOnes() throws {
    let yaml = Self.head + "dialogue: {timeout: 30, words: {\"yes\": [ja]}, replies: {cancelled: Gut.}}\n"
    let words = try #require(try IntentFile(parsing: Array(yaml.utf8), name: "a").dialogue)
    #expect(words.timeout == 30 && words.attempts == 2)
    #expect(words.plain(.yes) == ["ja"] && words.words[.no]?.isEmpty == false)
    #expect(words.reply(.cancelled) == "Gut.")
  }
}
