import Platform
import TextProcessing

/// Joins the sentences of a language with the names of a home to an intent file.
///
/// Left out are sentences about names of kinds of entities that the home lacks, and about floors or areas where there are none.
/// Recognizers do not listen for sentences about all entities of a kind that it lacks. A sentence about certain kinds has a list
/// with the names of these only, so that a recognizer does not hear "open the lamp".
public struct HomeIntents {
  /// Code points of a name.
  private static let longestName = 200

  private let home: Home
  private let sentences: SentenceSet
  private let domains: Set<String>
  private var intents: [(name: String, blocks: [JSON])] = []
  private var lists: [JSON.Member] = []
  private var rules: [JSON.Member] = []
  private var skipWords: [JSON] = []
  private var responses: [JSON.Member] = []
  /// The reply to the name of no entity.
  private var unknownEntity: String?

  private init(_ home: Home, _ sentences: SentenceSet) {
    self.home = home
    self.sentences = sentences
    domains = Set(home.entities.map(\.domain))
  }

  /// The intent file: a mapping to write as YAML or to parse as ``IntentFile`` does.
  public static func file(for home: Home, _ sentences: SentenceSet) -> JSON {
    var file = HomeIntents(home, sentences)
    return file.build()
  }

  private mutating func build() -> JSON {
    let errors = sentences.text["responses"]?["errors"]
    addNames(errors)
    for file in [sentences.text] + sentences.own { add(file) }
    let used = intents.filter { !$0.blocks.isEmpty }
    let names = Set(used.map(\.name))
    return .object([
      JSON.Member("language", sentences.text["language"] ?? "en"),
      // PocketSphinx recognizes hardly any of so many sentences.
      JSON.Member("recognizer", "builtin"), JSON.Member("skip_words", .array(skipWords)),
      JSON.Member("dialogue", ["replies": .object(replies(errors))]),
      JSON.Member("intents", .object(used.map { JSON.Member($0.name, ["data": .array($0.blocks)]) })),
      JSON.Member("lists", .object(lists)), JSON.Member("expansion_rules", .object(rules)),
      JSON.Member("client_responses", .object(responses.filter { names.contains($0.name) })),
      JSON.Member("rooms", Self.object(home.rooms)),
      JSON.Member("room_ids", Self.object(home.roomIdentifiers)),
    ])
  }

  private static func object(_ texts: [String: String]) -> JSON {
    .object(texts.sorted { $0.key < $1.key }.map { JSON.Member($0.key, .string($0.value)) })
  }

  // MARK: Names

  private mutating func addNames(_ errors: JSON?) {
    let floors = Self.placeValues(home.floors, unknown: Self.reply(errors, "no_floor"))
    let areas = Self.placeValues(home.areas, unknown: Self.reply(errors, "no_area"))
    unknownEntity = Self.reply(errors, "no_entity")
    Self.set(floors, of: "floor", in: &lists)
    Self.set(areas, of: "area", in: &lists)
    Self.set(names(of: nil), of: "name", in: &lists)
  }

  private static func placeValues(_ places: [Home.Place], unknown: String?) -> JSON {
    values(
      places.flatMap { place in ([place.name] + place.aliases).map { ($0, place.name, nil) } },
      areNames: false, unknown: unknown)
  }

  /// The replies to what is not understood, in the language of the sentences.
  private func replies(_ errors: JSON?) -> [JSON.Member] {
    guard let sorry = Self.reply(errors, "no_intent") else { return [] }
    let members = [JSON.Member("not_understood", .string(sorry))]
    if sentences.text["language"]?.string?.hasPrefix("en") ?? true { return members }
    return members + [
      JSON.Member("unknown", .string("\(sorry): {words}.")), JSON.Member("suggest", "{choices}?"),
    ]
  }

  /// One of the package's replies to errors, with `{words}` for what is said; nil where it is more than a text.
  private static func reply(_ errors: JSON?, _ key: String) -> String? {
    guard var text = errors?[key]?.string else { return nil }
    if let start = text.firstRange(of: "{{"), let end = text.firstRange(of: "}}") {
      text.replaceSubrange(start.lowerBound..<end.upperBound, with: "\u{0}")
    }
    let isPlain = !text.contains { "{}%|".contains($0) }
    let isComplete = text.contains("\u{0}") == (key != "no_intent")
    guard isPlain, isComplete else { return nil }
    text = text.replacing("\u{0}", with: "{words}")
    return key == "no_intent" || ".!?。".contains(text.last ?? ".") ? text : text + "."
  }

  /// The names of entities, of all or of some kinds.
  private func names(of kinds: [String]?) -> JSON {
    Self.values(
      home.entities.filter { kinds?.contains($0.domain) ?? true }.flatMap { entity in
        ([entity.name] + entity.aliases).map { ($0, entity.name, kinds == nil ? entity.domain : nil) }
      }, areNames: true, unknown: unknownEntity)
  }

  private static func values(
    _ names: [(said: String, meant: String, domain: String?)], areNames: Bool, unknown: String?
  ) -> JSON {
    var values: [JSON] = []
    for name in names {
      guard let said = spoken(name.said) else { continue }
      var value = [JSON.Member("in", .string(said)), JSON.Member("out", .string(name.meant))]
      if let domain = name.domain { value.append(JSON.Member("context", ["domain": .string(domain)])) }
      if !values.contains(.object(value)) { values.append(.object(value)) }
    }
    var members = [JSON.Member("values", .array(values))]
    if areNames { members.append(JSON.Member("names", true)) }
    if let unknown { members.append(JSON.Member("unknown", .string(unknown))) }
    return .object(members)
  }

  /// A name without the signs that templates give a meaning; nil if nothing is left that can be said, or too much.
  private static func spoken(_ name: String) -> String? {
    let signs = "()[]{}<>|;:*\\\"".unicodeScalars
    let words = name.unicodeScalars.split { signs.contains($0) || $0.properties.isWhitespace }
    let text = words.map { String($0) }.joined(separator: " ")
    let isSpoken = text.unicodeScalars.contains(where: Punctuation.isWord)
    return isSpoken && text.unicodeScalars.count <= longestName ? text : nil
  }

  // MARK: Sentences

  /// Adds a file of sentences.
  private mutating func add(_ file: JSON) {
    for member in file["lists"]?.members ?? [] {
      Self.set(member.value, of: member.name, in: &lists)
    }
    for member in file["expansion_rules"]?.members ?? [] {
      Self.set(.string(member.value.string ?? ""), of: member.name, in: &rules)
    }
    for word in file["skip_words"]?.array ?? [] where !skipWords.contains(word) { skipWords.append(word) }
    let replies = file["responses"]?["intents"] ?? file["responses"]
    for member in replies?.members ?? [] {
      let texts = member.value.members?.filter { $0.value.string?.isEmpty == false } ?? []
      if texts.isEmpty { continue }
      // The own files come last and win.
      var known = responses.first { $0.name == member.name }?.value.members ?? []
      for text in texts { Self.set(text.value, of: text.name, in: &known) }
      Self.set(.object(known), of: member.name, in: &responses)
    }
    for intent in file["intents"]?.members ?? [] {
      let blocks = intent.value["data"]?.array?.compactMap { self.block($0) } ?? []
      if let index = intents.firstIndex(where: { $0.name == intent.name }) {
        intents[index].blocks += blocks
      } else {
        intents.append((intent.name, blocks))
      }
    }
  }

  /// A block of sentences for this home; nil where it says nothing here.
  private mutating func block(_ block: JSON) -> JSON? {
    var list: String?
    if let wanted = block["requires_context"]?["domain"] {
      let kinds = (wanted.array ?? [wanted["value"] ?? wanted]).compactMap(\.string)
      let present = kinds.filter(domains.contains).sorted()
      if present.isEmpty { return nil }
      let name = present.joined(separator: "_") + "_name"
      Self.set(names(of: present), of: name, in: &lists)
      list = name
    }
    let isUnknown = block["slots"]?["domain"]?.string.map { !domains.contains($0) } ?? false
    var sentences: [JSON] = []
    // Whether the names of the domain stand in a rule, where the list of all names stays.
    var isNamedByRule = false
    for sentence in block["sentences"]?.array ?? [] {
      guard var text = sentence.string else { continue }
      let missing = [
        ("{floor", home.floors.isEmpty), ("{area", home.areas.isEmpty), ("{name", home.entities.isEmpty),
      ]
      if missing.contains(where: { $0.1 && uses($0.0, text) }) { continue }
      if !text.contains("{name}"), uses("{name", text) { isNamedByRule = true }
      if let list { text = text.replacing("{name}", with: "{\(list):name}") }
      sentences.append(.string(text))
    }
    if sentences.isEmpty { return nil }
    var members = [JSON.Member("sentences", .array(sentences))]
    for key in ["slots", "requires_context", "excludes_context", "response", "expansion_rules", "lists"] {
      guard let value = block[key] else { continue }
      let keepsDomain = key != "requires_context" || list == nil || isNamedByRule
      let rest = value.members?.filter { $0.name != "domain" || keepsDomain }
      if rest?.isEmpty ?? false { continue }
      members.append(JSON.Member(key, rest.map { .object($0) } ?? value))
    }
    if isUnknown { members.append(JSON.Member("speech", false)) }
    return .object(members)
  }

  /// Whether a template uses a list, itself or by its rules.
  private func uses(_ list: String, _ template: String) -> Bool {
    var open = [template]
    var seen: Set<String> = []
    while let text = open.popLast() {
      for end in ["}", ":", "."] where text.contains(list + end) { return true }
      for rule in rules where text.contains("<\(rule.name)>") && seen.insert(rule.name).inserted {
        open.append(rule.value.string ?? "")
      }
    }
    return false
  }

  private static func set(_ value: JSON, of name: String, in members: inout [JSON.Member]) {
    let member = JSON.Member(name, value)
    if let index = members.firstIndex(where: { $0.name == name }) {
      members[index] = member
    } else {
      members.append(member)
    }
  }
}
