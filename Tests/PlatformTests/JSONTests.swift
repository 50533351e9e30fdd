import Platform
import TestServers
import Testing

@Suite(.limited) struct JSONTests {
  @Test func membersKeepTheirOrder() {
    let value: JSON = ["file": "a.wav", "keyword": "computer", "at": .rounded(1.84), "count": 3]
    #expect("\(value)" == #"{"file":"a.wav","keyword":"computer","at":1.84,"count":3}"#)
  }

  @Test func textIsEscaped() {
    #expect("\(JSON.string("a\"b\\c\n\u{1}é"))" == #""a\"b\\c\n\u0001é""#)
  }

  @Test func numbersAreShortAndValid() {
    #expect("\(JSON.number(0.1))" == "0.1")
    #expect("\(JSON.number(-3))" == "-3")
    #expect("\(JSON.number(.nan))" == "null")
    #expect("\(JSON.number(.infinity))" == "null")
  }

  @Test func writtenValuesAreParsedBack() throws {
    let value: JSON = ["a": [1, 2.5, nil, true, "x\t"], "b": ["c": "d"]]
    let read = try JSON(parsing: Array("\(value)".utf8), what: "test")
    #expect(read["a"] == value["a"])
    #expect(read["b"]?["c"]?.string == "d")
  }

  @Test(arguments: [
    "9007199254740993", "-9007199254740993", "1764000000123456789", "9223372036854775807", "9007199254740992",
    "1764000000123", "123456789012345678", "18446744073709551617", "-123456789012345680001",
  ])
  func longWholeNumbersAreExact(_ text: String) throws {
    let value = try JSON(parsing: Array(text.utf8), what: "number")
    #expect(value.description == text)
    #expect(value.number == Double(text))
  }

  @Test(arguments: [
    ("{\"a\":", "x:1:6: not valid JSON"), ("[1,\n 2,,\n3]", "x:2:4: not valid JSON"),
    ("{\"a\":1,\n\"b\":{\"c\":1},\"a\":2}", #"x:2:13: the name "a" occurs twice in one JSON object"#),
    ("{\"b\":{\"\\u0061\":1,\"a\":2}}", #"x:1:18: the name "a" occurs twice in one JSON object"#),
    (String(repeating: "[", count: 200), "x:1:129: JSON nested more than 128 levels deep"),
  ])
  func aFaultStatesTheReasonAndThePlace(_ text: String, _ message: String) {
    let fault = thrown(SystemFault.self) { try JSON(parsing: Array(text.utf8), what: "x") }
    #expect(fault?.message == message)
  }

  @Test func objectsKeepTheOrderOfTheirMembers() throws {
    let text = #"{"z":1,"a":{"y":2,"b":3},"m":[]}"#
    #expect("\(try JSON(parsing: Array(text.utf8), what: "x"))" == text)
  }

  @Test(
    arguments: [
      ("0", 0), ("-0", -0.0), (" 1.5e3\n", 1500), ("1E-2", 0.01), ("-12.25", -12.25),
      ("123456789012345680000", .longNumber("123456789012345680000")), ("1e20", 1e20),
      ("5e-324", .number(.leastNonzeroMagnitude)), ("1e-999", 0), ("true", true), ("false", false),
      ("null", nil), ("[]", []),
      ("{}", [:]),
      ("[ 1 , [ ] ]", [1, []]), (#"{"b":1,"a":{"":2}}"#, ["b": 1, "a": ["": 2]]),
      (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u00e9\ud83d\uDE00\u0000""#, "é😀\u{0}"),
      ("\"\u{7F}é\"", "\u{7F}é"),
      ("\u{FEFF}[]", []),
    ] as [(String, JSON)])
  func itAcceptsWhatTheStandardAllows(_ text: String, _ value: JSON) throws {
    #expect(try JSON(parsing: Array(text.utf8), what: "x") == value)
  }

  @Test(arguments: [
    "", " ", "tru", "True", "nul", "NaN", "Infinity", "-", "+1", "01", "1.", ".5", "1e", "1e+", "0x10",
    "1e999", "1 2", "1,",
    "[", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "]", "{", "{\"a\"", "{\"a\":", "{\"a\":1,}", "{a:1}", "{1:1}",
    "{\"a\" 1}", "}",
    "\"", "\"a", "'a'", "\"\\", "\"\\x\"", "\"\\u12\"", "\"\\u123g\"", "\"\\ud800\"", "\"\\udc00\"",
    "\"\\ud800\\u0041\"", "\"\n\"",
    "\"\u{0}\"", "[1]x", "// a\n1", "\u{A0}1",
  ])
  func itRejectsWhatTheStandardForbids(_ text: String) {
    let defect = thrown(JSONDefect.self) { try JSON(parsing: Array(text.utf8)) }
    #expect(defect?.kind == .syntax)
  }

  @Test func itRejectsInvalidUTF8() {
    for bytes: [UInt8] in [
      [0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0xFF, 0xFE],
    ] {
      #expect(throws: SystemFault.self) { try JSON(parsing: bytes, what: "x") }
    }
  }

  @Test func depthIsBounded() throws {
    func nested(_ depth: Int) -> [UInt8] {
      Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
    }
    _ = try JSON(parsing: nested(JSON.depthLimit), what: "x")
    for depth in [JSON.depthLimit + 1, 1_000_000] {
      #expect(throws: SystemFault.self) { try JSON(parsing: nested(depth), what: "x") }
    }
    _ = try JSON(parsing: nested(2), depthLimit: 2)
    #expect(throws: JSONDefect.self) { try JSON(parsing: nested(3), depthLimit: 2) }
  }

  /// Parsing time is proportional to the length of untrusted text.
  @Test(.needsOptimization) func aMegabyteIsParsedInTime() throws {
    let deep = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
    let object = String(repeating: "{\"a\":", count: 100) + "1" + String(repeating: "}", count: 100)
    for (element, count) in [
      ("1", 500_000), ("[]", 350_000), ("{\"a\":1}", 100_000), (deep, 5_000), (object, 1_500),
    ] {
      let text = "[" + Array(repeating: element, count: count).joined(separator: ",") + "]"
      let began = MonotonicClock.threadTime()
      _ = try JSON(parsing: Array(text.utf8), what: "x")
      #expect(MonotonicClock.threadTime() - began < 3)
    }
  }
}
