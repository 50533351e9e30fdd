/// A parsed sentence template: what people may say, in hassil's notation.
///
///     turn on [the] (light|lamp)[s] in {area}
///
/// `(a|b)` alternatives, `[a]` optional, `{list}` and `{list:slot}` list values, `{0..100:slot}` numbers in
/// place, `<rule>` expansion rules, `(a;b)` all of these in any order, `\` before a character that is meant
/// literally.
package indirect enum Template: Sendable, Equatable {
  /// Literal text; runs of white space are one space, and a space is a word boundary.
  case text(String)
  case sequence([Template])
  /// One of these; an optional part has an empty sequence as its last alternative.
  case alternative([Template])
  case permutation([Template])
  case list(ListReference)
  /// `offset` counts code points from the template's beginning, for faults.
  case rule(name: String, offset: Int)

  package static let nothing = Template.sequence([])

  package struct ListReference: Sendable, Equatable {
    package let list: String
    /// The slot that takes the value; the list's own name unless another was given after a colon.
    package let slot: String
    /// `{list:@name}`: the text is there for the reply only and makes no slot.
    package let isCapture: Bool
    /// Whether text follows without a space, so that a wildcard may end inside a word.
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

/// The fault at one place of a sentence template.
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

  public var message: String {
    switch self {
    case .empty: "the sentence is empty"
    case .unclosed(let opener): "'\(opener)' is not closed; write '\\\(opener)' if the character is meant"
    case .unopened(let closer): "'\(closer)' closes nothing; write '\\\(closer)' if the character is meant"
    case .emptyGroup: "nothing stands between the brackets; remove them"
    case .emptyName(let opener): "no name stands after '\(opener)'"
    case .badName(let name): "'\(name)' is no name; use letters, digits and '_'"
    case .mixedSeparators: "'|' and ';' stand in one group; put one of them in brackets of its own"
    case .danglingEscape: "nothing stands after the last '\\'"
    case .tooDeep(let limit): "brackets nest deeper than \(limit) levels"
    case .tooLong(let limit): "longer than \(limit) characters"
    case .tooManyToPermute(let limit): "more than \(limit) parts in any order"
    }
  }
}
