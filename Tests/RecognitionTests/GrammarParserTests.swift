import Recognition
import TestServers
import Testing

@Suite(.limited) struct GrammarParserTests {
  private func start(_ body: String) throws -> GrammarRules.Part {
    let rules = try GrammarParser.parse("#JSGF V1.0;\ngrammar g;\npublic <g> = \(body);\n<r> = x;")
    return rules.rules["g"]!
  }

  private func either(_ parts: GrammarRules.Part...) -> GrammarRules.Part {
    .alternatives(parts.map { GrammarRules.Choice($0) })
  }

  @Test func wordsFormASequence() throws {
    #expect(try start("turn it on") == .sequence([.word("turn"), .word("it"), .word("on")]))
    #expect(try start("(stop)") == .word("stop"))
  }

  @Test func optionalPartsMayBeEmpty() throws {
    #expect(
      try start("[a | b] c")
        == .sequence([either(either(.word("a"), .word("b")), .sequence([])), .word("c")]))
  }

  @Test func parsesRepetitionsRulesAndSpecialRules() throws {
    #expect(
      try start("<r>* (a b)+ <NULL> <VOID>")
        == .sequence([
          .repeated(.rule("r"), atLeastOnce: false),
          .repeated(.sequence([.word("a"), .word("b")]), atLeastOnce: true), .sequence([]), .void,
        ]))
  }

  @Test func parsesWeightsTagsAndComments() throws {
    #expect(
      try start("/3/ a {tag} | // not (this\n /1/ b")
        == .alternatives([.init(.word("a"), weight: 3), .init(.word("b"))]))
  }

  @Test(arguments: [
    ("no grammar", "it does not start with #JSGF"), ("#JSGF;\n<a> = b;", "no rule is public"),
    ("#JSGF;\npublic <a> = (b;", "a bracket is not closed"), ("#JSGF;\npublic <a> b;", "no '=' follows <a>"),
    ("#JSGF;\npublic <a> = b", "no ';' ends <a>"),
    ("#JSGF;\npublic <a> = b; <a> = c;", "<a> is defined twice"),
    ("#JSGF;\npublic <a> = /-1/ b;", "'-1' is not a valid weight"),
    ("#JSGF;\npublic <a = b;", "a '<' is not closed"),
    ("#JSGF;\npublic <a> = b } c;", "'}' has no opening bracket"),
    ("#JSGF;\nimport <x>;", "it has an import, which is not supported"),
    ("#JSGF;\npublic <a> = " + String(repeating: "(", count: 100_000), "its brackets are nested too deeply"),
  ])
  func whatIsNoGrammarIsRefused(text: String, reason: String) {
    #expect(throws: RecognitionFault.badGrammar(reason: reason)) { try GrammarParser.parse(text) }
  }
}
