/// A grammar for recognizers: exactly the sentences of an intent file.
public struct Grammar: Sendable, Equatable {
  /// A JSGF grammar with one public rule, `command`; lowercase, numbers in words.
  public let jsgf: String
  /// The words of the grammar, sorted, without duplicates.
  public let words: [String]
  /// The intents of the rules `sentence_1`, `sentence_2` and so on.
  public let intents: [String]
  /// Messages about sentences that are left out because they contain wildcards.
  public let notes: [String]

  public init(jsgf: String, words: [String], intents: [String] = [], notes: [String] = []) {
    self.jsgf = jsgf
    self.words = words
    self.intents = intents
    self.notes = notes
  }

  /// Compiles the sentences of `file`.
  ///
  /// - Throws: ``IntentFileFault`` for files that ``Understander`` rejects too.
  public init(_ file: IntentFile) throws(IntentFileFault) {
    _ = try Program(file)
    var compiler = GrammarCompiler(file)
    self = compiler.compile()
  }
}

/// A part of a grammar in whole words, as JSGF can express it.
indirect enum Phrase: Equatable {
  /// Letters of a word; adjacent letters without a space between them form one word.
  case letters(String)
  /// A word boundary.
  case space
  case sequence([Phrase])
  case alternative([Phrase])
  /// A rule of the grammar, always whole words.
  case reference(String)
  /// What a grammar cannot express: wildcards.
  case impossible

  static let nothing = Phrase.sequence([])

  /// Whether the phrase may be empty.
  var mayBeEmpty: Bool {
    switch self {
    case .letters, .reference, .impossible: false
    case .space: true
    case .sequence(let items): items.allSatisfy(\.mayBeEmpty)
    case .alternative(let items): items.contains(where: \.mayBeEmpty)
    }
  }

  /// Whether it contains more than word boundaries.
  private var hasWords: Bool {
    switch self {
    case .space: false
    case .letters, .reference, .impossible: true
    case .sequence(let items), .alternative(let items): items.contains(where: \.hasWords)
    }
  }

  /// Whether all its variants start with a word boundary.
  var opensWithSpace: Bool { touches(atStart: true) == false }
  /// Whether all its variants end with a word boundary.
  var closesWithSpace: Bool { touches(atStart: false) == false }

  /// Whether letters may be at one of its ends; nil where it has neither letters nor boundaries.
  private func touches(atStart: Bool) -> Bool? {
    switch self {
    case .letters: return true
    case .space, .reference, .impossible: return false
    case .alternative(let items):
      let isOptionalSpace = !items.contains(where: \.hasWords) && items.contains(.nothing)
      if isOptionalSpace { return true }
      return items.compactMap { $0.touches(atStart: atStart) }.max { !$0 && $1 }
    case .sequence(let items):
      var found: Bool?
      for item in atStart ? items : items.reversed() {
        guard let touch = item.touches(atStart: atStart) else { continue }
        found = (found ?? false) || touch
        if !item.mayBeEmpty || item == .space { break }
      }
      return found
    }
  }

  /// All variants; nil where there are more than `limit`.
  func variants(limit: Int) -> [[Phrase]]? {
    switch self {
    case .impossible: return []
    case .letters, .space, .reference: return [[self]]
    case .alternative(let items):
      var all: [[Phrase]] = []
      for item in items {
        guard let some = item.variants(limit: limit), all.count + some.count <= limit else { return nil }
        all += some
      }
      return all
    case .sequence(let items):
      var all: [[Phrase]] = [[]]
      for item in items {
        guard let some = item.variants(limit: limit), all.count * some.count <= limit else { return nil }
        all = all.flatMap { left in some.map { left + $0 } }
      }
      return all
    }
  }
}
