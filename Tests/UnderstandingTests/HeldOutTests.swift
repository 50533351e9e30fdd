import Platform
import TestServers
import Testing
import TextProcessing
import Understanding

/// Accuracy of intents trained on examples, measured on held-out sentences.
///
/// Fixtures/NAME.yaml has the examples; NAME.tsv the sentences with their intent and slots.
@Suite(.limited, .needsOptimization) struct HeldOutTests {
  struct Sentence {
    let text: String
    let intent: String?
    let slots: [String: String]

    init(_ line: Substring) {
      let columns = line.split(separator: "\t")
      text = String(columns[0])
      var words = columns[1].split(separator: " ")[...]
      let name = String(words.removeFirst())
      intent = name == "-" ? nil : name
      var slots: [String: String] = [:]
      var last = ""
      for word in words {
        guard let equals = word.firstIndex(of: "=") else {
          slots[last]? += " " + word
          continue
        }
        last = String(word[..<equals])
        slots[last] = String(word[equals...].dropFirst())
      }
      self.slots = slots
    }
  }

  struct Figures {
    var commands = 0
    var intents = 0
    var whole = 0
    var others = 0
    var rejected = 0
    var wrong: [String] = []

    var line: String {
      "\(commands) commands: intent \(Self.percent(intents, commands)), every slot too "
        + "\(Self.percent(whole, commands)); \(others) others: rejected \(Self.percent(rejected, others))"
    }

    static func percent(_ part: Int, _ whole: Int) -> String {
      "\((1000 * part + whole / 2) / max(1, whole))‰"
    }
  }

  static func understander(_ name: String) throws -> Understander {
    try Understander(IntentFile(reading: Fixtures.path(name)), clock: { EntityTests.now })
  }

  static func value(_ value: JSON) -> String {
    switch value {
    case .array(let values): values.map(Self.value).sorted().joined(separator: ",")
    case .object(let members): members.first.map { Self.value($0.value) } ?? ""
    case .string(let text): text
    default: value.description
    }
  }

  static func measure(_ understander: Understander, _ sentences: [Sentence]) -> Figures {
    var figures = Figures()
    for sentence in sentences {
      let found = understander.interpret(sentence.text)
      let slots = Dictionary(uniqueKeysWithValues: found.slots.map { ($0.name, value($0.value)) })
      let expected = sentence.slots.mapValues { $0.split(separator: ",").sorted().joined(separator: ",") }
      let isWhole = found.intent?.name == sentence.intent && slots == expected
      if sentence.intent == nil {
        figures.others += 1
        if found.intent == nil { figures.rejected += 1 }
      } else {
        figures.commands += 1
        if found.intent?.name == sentence.intent { figures.intents += 1 }
        if isWhole { figures.whole += 1 }
      }
      if !isWhole {
        let guess = found.intent.map { "\($0.name) \(JSON.rounded($0.confidence))" } ?? "nothing"
        figures.wrong.append("\(sentence.text): \(guess) \(slots.sorted { $0.key < $1.key })")
      }
    }
    return figures
  }

  static func sentences(_ name: String) throws -> [Sentence] {
    let text = String(decoding: try Files.read(Fixtures.path(name)), as: UTF8.self)
    return text.split(separator: "\n").map(Sentence.init)
  }

  @Test(arguments: [
    ("grocery", 0.8, 0.7, 0.9), ("house", 0.85, 0.8, 0.9), ("grocery-fresh", 0.75, 0.65, 0.8),
    ("house-fresh", 0.75, 0.65, 0.8),
  ])
  func understandsHeldOutSentences(
    _ name: String, _ intents: Double, _ whole: Double, _ rejected: Double
  ) throws {
    let file = "\(name.split(separator: "-")[0]).yaml"
    let figures = Self.measure(try Self.understander(file), try Self.sentences(name + ".tsv"))
    print("held out, \(name): \(figures.line)")
    for line in figures.wrong { print("  \(line)") }
    #expect(Double(figures.intents) >= intents * Double(figures.commands))
    #expect(Double(figures.whole) >= whole * Double(figures.commands))
    #expect(Double(figures.rejected) >= rejected * Double(figures.others))
  }

  /// Five-fold cross-validation on the examples.
  @Test(arguments: [("grocery", 0.6), ("house", 0.4)])
  func crossValidationOnTheExamples(_ name: String, _ least: Double) throws {
    let bytes = try Files.read(Fixtures.path(name + ".yaml"))
    let lines = String(decoding: bytes, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    var figures = Figures()
    for fold in 0..<5 {
      var kept: [Substring] = []
      var asked: [(intent: String, sentence: AnnotatedSentence)] = []
      var intent = ""
      for (number, line) in lines.enumerated() {
        if line.hasPrefix("  "), !line.hasPrefix("   "), line.hasSuffix(":") {
          intent = String(line.dropFirst(2).dropLast())
        }
        guard line.hasPrefix("      - \""), number % 5 == fold else {
          kept.append(line)
          continue
        }
        asked.append((intent, try AnnotatedSentence(String(line.dropFirst(9).dropLast()))))
      }
      let yaml = kept.joined(separator: "\n")
      let understander = try Understander(IntentFile(parsing: Array(yaml.utf8), name: name))
      for (intent, sentence) in asked {
        let found = understander.interpret(sentence.text)
        figures.commands += 1
        guard found.intent?.name == intent else { continue }
        figures.intents += 1
        let texts = Set(found.slots.filter { $0.range != nil }.map { "\($0.name) \($0.text)" })
        var ranges: [String: Range<Int>] = [:]
        for mark in sentence.marks {
          let known = ranges[mark.slot] ?? mark.range
          ranges[mark.slot] =
            min(known.lowerBound, mark.range.lowerBound)..<max(known.upperBound, mark.range.upperBound)
        }
        let scalars = Array(sentence.text.unicodeScalars)
        let marked = Set(
          ranges.map { slot, range in
            var view = String.UnicodeScalarView()
            view.append(contentsOf: scalars[range])
            return "\(slot) \(String(view))"
          })
        if texts == marked { figures.whole += 1 }
      }
    }
    print("cross-validation, \(name): \(figures.line)")
    #expect(Double(figures.intents) >= least * Double(figures.commands))
  }

  @Test(arguments: ["grocery", "house"]) func readEnglishIsNotACommand(_ name: String) throws {
    let understander = try Self.understander(name + ".yaml")
    let lines = try Files.read(Fixtures.path("../../../Models/training/transcripts.tsv"))
    var count = 0
    var rejected = 0
    for line in String(decoding: lines, as: UTF8.self).split(separator: "\n") {
      count += 1
      let text = line.split(separator: "\t").last.map(String.init) ?? ""
      if understander.interpret(text).status == .notUnderstood { rejected += 1 }
    }
    print("read English, \(name): \(rejected) of \(count) rejected")
    #expect(Double(rejected) >= 0.9 * Double(count))
  }

  @Test func sentencesOfTheBookAreUnderstood() throws {
    let understander = try Self.understander("grocery.yaml")
    let meat = understander.interpret("Hmm, I think I want something to eat, maybe some meat")
    #expect(meat.intent?.name == "ChangeList" && meat["add"]?.value == ["meat"] && meat["remove"] == nil)
    let chicken = understander.interpret("I don't need chicken anymore")
    #expect(chicken["remove"]?.value == ["chicken"] && chicken["add"] == nil)
    let both = understander.interpret("I want to buy cheese, but I already have potatoes")
    #expect(both["add"]?.value == ["cheese"] && both["remove"]?.value == ["potato"])
    #expect(both["remove"]?.text == "potatoes" && both["remove"]?.range == 41..<49)
    #expect(both.reply == "Done.")
  }

  @Test func trainingIsDeterministic() throws {
    let first = try Self.understander("house.yaml")
    let second = try Self.understander("house.yaml")
    for sentence in try Self.sentences("house.tsv") {
      #expect(first.interpret(sentence.text) == second.interpret(sentence.text))
    }
  }
}
