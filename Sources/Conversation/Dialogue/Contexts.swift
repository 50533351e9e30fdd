import Platform
import Understanding

/// What the last intents leave behind for the next turns.
struct Contexts: Sendable {
  private struct Entry: Sendable {
    let name: String
    var turns: Int
    let draft: Draft
  }

  /// The latest last.
  private var entries: [Entry] = []

  /// Opens a context with what is known of its intent.
  mutating func open(_ grant: ContextGrant, with draft: Draft) {
    entries.removeAll { $0.name == grant.name }
    entries.append(Entry(name: grant.name, turns: grant.lifespan, draft: draft))
  }

  mutating func close(_ name: String) { entries.removeAll { $0.name == name } }

  /// Counts a turn; contexts whose last one it was close.
  mutating func age() {
    for index in entries.indices { entries[index].turns -= 1 }
    entries.removeAll { $0.turns <= 0 }
  }

  subscript(name: String) -> Draft? { entries.first { $0.name == name }?.draft }

  /// The drafts of all open contexts, the latest first.
  var drafts: [Draft] { entries.reversed().map(\.draft) }

  /// For `requires_context`: each context's name with that of its intent, and the values of its slots by their names.
  var known: [String: JSON] {
    var known: [String: JSON] = [:]
    for entry in entries {
      for slot in entry.draft.slots { known[slot.name] = slot.value }
    }
    for entry in entries { known[entry.name] = .string(entry.draft.name) }
    return known
  }
}
