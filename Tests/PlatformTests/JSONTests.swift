import Platform
import Testing

@Suite struct JSONTests {
  @Test func membersKeepTheirOrder() {
    let value: JSON = ["file": "a.wav", "keyword": "computer", "at": .rounded(1.84), "count": 3]
    #expect("\(value)" == #"{"file":"a.wav","keyword":"computer","at":1.84,"count":3}"#)
  }

  @Test func textIsEscaped() {
    #expect("\(JSON.string("a\"b\\c\n\u{1}é"))" == #""a\"b\\c\n\u0001é""#)
  }

  @Test func numbersAreShortestAndNeverInvalid() {
    #expect("\(JSON.number(0.1))" == "0.1")
    #expect("\(JSON.number(-3))" == "-3")
    #expect("\(JSON.number(.nan))" == "null")
    #expect("\(JSON.number(.infinity))" == "null")
  }

  @Test func whatIsWrittenIsReadBack() throws {
    let value: JSON = ["a": [1, 2.5, nil, true, "x\t"], "b": ["c": "d"]]
    let read = try JSON(parsing: Array("\(value)".utf8), what: "test")
    #expect(read["a"] == value["a"])
    #expect(read["b"]?["c"]?.string == "d")
  }

  @Test func brokenTextIsAFault() {
    #expect(throws: SystemFault.notJSON(what: "x")) { try JSON(parsing: Array("{\"a\":".utf8), what: "x") }
  }
}
