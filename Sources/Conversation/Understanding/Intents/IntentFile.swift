import Platform
import YAMLFormat

/// An intent file: intents with their sentences, lists and replies, in the YAML format of hassil.
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
  public package(set) var language: String
  /// Pronunciation hints for words that recognizers would pronounce wrongly, as written in the file.
  public package(set) var vocabulary: [String: [String]] = [:]
  /// The built-in recognizer that recognizes these sentences best; nil where the file does not set it.
  public package(set) var recognizer: String?
  /// The areas of voice satellites by their names: a satellite's sentences without an area are about its own.
  public package(set) var rooms: [String: String] = [:]
  /// The identifiers of these areas in Home Assistant, by the same names.
  public package(set) var roomIdentifiers: [String: String] = [:]
  package let name: String
  package var intents: [Intent]
  package var lists: [String: SlotList]
  package var rules: [String: Rule]
  package var skipWords: [String]
  /// What may follow any sentence in the grammar of a recognizer.
  package var ending: Template?
  /// Replies by intent and key.
  package var replies: [String: [String: ReplyTemplate]]
  /// The traits to determine for every text.
  package var traits: [TraitRule] = []
  /// The words and limits of dialogues; nil for the standard ones.
  package var dialogue: DialogueWords?
  /// The voices that the intents are restricted to.
  var voices: [VoiceReference] = []

  /// The names of the intents, in the order of the file.
  public var intentNames: [String] { intents.map(\.name) }

  /// Reads the file at `path`.
  ///
  /// - Throws: ``IntentFileFault`` with the line and column of the error.
  public init(reading path: String) throws(IntentFileFault) {
    try self.init(parsing: Self.bytes(of: path), name: path)
  }

  /// Reads YAML text; `name` is the name of the file in messages.
  public init(parsing bytes: [UInt8], name: String) throws(IntentFileFault) {
    var reader = IntentFileReader(file: name)
    self = reader.read(try IntentFileReader.tree(of: bytes, file: name))
    if let first = reader.faults.first { throw first }
  }

  fileprivate static func bytes(of path: String) throws(IntentFileFault) -> [UInt8] {
    do throws(SystemFault) {
      return try Files.read(path, limit: YAMLReader.byteLimit)
    } catch {
      throw .unreadable(error)
    }
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

  /// The slots that accept several values in at least one intent.
  package var manySlots: Set<String> { Set(intents.flatMap { $0.slots.filter(\.isMany).map(\.name) }) }

  /// Whether the language is English: the only one with number words and word forms.
  package var hasNumberWords: Bool { language.lowercased().hasPrefix("en") }
}

/// An intent and all ways to say it.
package struct Intent: Sendable {
  package let name: String
  package var blocks: [SentenceBlock]
  /// Annotated sentences to train on.
  package var examples: [Example] = []
  /// The rules of its slots, in the order of the file.
  package var slots: [SlotRule] = []
  package var requirements = IntentRequirements()

  package init(name: String, blocks: [SentenceBlock]) {
    self.name = name
    self.blocks = blocks
  }

  /// The rule of the slot `name`.
  package func slot(_ name: String) -> SlotRule? { slots.first { $0.name == name } }

  /// Makes every sentence require the contexts that the intent requires.
  package mutating func requireContexts() {
    for index in blocks.indices {
      blocks[index].required += requirements.requiredContexts.map {
        ContextRule(key: $0, values: nil, slot: nil)
      }
    }
  }
}

/// An annotated sentence, and its node in the file.
package struct Example: Sendable {
  package let sentence: AnnotatedSentence
  package let node: YAMLNode

  package func position(_ offset: Int) -> SourcePosition { node.position(ofCharacter: offset) }
}

/// Sentences with the same fixed slots and the same context conditions.
package struct SentenceBlock: Sendable {
  package var sentences: [Rule] = []
  /// Fixed values of slots.
  package var slots: [JSON.Member] = []
  package var required: [ContextRule] = []
  package var excluded: [ContextRule] = []
  package var rules: [String: Rule] = [:]
  package var lists: [String: SlotList] = [:]
  /// Words one of which must be in the text; empty for no condition.
  package var keywords: Set<String> = []
  package var reply: ReplyTemplate?
  /// Whether recognizers listen for the sentences.
  package var isSpoken = true

  package init() {}
}

/// A sentence template, and its node in the file.
package struct Rule: Sendable {
  package let template: Template
  package let node: YAMLNode

  package init(template: Template, node: YAMLNode) {
    self.template = template
    self.node = node
  }

  package func position(_ offset: Int) -> SourcePosition { node.position(ofCharacter: offset) }
}

/// One entry of `requires_context` or `excludes_context`.
package struct ContextRule: Sendable {
  package let key: String
  /// The accepted values; nil for any value.
  package let values: [JSON]?
  /// The slot that gets the value.
  package let slot: String?

  /// Whether `value` satisfies the rule.
  package func holds(for value: JSON) -> Bool { value != .null && values?.contains(value) ?? true }
}

extension IntentFile {
  /// The built-in intents: lights, timers, volume, time and date, shopping and to-do lists.
  ///
  /// Embedded from `Resources/home.yaml`.
  public static func standard() throws(IntentFileFault) -> IntentFile {
    try IntentFile(parsing: PackageResources.home_yaml, name: "home.yaml")
  }
}

extension IntentFile {
  /// All faults of the file at `path`, in the order of their lines, at most 100; none if ``Understander`` accepts it.
  public static func faults(reading path: String) -> [IntentFileFault] {
    do throws(IntentFileFault) {
      return faults(parsing: try bytes(of: path), name: path)
    } catch {
      return [error]
    }
  }

  package static func faults(parsing bytes: [UInt8], name: String) -> [IntentFileFault] {
    var reader = IntentFileReader(file: name)
    let root: YAMLNode
    do throws(IntentFileFault) {
      root = try IntentFileReader.tree(of: bytes, file: name)
    } catch {
      return [error]
    }
    let file = reader.read(root)
    var builder = ProgramBuilder(file, foldingHomophones: false)
    _ = builder.build()
    for fault in builder.faults { reader.add(fault) }
    if reader.faults.isEmpty {
      do throws(IntentFileFault) { _ = try Understander(file) } catch { reader.add(error) }
    }
    return reader.faults.sorted {
      ($0.position.line, $0.position.column) < ($1.position.line, $1.position.column)
    }
  }
}
