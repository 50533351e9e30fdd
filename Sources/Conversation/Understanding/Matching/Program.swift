import Platform
import TextProcessing

/// The sentences of an intent file compiled to one graph, in which each rule and list occurs once.
package struct Program: Sendable {
  package static let nodeLimit = 400_000
  package static let ruleDepthLimit = 24
  package static let depthLimit = 128

  package enum Kind: UInt8, Sendable { case text, sequence, alternative, permutation, list }

  package struct Node: Sendable {
    let kind: Kind
    /// The index of its first symbol, of its first child, or of its list use.
    let first: Int32
    /// The number of symbols or children.
    let count: Int32
    /// For text: the number of characters in the score.
    let weight: Int32
  }

  /// A reference to a list in a template.
  package struct ListUse: Sendable {
    let list: Int
    let slot: String
    let isCapture: Bool
    let isGlued: Bool
    /// Whether it accepts several values in a row.
    let isMany: Bool
  }

  package struct List: Sendable {
    enum Kind: Sendable {
      case values
      case range(NumberRange)
      case wildcard
      case entity(EntityKind)
    }
    let kind: Kind
    /// As of the list in the file.
    var hasNames = false
    var unknownReply: ReplyTemplate?
    var nodes: [Int32] = []
    var values: [JSON?] = []
    var contexts: [[JSON.Member]] = []
    /// The values by their first three symbols, short ones by their first symbol, and those that start in several ways.
    var byStart: [UInt64: [Int32]] = [:]
    var byFirst: [Int32: [Int32]] = [:]
    var others: [Int32] = []

    var entity: EntityKind? { if case .entity(let kind) = kind { kind } else { nil } }
    var isOfValues: Bool { if case .values = kind { true } else { false } }
    var isWildcard: Bool { if case .wildcard = kind { true } else { false } }

    /// The key of the first three symbols; nil for fewer symbols, and for those with several spellings.
    static func key(of symbols: ArraySlice<Int32>) -> UInt64? {
      guard symbols.count >= 3 else { return nil }
      var key: UInt64 = 0
      for symbol in symbols.prefix(3) {
        guard symbol > Symbol.apostrophe, symbol < 1 << 20 else { return nil }
        key = key << 20 | UInt64(symbol)
      }
      return key
    }
  }

  package struct Sentence: Sendable {
    let node: Int32
    let intent: Int
    let block: Int
    let beginsWithWildcard: Bool
    let endsWithWildcard: Bool
  }

  /// Symbols with a special meaning; all others are numbers of the characters in the templates.
  enum Symbol {
    static let space: Int32 = 0
    static let hyphen: Int32 = 1
    static let underscore: Int32 = 2
    static let apostrophe: Int32 = 3
    static let unknown: Int32 = -1
  }

  package let intents: [Intent]
  package let sentences: [Sentence]
  package let hasNumberWords: Bool
  let nodes: [Node]
  let children: [Int32]
  let symbols: [Int32]
  let uses: [ListUse]
  let lists: [List]
  let alphabet: [Character: Int32]
  /// A node for each list of the file and each built-in entity, by name.
  let listNodes: [String: Int32]

  /// The characters of the symbols, and the original text of nodes where it differs from their symbols.
  private let letters: [Character]
  private let spellings: [Int32: String]

  /// Compiles a file.
  ///
  /// - Parameter foldingHomophones: whether homophones are replaced by one of them, for texts folded in the same way.
  /// - Throws: ``IntentFileFault`` for unknown names, circular references and exceeded limits.
  package init(_ file: IntentFile, foldingHomophones: Bool = false) throws(IntentFileFault) {
    var builder = ProgramBuilder(file, foldingHomophones: foldingHomophones)
    let compiled = builder.build()
    if let first = builder.faults.first { throw first }
    intents = file.intents
    hasNumberWords = file.hasNumberWords
    sentences = compiled
    nodes = builder.nodes
    children = builder.children
    symbols = builder.symbols
    uses = builder.uses
    lists = builder.lists
    alphabet = builder.alphabet
    listNodes = builder.listNodes
    letters = builder.alphabet.sorted { $0.value < $1.value }.map(\.key)
    spellings = builder.spellings
  }

  func symbol(_ character: Character) -> Int32 { alphabet[character] ?? Symbol.unknown }

  /// The text of a text node, as in the template.
  func spelling(ofText index: Int32) -> String {
    spellings[index] ?? String(symbols(of: nodes[Int(index)]).map { letters[Int($0)] })
  }

  /// The words of a node, of several variants the first; without the values of lists.
  func example(of index: Int32) -> String {
    let node = nodes[Int(index)]
    switch node.kind {
    case .text: return spelling(ofText: index)
    case .sequence, .permutation: return children(of: node).map { example(of: $0) }.joined()
    case .alternative: return children(of: node).first.map { example(of: $0) } ?? ""
    case .list: return ""
    }
  }

  /// The list of the list node at index `node`.
  func list(ofUseAt node: Int32) -> List { lists[uses[Int(nodes[Int(node)].first)].list] }

  func children(of node: Node) -> ArraySlice<Int32> {
    children[Int(node.first)..<Int(node.first + node.count)]
  }

  func symbols(of node: Node) -> ArraySlice<Int32> {
    symbols[Int(node.first)..<Int(node.first + node.count)]
  }
}
