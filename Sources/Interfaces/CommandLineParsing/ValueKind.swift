/// What an option's value or an operand can be, as its name in the help tells: for checks and completions.
public enum ValueKind: Sendable, Equatable {
  /// One of these words; its name is the words themselves: `json|text`.
  case choice([String])
  /// An installed model's name, or a model's file.
  case model
  case file
  case folder
  /// Anything else: a number, a text, an address.
  case word

  /// - Parameter name: the value's name: `FILE`, `DIR`, `M`, `json|text`.
  public init(_ name: String) {
    switch name {
    case "FILE", "INPUT", "CLIP": self = .file
    case "DIR": self = .folder
    case "M", "MODEL": self = .model
    case name.lowercased(): self = .choice(name.split(separator: "|").map(String.init))
    default: self = .word
    }
  }

  /// The kinds of a command's operands, in their order; what follows the last is of its kind.
  ///
  /// `NAME CLIP` are two. The alternatives of `list|show M` share their places.
  public static func places(of operands: Command.Operands) -> [ValueKind] {
    let alternatives = operands.name.split(separator: "|").map { $0.split(separator: " ").map(String.init) }
    guard alternatives.count > 1 else { return (alternatives.first ?? []).map(ValueKind.init) }
    let others = alternatives.map { $0.dropFirst().map(ValueKind.init) }.max { $0.count < $1.count } ?? []
    return [.choice(alternatives.compactMap(\.first))] + others
  }
}
