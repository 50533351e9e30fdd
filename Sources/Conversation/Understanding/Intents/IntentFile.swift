import Platform
import YAMLFormat

/// What a household can say: intents with their sentences, lists and replies, in hassil's YAML form.
///
///     language: en
///     intents:
///       TurnOn:
///         data:
///           - sentences: ["turn on [the] {area} light[s]"]
///     lists:
///       area: {values: [kitchen, {in: "(living|sitting) room", out: living_room}]}
///     responses:
///       TurnOn: "Turned on the {area} light."
public struct IntentFile: Sendable {
  /// The language of the sentences, such as "en" or "en-GB".
  public let language: String
  /// How words are said that recognizers would say another way: hints for each, as they are written in the file.
  public package(set) var vocabulary: [String: [String]] = [:]
  /// Which of the recognizers in this program hears its sentences best; nil where the file does not say.
  public package(set) var recognizer: String?
  package let name: String
  package var intents: [Intent]
  package var lists: [String: SlotList]
  package var rules: [String: Rule]
  package var skipWords: [String]
  /// Replies by intent and key.
  package var replies: [String: [String: ReplyTemplate]]
  /// What is told of every text besides its intent.
  package var traits: [TraitRule] = []
  /// How a conversation is held; nil for the standard.
  package var dialogue: DialogueWords?

  /// The names of the intents in the file's order.
  public var intentNames: [String] { intents.map(\.name) }

  /// Reads the file at `path`.
  ///
  /// - Throws: ``IntentFileFault`` with the line and column of what is wrong.
  public init(reading path: String) throws(IntentFileFault) {
    let bytes: [UInt8]
    do throws(SystemFault) {
      bytes = try Files.read(path, limit: YAMLReader.byteLimit)
    } catch {
      throw .unreadable(error)
    }
    try self.init(parsing: bytes, name: path)
  }

  /// Reads YAML text; `name` stands for the file in faults.
  public init(parsing bytes: [UInt8], name: String) throws(IntentFileFault) {
    var reader = IntentFileReader(file: name)
    self = try reader.read(IntentFileReader.tree(of: bytes, file: name))
  }

  package init(name: String, language: String) {
    self.name = name
    self.language = language
    intents = []
    lists = [:]
    rules = [:]
    skipWords = []
    replies = [:]
  }

  /// Slots that take several values in any intent.
  package var manySlots: Set<String> { Set(intents.flatMap { $0.slots.filter(\.isMany).map(\.name) }) }

  /// Whether numbers in words are known for the file's language.
  package var hasNumberWords: Bool { language.lowercased().hasPrefix("en") }
}

/// One thing that people want, and all the ways to say it.
package struct Intent: Sendable {
  package let name: String
  package var blocks: [SentenceBlock]
  /// Sentences to learn from.
  package var examples: [Example] = []
  /// What is said of its slots, in the file's order.
  package var slots: [SlotRule] = []
  package var demands = Demands()

  package init(name: String, blocks: [SentenceBlock]) {
    self.name = name
    self.blocks = blocks
  }

  /// What is said of the slot called `name`.
  package func slot(_ name: String) -> SlotRule? { slots.first { $0.name == name } }

  /// Makes every sentence need the contexts that the intent does.
  package mutating func requireContexts() {
    for index in blocks.indices {
      blocks[index].required += demands.needed.map { ContextRule(key: $0, values: nil, slot: nil) }
    }
  }
}

/// An annotated sentence and where it stands.
package struct Example: Sendable {
  package let sentence: AnnotatedSentence
  package let node: YAMLNode

  package func position(_ offset: Int) -> SourcePosition { node.position(ofCharacter: offset) }
}

/// Sentences that fix the same slots and ask for the same context.
package struct SentenceBlock: Sendable {
  package var sentences: [Rule] = []
  /// Slots that these sentences fill by themselves.
  package var slots: [JSON.Member] = []
  package var required: [ContextRule] = []
  package var excluded: [ContextRule] = []
  package var rules: [String: Rule] = [:]
  package var lists: [String: SlotList] = [:]
  /// One of these words must be said, when there are any.
  package var keywords: Set<String> = []
  package var reply: ReplyTemplate?

  package init() {}
}

/// A template and where it stands.
package struct Rule: Sendable {
  package let template: Template
  package let node: YAMLNode

  package init(template: Template, node: YAMLNode) {
    self.template = template
    self.node = node
  }

  package func position(_ offset: Int) -> SourcePosition { node.position(ofCharacter: offset) }
}

/// One line of `requires_context` or `excludes_context`.
package struct ContextRule: Sendable {
  package let key: String
  /// Any of these; nil for whatever is known.
  package let values: [JSON]?
  /// The slot that gets what is known.
  package let slot: String?

  /// Whether `value` satisfies the rule.
  package func holds(for value: JSON) -> Bool { value != .null && values?.contains(value) ?? true }
}
