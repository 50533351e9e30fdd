import TestServers
import Testing
import Understanding

/// Messages about invalid annotated examples and slot rules.
@Suite(.limited) struct ExampleFileTests {
  static let head = "language: en\nintents:\n  A:\n    "

  @Test(arguments: [
    ("examples: [\"a [b(c)\"]", "4:19: '[' is not closed; write '\\[' if the character is meant"),
    ("examples: [\"a b](c)\"]", "4:20: ']' has no opening bracket; write '\\]' if the character is meant"),
    (
      "examples: [\"a [b] c\"]",
      "4:19: the words in '[…]' have no slot; write '[words](slot)' or '[words](list:slot)'"
    ),
    ("examples: [\"a [b](c\"]", "4:22: '(' is not closed; write '\\(' if the character is meant"),
    ("examples: [\"a [](c)\"]", "4:19: no words between '[' and ']'; add them"),
    ("examples: [\"a [b](c=)\"]", "4:19: no value after '='; add it or remove '='"),
    ("examples: [\"a [b](c d)\"]", "4:19: 'c d' is not a valid name; use letters, digits and '_'"),
    ("examples: [\" \"]", "4:17: the example is empty; add words or remove it"),
    ("examples: a", "4:15: 'examples' of the intent 'A' must be a list of items that begin with '- '"),
    ("slots: {x: {}}", "3:3: missing key 'data' in the intent 'A'; add it"),
    (
      "{examples: [a], slots: {x: {mny: true}}}",
      "4:33: unknown key 'mny' in the slot 'x' of the intent 'A'; did you mean 'many'?"
    ),
  ])
  func namesTheFault(_ yaml: String, _ message: String) {
    let fault = Fixtures.fault(Self.head + yaml + "\n")
    #expect(
      fault?.hasSuffix(message.split(separator: ": ", maxSplits: 1).last.map(String.init) ?? "") == true)
  }
}
