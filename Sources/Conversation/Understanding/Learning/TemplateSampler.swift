import Platform
import TextProcessing

/// Generates random sentences from templates, with their slots marked, as training samples.
struct TemplateSampler {
  /// A sentence with marked slots.
  struct Sample {
    struct Mark {
      /// In code points of the text.
      var range: Range<Int>
      let slot: String
      let list: String
    }

    var text = String.UnicodeScalarView()
    var marks: [Mark] = []
  }

  /// The placeholder for the words of a wildcard, which training ignores.
  static let wildcardPlaceholder = "\u{2022}"

  private static let lengthLimit = 240
  private static let stepLimit = 2_000

  private let rules: [String: Rule]
  private let lists: [String: SlotList]
  private var random: RandomSource
  private var steps = 0

  /// - Parameters:
  ///   - block: its rules and lists take precedence over those of `file`.
  ///   - seed: equal seeds give equal sentences.
  init(_ file: IntentFile, _ block: SentenceBlock, seed: UInt64) {
    rules = file.rules.merging(block.rules) { $1 }
    lists = file.lists.merging(block.lists) { $1 }
    random = RandomSource(seed: seed)
  }

  /// A sentence of `template`; nil where it becomes too long.
  mutating func sample(_ template: Template) -> Sample? {
    steps = 0
    var sample = Sample()
    return append(template, into: &sample) ? sample : nil
  }

  private mutating func append(_ template: Template, into sample: inout Sample) -> Bool {
    steps += 1
    guard steps <= Self.stepLimit, sample.text.count <= Self.lengthLimit else { return false }
    switch template {
    case .text(let text):
      sample.text.append(contentsOf: text.unicodeScalars)
      return true
    case .sequence(let items): return items.allSatisfy { append($0, into: &sample) }
    case .alternative(let items):
      return append(items[Int(random.next() % UInt64(items.count))], into: &sample)
    case .permutation(let items):
      return items.shuffled(using: &random).allSatisfy { append($0, into: &sample) }
    case .rule(let name, _):
      guard let rule = rules[name] else { return false }
      return append(rule.template, into: &sample)
    case .list(let reference): return append(reference, into: &sample)
    }
  }

  private mutating func append(_ reference: Template.ListReference, into sample: inout Sample) -> Bool {
    let start = sample.text.count
    let marks = sample.marks
    switch lists[reference.list]?.kind {
    case .values(let values):
      guard !values.isEmpty else { return false }
      let value = values[Int(random.next() % UInt64(values.count))]
      guard append(value.said.template, into: &sample) else { return false }
    case .range(let range): append(number(from: range.from, to: range.to, step: range.step), into: &sample)
    case .entity(let kind):
      append(kind.samples[Int(random.next() % UInt64(kind.samples.count))], into: &sample)
    case .wildcard: append(Self.wildcardPlaceholder, into: &sample)
    case nil:
      if let range = reference.inlineRange {
        append(number(from: range.from, to: range.to, step: range.step), into: &sample)
      } else if let kind = EntityKind(named: reference.list) {
        append(kind.samples[Int(random.next() % UInt64(kind.samples.count))], into: &sample)
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

  private func append(_ words: String, into sample: inout Sample) {
    sample.text.append(contentsOf: words.unicodeScalars)
  }

  private mutating func number(from: Int, to: Int, step: Int) -> String {
    let number = from + step * Int(random.next() % UInt64((to - from) / step + 1))
    return random.chance(0.5) && abs(number) < 1_000_000 ? NumberWords.spelled(number) : String(number)
  }
}

extension EntityKind {
  /// Examples of the entity in words.
  var samples: [String] {
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
