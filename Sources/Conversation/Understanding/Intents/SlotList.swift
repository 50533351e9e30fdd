import Platform
import TextProcessing
import YAMLFormat

/// A list: the values that a template accepts for `{list}`.
package struct SlotList: Sendable {
  package enum Kind: Sendable {
    case values([Value])
    case range(NumberRange)
    /// Any words, at least one.
    case wildcard
    /// A built-in entity.
    case entity(EntityKind)
  }

  /// One value of a list.
  package struct Value: Sendable {
    /// The template of the words.
    package let said: Rule
    /// The value of the slot; nil for the words themselves.
    package let value: JSON?
    /// The context that this value sets, for `requires_context`.
    package let context: [JSON.Member]

    package init(said: Rule, value: JSON?, context: [JSON.Member] = []) {
      self.said = said
      self.value = value
      self.context = context
    }
  }

  package let name: String
  package var kind: Kind
  package let position: SourcePosition
  /// Whether plurals of the values are accepted; nil where the file does not set it.
  package var hasPlurals: Bool?
  /// Whether the values are names: their words count as much as those of the sentence when several sentences match.
  package var hasNames = false
  /// The reply to words that are none of its values, of which it may name `words`.
  package var unknownReply: ReplyTemplate?

  package init(name: String, kind: Kind, position: SourcePosition) {
    self.name = name
    self.kind = kind
    self.position = position
  }

  /// The values; empty for ranges, entities and wildcards.
  package var values: [Value] { if case .values(let values) = kind { values } else { [] } }

  package mutating func add(_ value: Value) {
    guard case .values(var values) = kind else { return }
    kind = .wildcard
    values.append(value)
    kind = .values(values)
  }
}

/// The numbers that a list accepts, in digits or words.
package struct NumberRange: Sendable, Equatable {
  package enum Fractions: String, Sendable, CaseIterable { case halves, tenths }

  package let from: Int
  package let to: Int
  package var step = 1
  /// The factor by which the number is multiplied for the slot.
  package var multiplier: Double?
  package var fractions: Fractions?
  package var allowsDigits = true
  /// Whether numbers in words are accepted; English only.
  package var allowsWords = true

  private static let possible = -1_000_000_000...1_000_000_000

  /// Why no range goes from `from` to `to` in steps of `step`; nil where one does.
  static func fault(from: Int, to: Int, step: Int) -> IntentFileProblem.RangeReason? {
    guard possible.contains(from), possible.contains(to) else { return .tooLarge }
    guard from <= to else { return .backwards }
    return step > 0 ? nil : .step
  }

  /// Whether `number` is one of the range's steps.
  package func contains(_ number: Double) -> Bool {
    let whole = number.rounded(.down)
    guard abs(whole) <= 1e9, number >= Double(from), number <= Double(to) else { return false }
    let part = ((number - whole) * 100).rounded()
    switch fractions {
    case nil where part != 0, .halves where part != 0 && part != 50: return false
    case .tenths where part.truncatingRemainder(dividingBy: 10) != 0: return false
    default: break
    }
    return (Int(whole) - from) % step == 0
  }
}
