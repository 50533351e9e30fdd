/// The keys of one mapping in an intent file: what the reader accepts, and what the manual page hotword-intents(5) lists.
package struct IntentFileKeys: Sendable {
  /// A key and its meaning, a sentence without a full stop.
  package struct Key: Sendable {
    package let name: String
    package let meaning: String

    init(_ name: String, _ meaning: String) {
      self.name = name
      self.meaning = meaning
    }
  }

  /// The title of the section in the manual page.
  package let title: String
  /// Where the mapping is in the file.
  package let place: String
  package let keys: [Key]

  init(_ title: String, _ place: String, _ keys: [Key]) {
    self.title = title
    self.place = place
    self.keys = keys
  }

  package var names: [String] { keys.map(\.name) }

  /// All mappings with fixed keys, from the outside to the inside.
  package static let all = [
    file, intent, sentences, contextRule, slot, voice, context, contextGrant, list, value, range, dialogue,
    dialogueWords, dialogueReplies, trait,
  ]
}

extension IntentFileKeys {
  private static let unused = "Accepted for files of Home Assistant, and not used"

  static let file = IntentFileKeys(
    "THE FILE", "At the top level",
    [
      Key("language", "The language of the sentences, such as en or en-GB; required"),
      Key("intents", "The intents by name; required"),
      Key("lists", "The lists of values by name"),
      Key("expansion_rules", "Templates by name; <name> in a sentence inserts one"),
      Key("skip_words", "A list of words that may be anywhere in a sentence"),
      Key(
        "responses",
        "The reply of each intent: a text, or texts by the name that 'response' uses, 'default' first. {slot} is the "
          + "value of a slot, {count:pizza|pizzas} the first word for 1 and else the second"
      ),
      Key(
        "client_responses",
        "As responses, for intents without one: passed on to the program that carries out the intent, which fills them"
      ),
      Key(
        "rooms",
        "The areas of voice satellites by their identifiers in Home Assistant: values of the context area for their sentences"
      ),
      Key(
        "room_ids",
        "The identifiers of these areas in Home Assistant, by the same: sent with the intents of their sentences, so that of two "
          + "things of one name the one there is meant"
      ),
      Key("dialogue", "The words and limits of dialogues"),
      Key(
        "vocabulary",
        "The pronunciation of words, or several in a list: ARPAbet (K AE F EY), IPA (/kafe/) or an English spelling; or "
          + "the path of a file of such words"),
      Key("recognizer", "The recognizer that suits the sentences: builtin or pocketsphinx"),
      Key("traits", "What to determine for every text, by name"),
      Key("settings", unused),
    ])

  static let intent = IntentFileKeys(
    "INTENTS", "Under intents: NAME",
    [
      Key("data", "A list of groups of sentences; required, unless there are examples or it is a fallback"),
      Key("examples", "A list of example sentences to learn from, with slots as [words](list:slot)"),
      Key("slots", "The rules of its slots by name"),
      Key(
        "confirm", "The question that must be answered with yes; of a list, the first whose slots have values"
      ),
      Key("voice", "Who may use it: enrolled, the name of an enrolled voice, a list of names, or a mapping"),
      Key("context", "The contexts that it opens, closes and requires"),
      Key("fallback", "true to use it when no other intent fits"),
      Key("description", unused), Key("domain", unused), Key("supported", unused),
    ])

  static let sentences = IntentFileKeys(
    "SENTENCES", "In an item of data",
    [
      Key("sentences", "A list of sentence templates; required"),
      Key("slots", "Fixed values of slots"),
      Key("response", "The name of the reply under responses, or a reply"),
      Key("requires_context", "Contexts and slots that must have a value, or the given value"),
      Key("excludes_context", "Contexts and slots that must not have a value, or not the given value"),
      Key("expansion_rules", "Rules for these sentences only"),
      Key("lists", "Lists for these sentences only"),
      Key("speech", "false for sentences that are understood, but that recognizers do not listen for"),
      Key("required_keywords", "A list of words of which the text must have at least one"),
      Key("metadata", unused), Key("settings", unused), Key("inferred_domain", unused),
      Key("name_domains", unused),
    ])

  static let contextRule = IntentFileKeys(
    "CONTEXT CONDITIONS", "Under requires_context or excludes_context: NAME, instead of a value",
    [
      Key("value", "The accepted value, or a list of them"),
      Key("slot", "true to put the value into the slot of the same name, or the name of a slot"),
    ])

  static let slot = IntentFileKeys(
    "SLOTS", "Under slots: NAME of an intent",
    [
      Key("list", "The list of its values (default: that of the sentences)"),
      Key("type", "The built-in type of its values, such as duration"),
      Key("required", "true to ask for a missing value"),
      Key("unless", "Slots any of which make this one optional"),
      Key("many", "true to accept several values; the value is then an array"),
      Key("prompt", "The question for a value; of a list, the second is for the second time"),
      Key("choices", "The question if the words match several values; {choices} lists them"),
      Key("from", "The smallest number that is accepted"),
      Key("to", "The largest number that is accepted"),
      Key("unlike", "The slot whose value must differ"),
      Key("unsupported", "The reply to a value that is not accepted; {value} is the value"),
      Key("adds", "The slot to which the values are added"),
      Key("removes", "The slot from which the values are removed"),
      Key("answers", "A list of templates for answers to the question"),
      Key("description", unused),
    ])

  static let voice = IntentFileKeys(
    "VOICES", "Under voice of an intent",
    [
      Key("who", "enrolled, a name, or a list of names; required"),
      Key("refusal", "The reply to other voices"),
    ])

  static let context = IntentFileKeys(
    "CONTEXTS", "Under context of an intent",
    [
      Key("sets", "The context to open, or a list of them"),
      Key("ends", "The context to close, or a list of them"),
      Key("requires", "The context that must be open, or a list of them"),
      Key("repeats", "The context whose intent is carried out again with the slots of this one"),
    ])

  static let contextGrant = IntentFileKeys(
    "OPENED CONTEXTS", "Under sets, instead of a name",
    [
      Key("name", "The name of the context; required"),
      Key("lifespan", "The number of turns that it stays open, 1 to 1000 (default: 5)"),
    ])

  static let list = IntentFileKeys(
    "LISTS", "Under lists: NAME; one of values, range, type and wildcard is required",
    [
      Key("values", "A list of values: templates, or mappings"),
      Key("range", "A range of whole numbers"),
      Key("type", "A built-in type"),
      Key("wildcard", "true to accept any words"),
      Key("plurals", "Whether English plurals are accepted (default: in lists that examples use)"),
      Key(
        "names",
        "true for names: of two sentences that match, the one with the longer name is chosen (\"the bedroom lamp\", not the "
          + "lamps of the bedroom)"),
      Key("unknown", "The reply to words in its place that are none of its values; {words}"),
      Key("metadata", unused),
    ])

  static let value = IntentFileKeys(
    "VALUES", "In an item of values",
    [
      Key("in", "The template of the words; required"),
      Key("out", "The value of the slot (default: the words)"),
      Key("synonyms", "A list of further templates for the value"),
      Key("context", "Contexts by name, with the value that this value gives them"),
      Key("metadata", unused),
    ])

  static let range = IntentFileKeys(
    "RANGES", "Under range of a list",
    [
      Key("from", "The first number; required"),
      Key("to", "The last number; required"),
      Key("step", "The difference of two numbers (default: 1)"),
      Key("type", "number, percentage or temperature; not used"),
      Key("multiplier", "The factor from the number to the value of the slot"),
      Key("fractions", "halves or tenths, which are then accepted too"),
      Key("digits", "false to reject numbers in digits"),
      Key("words", "false to reject numbers in words"),
      Key("words_language", unused),
    ])

  static let dialogue = IntentFileKeys(
    "DIALOGUES", "Under dialogue",
    [
      Key("timeout", "Seconds without an answer that end a dialogue (default: 120)"),
      Key("attempts", "How often a question is repeated, 0 to 100 (default: 2)"),
      Key("words", "What counts as an answer, by kind; each replaces the English default"),
      Key("replies", "The standard replies, by kind; each replaces the English default"),
    ])

  static let dialogueWords = IntentFileKeys(
    "WORDS OF DIALOGUES", "Under words of dialogue; each is a list of templates",
    DialogueWords.Word.allCases.map { Key($0.rawValue, $0.meaning) })

  static let dialogueReplies = IntentFileKeys(
    "REPLIES OF DIALOGUES", "Under replies of dialogue; each is a text",
    DialogueWords.Reply.allCases.map { Key($0.rawValue, $0.meaning) })

  static let trait = IntentFileKeys(
    "TRAITS", "Under traits: NAME; one of language, keywords and classes is required",
    [
      Key("language", "true for the language of the text"),
      Key("keywords", "The number of keywords to find, 1 to 100"),
      Key("corpus", "With keywords: a list of typical texts"),
      Key("classes", "Classes by name, each with a list of typical texts; at least two"),
    ])
}

extension DialogueWords.Word {
  fileprivate var meaning: String {
    switch self {
    case .yes: "Yes"
    case .sure: "Short words for yes, for use in other templates as <sure>"
    case .hum: "Yes in written text only"
    case .no: "No"
    case .nay: "Short words for no, as <nay>"
    case .cancel: "Ends the dialogue"
    case .trailing: "Ends the dialogue at the end of other words"
    case .lead: "Words before an answer: \"I'd like\""
    case .before: "Words directly before a value: \"the\""
    case .tail: "Words after an answer: \"please\""
    case .correction: "Words before a corrected value: \"no, make it\""
    case .oops: "Words that begin a correction, as <oops>"
    case .change: "Words that ask for a change, as <change>"
    case .more: "Words before a further value: \"and also\""
    case .heard: "Words before a corrected value in speech"
    case .prepositions: "Words that show the slot of a value: \"to\", \"from\""
    case .and: "Words between values"
    case .or: "The word before the last of several choices"
    case .refuse: "Words before a command that refuse it: \"don't\""
    case .but: "Words between no and a new value"
    case .it: "Words for the open command: \"it\""
    case .abandon: "Words before the name of what to cancel: \"cancel my\""
    }
  }
}

extension DialogueWords.Reply {
  fileprivate var meaning: String {
    switch self {
    case .cancelled: "After a dialogue was cancelled"
    case .declined: "After the answer no to a confirmation"
    case .again: "Before a repeated question"
    case .which: "The question for a slot without a prompt; {slot} and {choices}"
    case .choose: "The question between several values; {choices}"
    case .unsupported: "After a value that is not accepted"
    case .confirm: "The question for confirmation if the slots of confirm have no value"
    case .stranger: "To a voice that is not enrolled"
    case .others: "To a voice that is not allowed; {voices}"
    case .untold: "To a speaker who is not identified"
    case .gaveUp: "After the last attempt"
    case .notUnderstood: "To a text without an intent"
    case .failed: "When recognition, a service or a handler has failed"
    case .unknown: "To a sentence in which words stand for a value and are none of its list; {words}"
    case .suggest: "After unknown; {choices} are the most similar values"
    }
  }
}
