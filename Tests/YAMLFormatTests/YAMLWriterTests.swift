import Platform
import TestServers
import Testing
import YAMLFormat

/// What is written as YAML is read as the same value.
@Suite(.limited) struct YAMLWriterTests {
  private static let long = String(repeating: "long ", count: 40)
  private static let longKey = String(repeating: "key ", count: 300)

  @Test(
    arguments: [
      ["a": 1, "b": -2.5, "c": true, "d": nil, "e": "text"],
      ["no": "no", "on": "on", "12": "12", "x": "null", "empty": "", "sign": "a: b # \"c\" \\ é\n"],
      [
        "a\u{2028}b": "\u{85}\u{2029} \u{FEFF}\u{7F}\u{9B}\u{FFFF}\u{0}\t\u{1F389}",
        "x": [["\u{2028}": "\u{2029}"]],
      ],
      ["list": ["a", ["b", "c"], [], [:]], "nested": ["x": ["y": ["z": ["w"]]]]],
      [
        "long": [.string(long), .string(long)],
        "objects": [["in": .string(long), "out": ["a": [1, 2]]], ["b": "c"]],
      ],
      ["lists": [[["a"], ["b"]], [.string(long), .string(long)]]],
      .object([
        JSON.Member(longKey, ["a": .object([JSON.Member(longKey, ["b", "c"])])]),
        JSON.Member("d", [.object([JSON.Member(longKey, "e")])]),
        JSON.Member("f", .array([.object([JSON.Member("g", 1), JSON.Member(longKey, [["h": "i"]])])])),
      ]),
    ] as [JSON])
  func valuesAreReadAgain(_ value: JSON) throws {
    let text = YAMLWriter.text(of: value)
    #expect(try YAMLReader.read(Array(text.utf8), file: "test").json == value, "\(text)")
  }

  @Test func shortValuesAreOnOneLine() {
    let text = YAMLWriter.text(of: ["data": [["sentences": ["turn on", "go"], "slots": ["a": "b c"]]]])
    #expect(text == "data:\n  - sentences: [\"turn on\", go]\n    slots: {a: \"b c\"}\n")
  }
}
