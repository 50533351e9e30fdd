/// One subcommand as data: its parsing, its help and its examples all come from here.
public struct Command: Sendable {
  public let name: String
  /// What it does, in a few words without a full stop: the line in the list of commands.
  public let summary: String
  /// What follows the options.
  public let operands: Operands
  public let options: [Option]
  /// Paragraphs below the options: what a user must know and cannot guess.
  public let notes: [String]
  /// Lines that can be typed as they stand.
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

  /// How many words a command takes beside its options, and what they are called.
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

    /// What they are called: `INPUT`, `NAME CLIP`, `list|show M`; empty where there are none.
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

  /// One option: a flag where `value` is nil, otherwise it takes a value.
  public struct Option: Sendable {
    /// With its dashes: `--model`.
    public let name: String
    /// What the value is called in the help; nil for a flag.
    public let value: String?
    public let isRepeatable: Bool
    public let isRequired: Bool
    /// What the value is where the option stands without one; nil where it must have one.
    public var standing: String?
    public let help: String

    /// An option that takes a value.
    public static func value(
      _ name: String, _ value: String, repeats: Bool = false, required: Bool = false, _ help: String
    ) -> Option {
      Option(name: name, value: value, isRepeatable: repeats, isRequired: required, help: help)
    }

    /// An option that may have a value: `--zeroconf`, `--zeroconf=NAME`, or `--zeroconf NAME`.
    ///
    /// Only for commands without operands, of which the value might be one.
    ///
    /// - Parameter standing: the value of the option alone.
    public static func optionalValue(
      _ name: String, _ value: String, standing: String, _ help: String
    ) -> Option {
      Option(
        name: name, value: value, isRepeatable: false, isRequired: false, standing: standing, help: help)
    }

    /// An option that is there or not.
    public static func flag(_ name: String, _ help: String) -> Option {
      Option(name: name, value: nil, isRepeatable: false, isRequired: false, help: help)
    }

    /// What its value can be; nil for a flag.
    public var kind: ValueKind? { value.map(ValueKind.init) }

    /// The option as a usage line shows it.
    public var usage: String {
      let text = value.map { standing == nil ? "\(name) \($0)" : "\(name)[=\($0)]" } ?? name
      let repeated = isRepeatable ? "\(text)…" : text
      return isRequired ? repeated : "[\(repeated)]"
    }
  }
}
