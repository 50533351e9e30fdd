import Platform
import TextProcessing

/// An example sentence with marked slots: `take me [home](place:to) at [nine](time:when)`.
///
/// `[words](slot)`, `[words](list:slot)` or `[words](list:slot=value)`; `\` before a literal bracket.
package struct AnnotatedSentence: Sendable, Equatable {
  /// Words that fill a slot.
  package struct Mark: Sendable, Equatable {
    /// Code points of ``AnnotatedSentence/text``.
    package let range: Range<Int>
    /// The list or built-in entity named before the colon.
    package let list: String?
    package let slot: String
    /// The value of these words, after the equals sign.
    package let value: String?
    /// Code points from the start of the annotated sentence, for messages.
    package let offset: Int
  }

  /// What is wrong, and the code point where.
  package struct Failure: Error, Equatable {
    package let problem: ExampleProblem
    package let offset: Int
  }

  package static let lengthLimit = 500

  /// The sentence without the notation.
  package private(set) var text = ""
  package private(set) var marks: [Mark] = []

  /// Parses the notation, in time linear in its length.
  package init(_ annotated: String) throws(Failure) {
    let scalars = Array(annotated.unicodeScalars)
    guard scalars.count <= Self.lengthLimit else {
      throw Failure(problem: .tooLong(limit: Self.lengthLimit), offset: Self.lengthLimit)
    }
    var plain = String.UnicodeScalarView()
    var opened: (place: Int, offset: Int)?
    var index = 0
    while index < scalars.count {
      switch scalars[index] {
      case "\\" where index + 1 < scalars.count:
        index += 1
        plain.append(scalars[index])
      case "[":
        if let opened { throw Failure(problem: .unclosed("["), offset: opened.offset) }
        opened = (plain.count, index)
      case "]":
        guard let start = opened else { throw Failure(problem: .unopened("]"), offset: index) }
        guard index + 1 < scalars.count, scalars[index + 1] == "(" else {
          throw Failure(problem: .noSlot, offset: start.offset)
        }
        guard let end = scalars[index...].firstIndex(of: ")") else {
          throw Failure(problem: .unclosed("("), offset: index + 1)
        }
        var inner = String.UnicodeScalarView()
        inner.append(contentsOf: scalars[index + 2..<end])
        marks.append(try Self.mark(String(inner), start.place..<plain.count, start.offset))
        opened = nil
        index = end
      case let scalar: plain.append(scalar)
      }
      index += 1
    }
    if let opened { throw Failure(problem: .unclosed("["), offset: opened.offset) }
    text = String(plain)
    guard text.contains(where: { !$0.isWhitespace }) else { throw Failure(problem: .empty, offset: 0) }
  }

  private static func mark(_ inner: String, _ range: Range<Int>, _ offset: Int) throws(Failure) -> Mark {
    guard !range.isEmpty else { throw Failure(problem: .noWords, offset: offset) }
    let sides = inner.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(trimmed)
    let names = sides[0].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(trimmed)
    let value = sides.count > 1 ? sides[1] : nil
    guard value != "" else { throw Failure(problem: .noValue, offset: offset) }
    for name in names {
      guard !name.isEmpty else { throw Failure(problem: .noSlot, offset: offset) }
      let isName = name.unicodeScalars.allSatisfy { Punctuation.isWord($0) || $0 == "-" || $0 == "." }
      guard isName else { throw Failure(problem: .badName(name), offset: offset) }
    }
    return Mark(
      range: range, list: names.count > 1 ? names[0] : nil, slot: names[names.count - 1], value: value,
      offset: offset)
  }

  private static func trimmed(_ text: some StringProtocol) -> String {
    var rest = text[...].drop { $0 == " " }
    while rest.last == " " { rest = rest.dropLast() }
    return String(rest)
  }
}

/// What is wrong at one position of an annotated sentence.
public enum ExampleProblem: Error, Sendable, Equatable {
  case empty
  case tooLong(limit: Int)
  case unclosed(Character)
  case unopened(Character)
  case noWords
  case noSlot
  case noValue
  case badName(String)

  public var message: String {
    switch self {
    case .empty: "the example is empty; add words or remove it"
    case .tooLong(let limit): "longer than \(limit) characters; shorten the example"
    case .unclosed(let opener): "'\(opener)' is not closed; write '\\\(opener)' if the character is meant"
    case .unopened(let closer):
      "'\(closer)' has no opening bracket; write '\\\(closer)' if the character is meant"
    case .noWords: "no words between '[' and ']'; add them"
    case .noSlot: "the words in '[…]' have no slot; write '[words](slot)' or '[words](list:slot)'"
    case .noValue: "no value after '='; add it or remove '='"
    case .badName(let name): "'\(name)' is not a valid name; use letters, digits and '_'"
    }
  }
}
