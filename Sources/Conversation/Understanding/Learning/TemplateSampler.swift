import Platform
import TextProcessing

/// Says random sentences of templates, with what their words fill: more examples for the learner.
struct TemplateSampler {
  /// A sentence and what its words fill.
  struct Sample {
    struct Mark {
      /// Code points of the text.
      var range: Range<Int>
      let slot: String
      let list: String
    }

    var text = String.UnicodeScalarView()
    var marks: [Mark] = []
  }

  /// What stands for words that a wildcard takes; the learner looks past it.
  static let anything = "\u{2022}"

  private static let lengthLimit = 240
  private static let stepLimit = 2_000

  private let rules: [String: Rule]
  private let lists: [String: SlotList]
  private var random: RandomSource
  private var steps = 0

  /// - Parameters:
  ///   - block: the sentences' own rules and lists come before those of `file`.
  ///   - seed: one seed always says the same.
  init(_ file: IntentFile, _ block: SentenceBlock, seed: UInt64) {
    rules = file.rules.merging(block.rules) { $1 }
    lists = file.lists.merging(block.lists) { $1 }
    random = RandomSource(seed: seed)
  }

  /// A sentence of `template`; nil when it grows too long.
  mutating func sample(_ template: Template) -> Sample? {
    steps = 0
    var sample = Sample()
    return say(template, into: &sample) ? sample : nil
  }

  private mutating func say(_ template: Template, into sample: inout Sample) -> Bool {
    steps += 1
    guard steps <= Self.stepLimit, sample.text.count <= Self.lengthLimit else { return false }
    switch template {
    case .text(let text):
      sample.text.append(contentsOf: text.unicodeScalars)
      return true
    case .sequence(let items): return items.allSatisfy { say($0, into: &sample) }
    case .alternative(let items): return say(items[Int(random.next() % UInt64(items.count))], into: &sample)
    case .permutation(let items): return items.shuffled(using: &random).allSatisfy { say($0, into: &sample) }
    case .rule(let name, _):
      guard let rule = rules[name] else { return false }
      return say(rule.template, into: &sample)
    case .list(let reference): return say(reference, into: &sample)
    }
  }

  private mutating func say(_ reference: Template.ListReference, into sample: inout Sample) -> Bool {
    let start = sample.text.count
    let marks = sample.marks
    switch lists[reference.list]?.kind {
    case .values(let values):
      guard !values.isEmpty else { return false }
      let value = values[Int(random.next() % UInt64(values.count))]
      guard say(value.said.template, into: &sample) else { return false }
    case .range(let range): say(number(from: range.from, to: range.to, step: range.step), into: &sample)
    case .entity(let kind): say(kind.samples[Int(random.next() % UInt64(kind.samples.count))], into: &sample)
    case .wildcard: say(Self.anything, into: &sample)
    case nil:
      if let range = reference.inlineRange {
        say(number(from: range.from, to: range.to, step: range.step), into: &sample)
      } else if let kind = EntityKind(named: reference.list) {
        say(kind.samples[Int(random.next() % UInt64(kind.samples.count))], into: &sample)
      } else {
        return false
      }
    }
    sample.marks = marks
    let end = sample.text.count
    if !reference.isCapture, end > start {
      sample.marks.append(
        Sample.Mark(range: start..<end, slot: reference.slot, list: reference.list))
    }
    return true
  }

  private func say(_ words: String, into sample: inout Sample) {
    sample.text.append(contentsOf: words.unicodeScalars)
  }

  private mutating func number(from: Int, to: Int, step: Int) -> String {
    let number = from + step * Int(random.next() % UInt64((to - from) / step + 1))
    return random.chance(0.5) && abs(number) < 1_000_000 ? NumberWords.spelled(number) : String(number)
  }
}

extension EntityKind {
  /// A few ways to say one.
  fileprivate var samples: [String] {
    switch self {
    case .number: ["three", "twelve", "45"]
    case .ordinal: ["first", "third", "twenty first"]
    case .percentage: ["ten percent", "40%"]
    case .date: ["today", "tomorrow", "next monday", "the 3rd of may"]
    case .time: ["nine", "half past six", "8:30 pm"]
    case .duration: ["ten minutes", "two hours", "an hour and a half"]
    case .temperature: ["twenty degrees", "18.5 degrees celsius"]
    case .money: ["five dollars", "$20", "two pounds fifty"]
    case .colour: ["red", "light blue", "green"]
    }
  }
}
