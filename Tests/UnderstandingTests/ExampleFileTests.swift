import Testing
import Understanding

/// Annotated examples and slot rules that are wrong: where, and what to do about it.
@Suite struct ExampleFileTests {
  static let head = "language: en\nintents:\n  A:\n    "

  @Test(arguments: [
    ("examples: [\"a [b(c)\"]", "4:19: '[' is not closed; write '\\[' if the character is meant"),
    ("examples: [\"a b](c)\"]", "4:20: ']' closes nothing; write '\\]' if the character is meant"),
    (
      "examples: [\"a [b] c\"]",
      "4:19: the words in '[…]' name no slot; write '[words](slot)' or '[words](list:slot)'"
    ),
    ("examples: [\"a [b](c\"]", "4:22: '(' is not closed; write '\\(' if the character is meant"),
    ("examples: [\"a [](c)\"]", "4:19: no words stand between '[' and ']'"),
    ("examples: [\"a [b](c=)\"]", "4:19: no value stands behind '='"),
    ("examples: [\"a [b](c d)\"]", "4:19: 'c d' is no name; use letters, digits and '_'"),
    ("examples: [\" \"]", "4:17: the example is empty"),
    ("examples: a", "4:15: 'examples' of the intent 'A' must be a list of items that begin with '- '"),
    ("slots: {x: {}}", "3:3: the intent 'A' lacks the key 'data'"),
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
