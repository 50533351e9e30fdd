/// What one command takes: the source of its parsing, help, manual page and completions.
public struct CommandDefinition: Sendable {
  public let name: String
  /// What the command does, in a few words without a full stop: its line in the list of commands.
  public let summary: String
  public let operands: Operands
  public let options: [Option]
  /// Paragraphs below the options: what a user must know and cannot guess.
  public let notes: [String]
  /// Lines that a user can type as they are.
  public let examples: [String]

  public init(
    _ name: String, _ summary: String, operands: Operands = .none, options: [Option] = [],
    notes: [String] = [], examples: [String]
  ) {
    self.name = name
    self.summary = summary
    self.operands = operands
    self.options = options
    self.notes = notes
    self.examples = examples
  }

  /// How many words a command takes besides its options, and their names.
  public enum Operands: Sendable, Equatable {
    case none
    case upTo(Int, String)
    case exactly(Int, String)
    case atLeast(Int, String)

    /// The operands as a usage line shows them.
    public var usage: String {
      switch self {
      case .none: ""
      case .upTo(_, let name): "[\(name)]"
      case .exactly(_, let name): name
      case .atLeast(_, let name): "\(name)…"
      }
    }

    /// The names: `INPUT`, `NAME CLIP`, `list|show M`; empty if there are no operands.
    var name: String {
      switch self {
      case .none: ""
      case .upTo(_, let name), .exactly(_, let name), .atLeast(_, let name): name
      }
    }

    var range: ClosedRange<Int> {
      switch self {
      case .none: 0...0
      case .upTo(let count, _): 0...count
      case .exactly(let count, _): count...count
      case .atLeast(let count, _): count...Int.max
      }
    }
  }

  /// One option: a flag if `value` is nil, otherwise an option with a value.
  public struct Option: Sendable {
    /// With its dashes: `--model`.
    public let name: String
    /// The name of the value in the help; nil for a flag.
    public let value: String?
    public let isRepeatable: Bool
    public let isRequired: Bool
    /// The value if the option is given without one; nil if it must have one.
    public var defaultValue: String?
    public let help: String

    /// An option that takes a value.
    public static func value(
      _ name: String, _ value: String, repeats: Bool = false, required: Bool = false, _ help: String
    ) -> Option {
      Option(name: name, value: value, isRepeatable: repeats, isRequired: required, help: help)
    }

    /// An option that may have a value: `--zeroconf`, `--zeroconf=NAME`, or `--zeroconf NAME`.
    ///
    /// Only for commands without operands, because an operand could be parsed as the value.
    ///
    /// - Parameter defaultValue: the value of the option alone.
    public static func optionalValue(
      _ name: String, _ value: String, default defaultValue: String, _ help: String
    ) -> Option {
      Option(
        name: name, value: value, isRepeatable: false, isRequired: false, defaultValue: defaultValue,
        help: help)
    }

    /// An option without a value.
    public static func flag(_ name: String, _ help: String) -> Option {
      Option(name: name, value: nil, isRepeatable: false, isRequired: false, help: help)
    }

    /// The kind of the value; nil for a flag.
    public var kind: ValueKind? { value.map(ValueKind.init) }

    /// The option as a usage line shows it.
    public var usage: String {
      let text = value.map { defaultValue == nil ? "\(name) \($0)" : "\(name)[=\($0)]" } ?? name
      let repeated = isRepeatable ? "\(text)…" : text
      return isRequired ? repeated : "[\(repeated)]"
    }
  }
}

/// What an option's value or an operand can be, derived from its name in the help: for checks and completions.
public enum ValueKind: Sendable, Equatable {
  /// One of these words; its name is the words themselves: `json|text`.
  case choice([String])
  /// The name of an installed model, or a model file.
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

  /// What the value must be, if an empty one, as of a variable that is not set, is a fault; nil if it is none.
  var expectedWhenEmpty: String? {
    switch self {
    case .model: "the name of a model, or a model file"
    case .file: "a file"
    case .folder: "a folder"
    case .choice, .word: nil
    }
  }

  /// The kinds of a command's operands, in order; any further operand has the kind of the last.
  ///
  /// `NAME CLIP` are two. The alternatives of `list|show M` share their places.
  public static func places(of operands: CommandDefinition.Operands) -> [ValueKind] {
    let alternatives = operands.name.split(separator: "|").map { $0.split(separator: " ").map(String.init) }
    guard alternatives.count > 1 else { return (alternatives.first ?? []).map(ValueKind.init) }
    let others = alternatives.map { $0.dropFirst().map(ValueKind.init) }.max { $0.count < $1.count } ?? []
    return [.choice(alternatives.compactMap(\.first))] + others
  }
}
