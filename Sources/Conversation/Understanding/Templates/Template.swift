import TextProcessing

/// A parsed sentence template in the notation of hassil.
///
///     turn on [the] (light|lamp)[s] in {area}
///
/// `(a|b)` alternatives, `[a]` optional, `{list}` and `{list:slot}` list values, `{0..100:slot}` an inline number
/// range, `<rule>` expansion rules, `(a;b)` all parts in any order, `\` before a literal character.
package indirect enum Template: Sendable, Equatable {
  /// Literal text; runs of white space are one space, and a space is a word boundary.
  case text(String)
  case sequence([Template])
  /// One of these; an optional part has an empty sequence as its last alternative.
  case alternative([Template])
  case permutation([Template])
  case list(ListReference)
  /// `offset`: code points from the start of the template, for messages.
  case rule(name: String, offset: Int)

  package static let nothing = Template.sequence([])

  package struct ListReference: Sendable, Equatable {
    package let list: String
    /// The slot of the value: the name after the colon, or else the name of the list.
    package let slot: String
    /// `{list:@name}`: the words are for the reply only and fill no slot.
    package let isCapture: Bool
    /// Whether text follows without a space; a wildcard may then end inside a word.
    package let isGlued: Bool
    package let offset: Int

    package init(list: String, slot: String, isCapture: Bool, isGlued: Bool, offset: Int) {
      self.list = list
      self.slot = slot
      self.isCapture = isCapture
      self.isGlued = isGlued
      self.offset = offset
    }

    /// The numbers of `{0..100:slot}` and `{0..100,5:slot}`: first, last and step.
    package var inlineRange: (from: Int, to: Int, step: Int)? {
      guard let dots = list.firstRange(of: "..") else { return nil }
      let rest = list[dots.upperBound...].split(separator: ",", omittingEmptySubsequences: false)
      guard rest.count <= 2, let from = Int(list[..<dots.lowerBound]), let to = Int(rest[0]) else {
        return nil
      }
      guard rest.count == 2 else { return (from, to, 1) }
      return Int(rest[1]).map { (from, to, $0) }
    }
  }
}

/// What is wrong at one position of a sentence template.
public enum TemplateProblem: Error, Sendable, Equatable {
  case empty
  case unclosed(Character)
  case unopened(Character)
  case emptyGroup
  case emptyName(Character)
  case badName(String)
  case mixedSeparators
  case danglingEscape
  case tooDeep(limit: Int)
  case tooLong(limit: Int)
  case tooManyToPermute(limit: Int)
  case badRange(list: String, reason: IntentFileProblem.RangeReason)

  public var message: String {
    switch self {
    case .empty: "the sentence is empty; add words or remove it"
    case .unclosed(let opener): "'\(opener)' is not closed; write '\\\(opener)' if the character is meant"
    case .unopened(let closer):
      "'\(closer)' has no opening bracket; write '\\\(closer)' if the character is meant"
    case .emptyGroup: "empty brackets; remove them"
    case .emptyName(let opener): "no name after '\(opener)'; add it"
    case .badName(let name): "'\(name)' is not a valid name; use letters, digits and '_'"
    case .mixedSeparators: "'|' and ';' are in one group; put one of them in brackets of its own"
    case .danglingEscape: "nothing follows the last '\\'; remove it"
    case .tooDeep(let limit): "brackets nest deeper than \(limit) levels; use expansion rules"
    case .tooLong(let limit): "longer than \(limit) characters; split the sentence"
    case .tooManyToPermute(let limit): "more than \(limit) parts in any order; use fewer"
    case .badRange(let list, let reason): IntentFileProblem.badRange(list: list, reason: reason).message
    }
  }
}
