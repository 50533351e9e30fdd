import Platform
import TestServers
import Testing
import Understanding

@Suite(.limited) struct GrammarTests {
  static func grammar(_ yaml: String) throws -> Grammar {
    try Grammar(IntentFile(parsing: Array(yaml.utf8), name: "test.yaml"))
  }

  @Test func compilesASmallFile() throws {
    let grammar = try Self.grammar(
      """
      language: en
      intents:
        A: {data: [{sentences: ["turn on [the] {area} light[s]", "set to {n}[%| percent]", "find {x}"]}]}
      lists:
        area: {values: [kitchen, "(living|dining)[-]room"]}
        n: {range: {from: 20, to: 22}}
        x: {wildcard: true}
      """)
    #expect(
      grammar.jsgf == """
        #JSGF V1.0;
        grammar intents;
        public <command> = (<sentence_1> | <sentence_2>);
        <list_area> = ( kitchen | ( living room | livingroom | dining room | diningroom ) );
        <sentence_1> = turn on [ the ] <list_area> ( lights | light );
        <range_n> = twenty [ ( one | two ) ];
        <sentence_2> = set to <range_n> [ percent ];

        """)
    #expect(
      grammar.words == [
        "dining", "diningroom", "kitchen", "light", "lights", "living", "livingroom", "on", "one", "percent",
        "room", "set", "the", "to", "turn", "twenty", "two",
      ])
    #expect(
      grammar.notes == [
        "test.yaml:3: not in the recognizer's grammar: the sentence has a wildcard; use a list"
      ])
  }

  @Test func numbersAreSaidAsNumbersAndDigitByDigit() throws {
    let grammar = try Self.grammar(
      """
      language: en
      intents:
        A: {data: [{sentences: ["wait 5 minutes", "bus 42", "call 911", "room 042%", "dial 1234567890"]}]}
      """)
    let row = "one two three four five six seven eight nine"
    #expect(
      grammar.jsgf.split(separator: "\n").dropFirst(3) == [
        "<sentence_1> = wait five minutes;", "<sentence_2> = bus forty two;",
        "<sentence_3> = call ( nine hundred eleven | nine hundred and eleven | nine one one );",
        "<sentence_4> = room ( forty two | zero four two | oh four two ) percent;",
        "<sentence_5> = dial ( \(row) zero | \(row) oh );",
      ])
  }

  @Test func namesThatDifferInOtherSignsAreDifferentRules() throws {
    let grammar = try Self.grammar(
      """
      language: ru
      intents:
        A: {data: [{sentences: ["{комната}", "{предмет}", "<my-rule> {комната}", "<my_rule> {предмет}"]}]}
      lists:
        комната: {values: [кухня]}
        предмет: {values: [лампа]}
      expansion_rules: {my-rule: включи, my_rule: выключи}
      """)
    #expect(
      grammar.jsgf.split(separator: "\n").dropFirst(3) == [
        "<list________> = кухня;", "<sentence_1> = <list________>;", "<list_________2> = лампа;",
        "<sentence_2> = <list_________2>;", "<rule_my_rule> = включи;",
        "<sentence_3> = <rule_my_rule> <list________>;", "<rule_my_rule_2> = выключи;",
        "<sentence_4> = <rule_my_rule_2> <list_________2>;",
      ])
  }

  @Test func optionalWordsAtTheEndThatFillNoSlotAreARuleOfTheirOwn() throws {
    let grammar = try Self.grammar(
      """
      language: en
      intents:
        A:
          data:
            - sentences:
                - "turn on the light[s] [now] [<please>]"
                - "[<please>] dim [the] lights [to {n}]"
                - "stop [now] [<please>]"
      expansion_rules: {please: "(please|thanks)"}
      lists: {n: {range: {from: 20, to: 22}}}
      """)
    let rules = grammar.jsgf.split(separator: "\n").map(String.init)
    #expect(rules.contains("<tail_1> = [ now ] [ <rule_please> ];"))
    #expect(rules.contains("<sentence_1> = turn on the ( lights | light ) <tail_1>;"))
    #expect(rules.contains("<sentence_2> = [ <rule_please> ] dim [ the ] lights [ to <range_n> ];"))
    #expect(rules.contains("<sentence_3> = stop <tail_1>;"))
  }

  @Test(.needsOptimization) func sentencesOfTheStandardGrammarAreUnderstood() throws {
    let file = try IntentFile.standard()
    let grammar = try Grammar(file)
    let understander = try Understander(file)
    let speaker = GrammarSpeaker(grammar.jsgf)
    var random = RandomSource(seed: 5)
    var missed: [String] = []
    let count = 1_500
    for _ in 0..<count {
      let text = speaker.sentence(&random)
      #expect(text.split(separator: " ").allSatisfy { grammar.words.contains(String($0)) })
      if understander.interpret(text).status != .ready { missed.append(text) }
    }
    #expect(missed.count < count / 50, "\(missed.prefix(12))")
    #expect(grammar.words.contains("bathroom") && grammar.words.contains("upstairs"))
    #expect(grammar.words == Array(Set(grammar.words)).sorted())
    #expect(grammar.words.allSatisfy { $0.allSatisfy { $0.isLetter || $0 == "'" } })
    #expect(grammar.notes.isEmpty)
    print(
      "standard grammar: \(grammar.jsgf.utf8.count) bytes, \(grammar.words.count) words, missed \(missed.count)"
    )
  }
}

/// Generates random sentences of a JSGF grammar, for the part of JSGF that the compiler writes.
struct GrammarSpeaker {
  private let rules: [String: [Substring]]

  init(_ jsgf: String) {
    var rules: [String: [Substring]] = [:]
    for line in jsgf.split(separator: "\n").dropFirst(2) {
      guard let equals = line.firstRange(of: " = ") else { continue }
      let name = line[..<equals.lowerBound].drop { $0 != "<" }
      let body = line[equals.upperBound...].dropLast().replacing("(", with: " ( ").replacing(")", with: " ) ")
      rules[String(name)] = body.split(separator: " ")
    }
    self.rules = rules
  }

  func sentence(_ random: inout RandomSource) -> String {
    say("<command>", &random).joined(separator: " ")
  }

  private func say(_ rule: String, _ random: inout RandomSource) -> [String] {
    guard let tokens = rules[rule] else { return ["<undefined>"] }
    var index = 0
    return alternatives(tokens, &index, &random)
  }

  private func alternatives(_ tokens: [Substring], _ index: inout Int, _ random: inout RandomSource)
    -> [String]
  {
    var branches: [[Substring]] = [[]]
    var depth = 0
    while index < tokens.count {
      let token = tokens[index]
      if depth == 0, token == ")" || token == "]" { break }
      index += 1
      if token == "(" || token == "[" { depth += 1 }
      if token == ")" || token == "]" { depth -= 1 }
      if token == "|", depth == 0 { branches.append([]) } else { branches[branches.count - 1].append(token) }
    }
    let branch = branches[Int(random.next() % UInt64(branches.count))]
    var said: [String] = []
    var place = 0
    while place < branch.count {
      let token = branch[place]
      place += 1
      if token == "(" || token == "[" {
        let inner = alternatives(branch, &place, &random)
        place += 1
        if token == "(" || random.chance(0.4) { said += inner }
      } else {
        said += token.hasPrefix("<") ? say(String(token), &random) : [String(token)]
      }
    }
    return said
  }
}
