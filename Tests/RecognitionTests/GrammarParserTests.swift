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

  @Test func wordsAreCountedWhereverTheirRuleIsUsed() throws {
    func words(_ rules: String) throws -> Int {
      try GrammarParser.parse("#JSGF V1.0;\n\(rules)").expandedWords
    }
    #expect(
      try words("public <g> = (turn|switch) <d> [<d>];\n<d> = on|off|the <n>;\n<n> = light;") == 2 + 4 + 4)
    #expect(try words("public <g> = <g> a | <VOID> | <missing>;") == 1)
    let doubling = (0..<70).map { "<r\($0)> = <r\($0 + 1)> <r\($0 + 1)>;" }.joined(separator: "\n")
    #expect(try words("public <g> = <r0>;\n\(doubling)\n<r70> = a;") == .max)
  }

  @Test func whatNeedsAWordWithoutPronunciationIsLeftOut() throws {
    let rules = try GrammarParser.parse(
      """
      #JSGF V1.0;
      public <g> = [please] (<a> | open <b>) (now | /2/ later);
      <a> = stop x;
      <b> = (door | x+) x*;
      <c> = x;
      """)
    #expect(
      rules.without(["x"])?.jsgf == """
        #JSGF V1.0;
        grammar g;
        public <g> = ( please | <NULL> ) ( open <b> ) ( /1.0/ now | /2.0/ later );
        <b> = ( door ) <NULL>;

        """)
    #expect(rules.without(["x", "open"]) == nil && rules.without(["now", "later"]) == nil)
    #expect(try GrammarParser.parse(rules.jsgf) == rules)
    let circle = try GrammarParser.parse("#JSGF;\npublic <g> = <g> a | <missing> | x;")
    #expect(
      circle.without(["x"])?.rules["g"] == either(.sequence([.rule("g"), .word("a")]), .rule("missing")))
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
