import Platform
import TextProcessing

/// All sentences of an intent file as one flat graph: each rule and list stands in it once.
package struct Program: Sendable {
  package static let nodeLimit = 400_000
  package static let ruleDepthLimit = 24
  package static let depthLimit = 128

  package enum Kind: UInt8, Sendable { case text, sequence, alternative, permutation, list }

  package struct Node: Sendable {
    let kind: Kind
    /// Where its symbols, its children or its list use begin.
    let first: Int32
    /// How many symbols or children it has.
    let count: Int32
    /// For text: the characters that count when two readings compete.
    let weight: Int32
  }

  /// A list at one place of a template.
  package struct ListUse: Sendable {
    let list: Int
    let slot: String
    let isCapture: Bool
    let isGlued: Bool
    /// Whether several values may stand there.
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
    var nodes: [Int32] = []
    var values: [JSON?] = []
    var contexts: [[JSON.Member]] = []
    /// Values by their first three symbols, by the first of short ones, and those that may begin in several ways.
    var byStart: [UInt64: [Int32]] = [:]
    var byFirst: [Int32: [Int32]] = [:]
    var others: [Int32] = []

    var entity: EntityKind? { if case .entity(let kind) = kind { kind } else { nil } }
    var isOfValues: Bool { if case .values = kind { true } else { false } }
    var isWildcard: Bool { if case .wildcard = kind { true } else { false } }

    /// What values with the same first three symbols have in common; nil where these can be written in several ways.
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

  /// Symbols with a meaning of their own; all others number the characters that templates use.
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
  /// A use of each list of the file and of each built-in entity, by its name.
  let listNodes: [String: Int32]

  /// What symbols stand for, and the template's own words where they differ in more than that.
  private let letters: [Character]
  private let spellings: [Int32: String]

  /// Compiles a file; unknown names and circles are faults with their place.
  ///
  /// - Parameter foldingHomophones: whether words that sound alike are made one, for texts folded in the same way.
  package init(_ file: IntentFile, foldingHomophones: Bool = false) throws(IntentFileFault) {
    var builder = ProgramBuilder(file, foldingHomophones: foldingHomophones)
    let compiled = try builder.build()
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

  /// The words of a part that is text, as the template writes them.
  func spelling(ofText index: Int32) -> String {
    spellings[index] ?? String(symbols(of: nodes[Int(index)]).map { letters[Int($0)] })
  }

  /// The list that the part at `node`, a use of one, takes its values from.
  func list(ofUseAt node: Int32) -> List { lists[uses[Int(nodes[Int(node)].first)].list] }

  func children(of node: Node) -> ArraySlice<Int32> {
    children[Int(node.first)..<Int(node.first + node.count)]
  }

  func symbols(of node: Node) -> ArraySlice<Int32> {
    symbols[Int(node.first)..<Int(node.first + node.count)]
  }
}
