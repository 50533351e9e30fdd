import Assistant
import Dialogue
import Platform
import Understanding

/// The output of `hotword intents list`.
package struct IntentListing {
  private let catalogue: IntentCatalogue
  private let stopping = StoppingPhrases()

  package init(_ catalogue: IntentCatalogue) { self.catalogue = catalogue }

  private var cancel: [String] {
    stopping.cancel + catalogue.cancelPhrases.filter { !stopping.cancel.contains($0) }
  }

  package var json: JSON {
    [
      "language": .string(catalogue.language), "intents": .array(catalogue.entries.map(Self.json)),
      "cancel": .array(cancel.map(JSON.string)),
      "done": .array(stopping.done.map(JSON.string)),
    ]
  }

  private static func json(_ entry: IntentCatalogue.Entry) -> JSON {
    let voices: JSON =
      switch entry.speaker {
      case .anyone: .null
      case .enrolled: "enrolled"
      case .names(let names): .array(names.map(JSON.string))
      }
    return [
      "name": .string(entry.name), "sentences": .array(entry.sentences.map(JSON.string)),
      "complete": .bool(entry.isComplete), "slots": .array(entry.slots.map(json)), "voice": voices,
      "confirm": .array(entry.confirmations.map(JSON.string)),
      "requires": .array(entry.contexts.map(JSON.string)), "fallback": .bool(entry.isFallback),
    ]
  }

  private static func json(_ slot: IntentCatalogue.Slot) -> JSON {
    var members = [JSON.Member("name", .string(slot.name))]
    switch slot.values {
    case .list(let values): members.append(JSON.Member("values", .array(values)))
    case .range(let from, let to):
      members += [JSON.Member("from", .number(from)), JSON.Member("to", .number(to))]
    case .type(let type): members.append(JSON.Member("type", .string(type)))
    case .anyWords: members.append(JSON.Member("type", "words"))
    }
    members += [JSON.Member("required", .bool(slot.isRequired)), JSON.Member("many", .bool(slot.isMany))]
    return .object(members)
  }
}

/// Text for a terminal of 80 columns.
extension IntentListing {
  private static let width = 80
  /// The number of values of a slot that are shown.
  private static let shownValues = 12

  package var text: String {
    let cancel = cancel.map(Self.quoted).joined(separator: ", ")
    let done = stopping.done.map(Self.quoted).joined(separator: ", ")
    let entries = catalogue.entries.map(Self.text).joined(separator: "\n")
    return entries + "\n" + Self.wrapped("To cancel, say " + cancel + ".", first: "", rest: "  ")
      + Self.wrapped("To end a command without a pause, say " + done + ".", first: "", rest: "  ")
  }

  private static func text(_ entry: IntentCatalogue.Entry) -> String {
    var text = entry.name + "\n"
    for sentence in entry.sentences { text += wrapped(quoted(sentence), first: "  ", rest: "    ") }
    if entry.isFallback { text += "  (anything that no other intent accepts)\n" }
    for slot in entry.slots { text += field(slot.name, words(slot)) }
    switch entry.speaker {
    case .anyone: break
    case .enrolled: text += field("who", "enrolled voices only")
    case .names(let names): text += field("who", names.joined(separator: ", ") + " only")
    }
    if let question = entry.confirmations.first { text += field("confirmation", quoted(question)) }
    if !entry.contexts.isEmpty {
      text += field("when", "the context \(entry.contexts.joined(separator: ", ")) is open")
    }
    return text
  }

  private static func words(_ slot: IntentCatalogue.Slot) -> String {
    var words: String
    switch slot.values {
    case .list(let values):
      words = values.prefix(shownValues).map(ReplyTemplate.words).joined(separator: ", ")
      if values.count > shownValues { words += ", and \(values.count - shownValues) more" }
    case .range(let from, let to): words = "\(JSON.number(from)) to \(JSON.number(to))"
    case .type(let type): words = "a \(type)"
    case .anyWords: words = "any words"
    }
    if slot.isMany { words += "; several" }
    if slot.isRequired { words += "; required" }
    return words
  }

  private static func field(_ name: String, _ words: String) -> String {
    let indent = String(repeating: " ", count: 16)
    let label = "    \(name):"
    let gap = String(repeating: " ", count: max(1, indent.count - label.count))
    return wrapped(words, first: label + gap, rest: indent)
  }

  private static func quoted(_ text: String) -> String { "“\(text)”" }

  /// Lines of up to 80 characters, broken between words.
  private static func wrapped(_ text: String, first: String, rest: String) -> String {
    var lines: [String] = []
    var line = first
    var isEmpty = true
    for word in text.split(separator: " ") {
      if !isEmpty, line.count + 1 + word.count > width {
        lines.append(line)
        line = rest
        isEmpty = true
      }
      line += (isEmpty ? "" : " ") + word
      isEmpty = false
    }
    return (lines + [line]).joined(separator: "\n") + "\n"
  }
}
