import Dialogue
import HomeAssistant
import Networking
import Platform
import TestServers
import Testing
import Understanding
import YAMLFormat

/// The intents of a home: read from Home Assistant, joined with sentences, written and understood.
@Suite(
  .limited, .enabled(if: PythonServer.python(with: ["websockets"]) != nil, "needs python3 with websockets"))
struct HomeIntentsTests {
  private static let fixtures = String(#filePath.dropLast("/HomeIntentsTests.swift".count)) + "/Fixtures"

  private static func home(_ behaviour: String = "answers", key: String = "good") throws -> Home {
    let server = try PythonServer("home_assistant.py", [behaviour], modules: ["websockets"])
    let address = try WebAddress(
      "http://127.0.0.1:\(server.port)", schemes: ["http"], expected: "http://HOST")
    return try HomeAssistantConnection(address, key: Secret(key)).home()
  }

  private static func sentences(own: Bool = false) throws -> SentenceSet {
    try SentenceSet(language: "en-GB", in: fixtures, own: own ? fixtures + "/own" : nil)
  }

  /// The intent file of the home, written and read again.
  private static func file(own: Bool = false) throws -> IntentFile {
    let text = YAMLWriter.text(of: HomeIntents.file(for: try home(), try sentences(own: own)))
    return try IntentFile(parsing: Array(text.utf8), name: "home.yaml")
  }

  @Test func theHomeHasTheNamesOfWhatIsExposed() throws {
    let home = try Self.home()
    #expect(
      home.areas == [Home.Place("Kitchen", aliases: ["cookery"]), Home.Place("Bedroom")]
        && home.floors.isEmpty)
    #expect(
      home.entities.map(\.name) == ["Curtain (left)", "Bedroom Lamp", "Ceiling Light", "Front Door"])
    #expect(home.rooms == ["assist_satellite.box": "Bedroom", "box": "Bedroom"])
    #expect(home.entities[2].aliases == ["the big light"] && home.entities[2].domain == "light")
  }

  @Test func namesOfAnyCharactersMakeAFileThatCanBeUsed() throws {
    let names = [
      "TV [old]", "(\u{301}Lamp", "\u{1F389}", "...", "a\u{2028}b", "{x", "C:\\ \"D\"",
      String(repeating: "x", count: 201),
    ]
    let home = Home(
      floors: [], areas: names.map { Home.Place($0) },
      entities: names.map { Home.Entity(domain: "light", $0) }, rooms: ["box\u{2028}": names[4]])
    let text = YAMLWriter.text(of: HomeIntents.file(for: home, try Self.sentences()))
    let file = try IntentFile(parsing: Array(text.utf8), name: "home.yaml")
    let understander = try Understander(file)
    for (said, name) in [("tv old", names[0]), ("a b", names[4]), ("c d", names[6])] {
      #expect(understander.interpret("switch on the \(said)")["name"]?.value == .string(name))
    }
  }

  @Test func ownRepliesReplaceOthersAndNamesInOwnRulesAreOfTheirDomain() throws {
    let folder = PythonServer.temporaryFolder("own")
    let own = """
      language: en
      intents:
        HassTurnOn:
          data:
            - sentences: ["let <gadget> shine"]
              requires_context: {domain: light}
              response: shine
      expansion_rules: {gadget: "[the] {name}"}
      responses: {intents: {HassTurnOn: {shine: "It shines"}}}
      """
    try Files.write(Array(own.utf8), to: folder + "/own.yaml")
    let sentences = try SentenceSet(language: "en-GB", in: Self.fixtures, own: folder)
    let text = YAMLWriter.text(of: HomeIntents.file(for: try Self.home(), sentences))
    let understander = try Understander(IntentFile(parsing: Array(text.utf8), name: "home.yaml"))
    let found = understander.interpret("let the bedroom lamp shine")
    #expect(found["name"]?.value == "Bedroom Lamp" && found.clientReply == "It shines")
    #expect(understander.interpret("let the front door shine").status == .notUnderstood)
  }

  @Test func aWrongKeyAndARefusedCommandAreFaults() throws {
    #expect { try Self.home(key: "bad") } throws: {
      guard case .refused? = $0 as? HomeAssistantFault else { return false }
      return true
    }
    #expect { try Self.home("refuses") } throws: {
      guard case .failed(_, _, "Unauthorized")? = $0 as? HomeAssistantFault else { return false }
      return true
    }
  }

  @Test(
    arguments: [
      ("switch on the ceiling light", "HassTurnOn", ["name": "Ceiling Light"]),
      ("turn on the big light", "HassTurnOn", ["name": "Ceiling Light"]),
      // A longer name is meant rather than the lamps of an area.
      ("turn on the bedroom lamp", "HassTurnOn", ["name": "Bedroom Lamp"]),
      ("turn on the cookery lamp", "HassTurnOn", ["area": "Kitchen", "domain": "light"]),
      ("open the curtain left", "HassTurnOn", ["name": "Curtain (left)"]),
      ("volume fifty please", "HassSetVolume", ["volume": 50]),
      ("party in the bedroom", "Party", ["area": "Bedroom"]),
    ] as [(String, String, [String: JSON])])
  func sentencesAreUnderstood(_ text: String, _ intent: String, _ slots: [String: JSON]) throws {
    let found = try Understander(Self.file(own: true)).interpret(text)
    #expect(found.intent?.name == intent)
    #expect(Dictionary(uniqueKeysWithValues: found.slots.map { ($0.name, $0.value) }) == slots)
  }

  @Test(arguments: [
    "open the ceiling light", "turn on the front door", "turn on the lights on the first floor",
    "clean the bedroom", "turn on the secret", "open the front door valve",
  ])
  func whatTheHomeHasNotIsNotUnderstood(_ text: String) throws {
    #expect(try Understander(Self.file()).interpret(text).intent == nil)
  }

  @Test func theRoomOfTheSpeakerIsTheAreaOfSentencesWithoutOne() throws {
    var dialogue = try DialogueStateMachine(Understander(Self.file()))
    #expect(dialogue.process("turn on the lights", at: 0).interpretation.intent == nil)
    dialogue.area = "Kitchen"
    let found = dialogue.process("turn on the lights", at: 1).interpretation
    #expect(found["area"]?.value == "Kitchen")
  }

  @Test func theRoomsOfSatellitesAreInTheFile() throws {
    let file = try Self.file()
    #expect(file.rooms == ["assist_satellite.box": "Bedroom", "box": "Bedroom"])
    #expect(file.roomIdentifiers == ["assist_satellite.box": "bedroom", "box": "bedroom"])
  }

  @Test func repliesAreForTheClientToFill() throws {
    var dialogue = try DialogueStateMachine(Understander(Self.file()))
    let found = dialogue.process("turn on the bedroom lamp", at: 0).interpretation
    #expect(found.reply == nil && found.clientReply == "Turned on {{ slots.name }}")
  }

  @Test(
    arguments: [
      (
        "turn on the badroom fan",
        "Sorry, I am not aware of any device called badroom fan. You can say: Bedroom Lamp."
      ),
      // The package's reply is more than a text.
      ("turn on the dungeon lights", "I do not know dungeon. You can say: Kitchen, Bedroom."),
      ("tell me a joke", "Sorry, I couldn't understand that"),
    ])
  func whatIsNotUnderstoodIsAnsweredByWhatCouldBeSaid(_ text: String, _ reply: String) throws {
    var dialogue = try DialogueStateMachine(Understander(Self.file()))
    let found = dialogue.process(text, at: 0).interpretation
    let answer = found.reply ?? ""
    #expect(found.intent == nil)
    #expect(answer == reply)
  }

  @Test func recognizersListenForWhatTheHomeHas() throws {
    let file = try Self.file(own: true)
    #expect(file.recognizer == "builtin")
    let words = Set(try Grammar(file).words)
    #expect(
      words.isSuperset(of: ["turn", "switch", "open", "ceiling", "curtain", "volume", "fifty", "party"]))
    // There are no valves and fans.
    #expect(words.isDisjoint(with: ["valve", "fans"]))
  }

  @Test func missingSentencesAreAFaultThatTellsTheFix() throws {
    #expect {
      try SentenceSet(language: "en", in: "/nowhere", own: nil)
    } throws: {
      ($0 as? HomeAssistantFault)?.message.contains("pip install") == true
    }
    #expect {
      try SentenceSet(language: "xx", in: Self.fixtures, own: nil)
    } throws: {
      ($0 as? HomeAssistantFault)?.message.hasSuffix("home_assistant_intents; it has en") == true
    }
  }

  @Test func ownFilesMayHaveListsOnly() throws {
    let folder = PythonServer.temporaryFolder()
    try Files.write(
      Array("language: en\nlists: {colour: {values: [red]}}\n".utf8), to: "\(folder)/colours.yaml")
    _ = try SentenceSet(language: "en", in: Self.fixtures, own: folder)
    try Files.write(Array("language: en\n".utf8), to: "\(folder)/none.yaml")
    #expect(throws: HomeAssistantFault.badOwnFile(file: "\(folder)/none.yaml")) {
      try SentenceSet(language: "en", in: Self.fixtures, own: folder)
    }
  }
}
