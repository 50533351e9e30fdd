import Platform
import TestServers
import Testing
import Understanding

/// Messages about invalid intent files.
@Suite(.limited) struct IntentFileTests {
  static let head = "language: en\nintents:\n  A:\n    data:\n"

  struct Wrong: Sendable, CustomTestStringConvertible {
    let yaml: String
    let message: String
    var testDescription: String { message }
    init(_ yaml: String, _ message: String) {
      self.yaml = yaml
      self.message = message
    }
  }

  static let wrong: [Wrong] = [
    Wrong("", "test.yaml:1:1: the file is empty; an intent file begins with 'language: en' and 'intents:'"),
    Wrong(
      "# nothing\n",
      "test.yaml:1:1: the file is empty; an intent file begins with 'language: en' and 'intents:'"),
    Wrong("- a\n", "test.yaml:1:1: the intent file must be a mapping of keys to values"),
    Wrong("language: en\n", "test.yaml:1:1: missing key 'intents' in the intent file; add it"),
    Wrong(
      "language: en\nintnets: {}\n",
      "test.yaml:2:1: unknown key 'intnets' in the intent file; did you mean 'intents'?"),
    Wrong(
      "language: en\nlanguage: de\n",
      "test.yaml:2:1: duplicate key 'language', first used in line 1; remove one of them"),
    Wrong(
      "language: en\nrecognizer: \"command:touch /tmp/x\"\nintents: {}\n",
      "test.yaml:2:13: 'recognizer' must be combined, builtin or pocketsphinx"),
    Wrong(
      head + "      - sentence: [a]\n",
      "test.yaml:5:9: unknown key 'sentence' in 'data' of the intent 'A'; did you mean 'sentences'?"),
    Wrong(
      head + "      - slots: {a: 1}\n",
      "test.yaml:5:9: missing key 'sentences' in 'data' of the intent 'A'; add it"),
    Wrong(
      head + "      - sentences: turn on\n",
      "test.yaml:5:20: 'sentences' must be a list of items that begin with '- '"),
    Wrong(
      head + "      - sentences: [\"turn (on\"]\n",
      "test.yaml:5:27: '(' is not closed; write '\\(' if the character is meant"),
    Wrong(
      head + "      - sentences: [turn on)]\n",
      "test.yaml:5:28: ')' has no opening bracket; write '\\)' if the character is meant"),
    Wrong(
      head + "      - sentences: [\"a (b|c;d)\"]\n",
      "test.yaml:5:28: '|' and ';' are in one group; put one of them in brackets of its own"),
    Wrong(
      head + "      - sentences: [\"in {aera}\"]\nlists: {area: {values: [b]}}\n",
      "test.yaml:5:25: no list '{aera}'; did you mean 'area'?"),
    Wrong(
      head
        + "      - sentences: [\"in {aera}\"]\nlists: {area: {values: [b]}}\nresponses: {A: \"In {area}.\"}\n",
      "test.yaml:5:25: no list '{aera}'; did you mean 'area'?"),
    Wrong(
      head + "      - sentences: []\n",
      "test.yaml:5:20: 'sentences' of the intent 'A' must be a list with at least one sentence"),
    Wrong(
      "language: en\nintents: {A: {data: []}}\n",
      "test.yaml:2:21: 'data' of the intent 'A' must be a list with at least one group of sentences"),
    Wrong(
      head + "      - sentences: [a]\nlists: {area: {valus: [b]}}\n",
      "test.yaml:6:16: unknown key 'valus' in the list 'area'; did you mean 'values'?"),
    Wrong(
      head + "      - sentences: [\"<x>\"]\n",
      "test.yaml:5:22: no expansion rule '<x>'; add it under 'expansion_rules'"),
    Wrong(
      head + "      - sentences: [\"<a>\"]\nexpansion_rules:\n  a: \"x <b>\"\n  b: \"[<a>] y\"\n",
      "test.yaml:8:8: circular reference: <a> → <b> → <a>; remove one of the references"),
    Wrong(
      head + "      - sentences: [a]\nlists: {n: {range: {from: 9, to: 1}}}\n",
      "test.yaml:6:20: the range of 'n' ends before it begins; swap 'from' and 'to'"),
    Wrong(
      head + "      - sentences: [a]\nlists: {n: {range: {from: 1.5, to: 3}}}\n",
      "test.yaml:6:27: 'from' of the range of 'n' must be a whole number"),
    Wrong(
      head + "      - sentences: [a]\nlists: {n: {values: [a], wildcard: true}}\n",
      "test.yaml:6:12: the list 'n' must have one of 'values', 'range', 'type' and 'wildcard: true'"),
    Wrong(
      head + "      - sentences: [a]\nlists: {n: {range: {from: 1, to: 3, type: percentag}}}\n",
      "test.yaml:6:43: 'type' of the range of 'n' is 'percentag' but must be one of number, percentage, temperature; did you mean 'percentage'?"
    ),
    Wrong(
      head + "      - sentences: [a]\nresponses: {B: x}\n",
      "test.yaml:6:13: unknown key 'B' in 'responses'; did you mean 'A'?"),
    Wrong(
      head + "      - sentences: [a]\n        response: onn\nresponses: {A: {one: x}}\n",
      "test.yaml:6:19: no response 'onn' for the intent 'A'; did you mean 'one'?"),
    Wrong(
      head + "      - sentences: [\"in {1..2:room}\"]\nresponses: {A: \"on in {rom}\"}\n",
      "test.yaml:6:23: no slot 'rom'; did you mean 'room'?"),
    Wrong(
      head + "      - sentences: [a]\n        response: \"on in {room}\"\n",
      "test.yaml:6:26: no slot 'room'; define it or remove the reference"),
    Wrong(
      head + "      - sentences: [a]\nresponses: {A: \"on {area\"}\n",
      "test.yaml:6:16: a '{' of the reply is not closed; write '{slot}'"),
  ]

  @Test(arguments: wrong) func reportsThePositionTheFaultAndTheFix(_ wrong: Wrong) {
    #expect(Fixtures.fault(wrong.yaml) == wrong.message)
    #expect(
      IntentFile.faults(parsing: Array(wrong.yaml.utf8), name: "test.yaml").map(\.message) == [wrong.message])
  }

  @Test func repliesMayNameFixedSlotsContextsAndCaptures() {
    let block =
      "      - sentences: [\"a {1..2:@number}\"]\n        slots: {b: 1}\n        requires_context: {c: {slot: true}}\n"
    #expect(Fixtures.fault(Self.head + block + "responses: {A: \"{number} {b} {c}\"}\n") == nil)
  }

  @Test func theNestingOfBracketsIsLimited() {
    let brackets = String(repeating: "(", count: 1_500) + "a" + String(repeating: ")", count: 1_500)
    #expect(
      Fixtures.fault(Self.head + "      - sentences: [\"\(brackets)\"]\n")?.contains("nest deeper") == true)
  }

  @Test func damagedFilesAreRejected() throws {
    let bytes = try Files.read(
      Fixtures.path("../../../Sources/Conversation/Understanding/Resources/home.yaml"))
    var random = RandomSource(seed: 11)
    var rejected = 0
    for _ in 0..<120 {
      var damaged = Array(bytes.prefix(1 + Int(random.next() % UInt64(bytes.count))))
      for _ in 0..<3 { damaged[Int(random.next() % UInt64(damaged.count))] = UInt8(random.next() & 0xFF) }
      guard let fault = Fixtures.fault(damaged) else { continue }
      #expect(fault.hasPrefix("test.yaml:"))
      rejected += 1
    }
    #expect(rejected > 100)
  }

  @Test func theRecognizerIsRead() throws {
    let text = "language: en\nrecognizer: builtin\nintents:\n  A:\n    data:\n      - sentences: [a]\n"
    let file = try IntentFile(parsing: Array(text.utf8), name: "test.yaml")
    #expect(file.recognizer == "builtin")
  }

  @Test func aMissingFileIsNoInput() {
    do throws(IntentFileFault) {
      _ = try IntentFile(reading: "/nonexistent/intents.yaml")
      Issue.record("read a file that is not there")
    } catch {
      #expect(error.exitCode == .noInput)
      #expect(error.message == "/nonexistent/intents.yaml: cannot be read: no such file or directory")
    }
  }

  @Test func invalidDataHasExitCode65() {
    do throws(IntentFileFault) {
      _ = try IntentFile(parsing: [], name: "x")
      Issue.record("accepted an empty file")
    } catch {
      #expect(error.exitCode == .badData)
    }
  }

  @Test func allFaultsOfAFileAreFoundInTheOrderOfItsLines() {
    let yaml = """
      language: en
      skip_wrods: [please]
      intents:
        Light:
          data:
            - sentences: ["turn (on", "turn {stat} the light in the {room}", "<polite> light"]
              respnse: on
            - sentences: "light"
          slots:
            state: {requird: true}
        Door:
          confirm: 3
          examples: ["open the [door", "shut the [gate](dor:which)"]
      lists:
        state: {values: [on, {on: "off"}]}
        room: {range: {from: 5, to: 1}}
      expansion_rules:
        please: "<please> do"
        polite: "(a|b"
      responses:
        Ligth: "ok"
        Door: "{a"
      """
    let faults = IntentFile.faults(parsing: Array(yaml.utf8), name: "t")
    #expect(
      faults.map(\.message) == [
        "t:2:1: unknown key 'skip_wrods' in the intent file; did you mean 'skip_words'?",
        "t:6:27: '(' is not closed; write '\\(' if the character is meant",
        "t:6:39: no list '{stat}'; did you mean 'state'?",
        "t:7:9: unknown key 'respnse' in 'data' of the intent 'Light'; did you mean 'response'?",
        "t:8:20: 'sentences' must be a list of items that begin with '- '",
        "t:10:15: unknown key 'requird' in the slot 'state' of the intent 'Light'; did you mean 'required'?",
        "t:13:26: '[' is not closed; write '\\[' if the character is meant",
        "t:13:44: no list '{dor}'; add it under 'lists'",
        "t:15:25: unknown key 'on' in a value of the list 'state'; did you mean 'in'?",
        "t:16:17: the range of 'room' ends before it begins; swap 'from' and 'to'",
        "t:18:12: circular reference: <please> → <please>; remove one of the references",
        "t:19:12: '(' is not closed; write '\\(' if the character is meant",
        "t:21:3: unknown key 'Ligth' in 'responses'; did you mean 'Light'?",
        "t:22:9: a '{' of the reply is not closed; write '{slot}'",
      ])
  }

  @Test func aFileWithoutFaultsHasNone() {
    let yaml = Self.head + "      - sentences: [\"turn on\"]\n"
    #expect(IntentFile.faults(parsing: Array(yaml.utf8), name: "t").isEmpty)
  }
}
