import Platform
import Understanding

/// An intent that is not handled yet, with the slots known so far.
struct PendingIntent: Sendable {
  /// The index of the intent in the file.
  var intent: Int
  var name: String
  var slots: [Interpretation.Slot]
  var confidence: Double
  var reply: ReplyTemplate?
  var isConfirmed = false

  init(
    intent: Int, name: String, slots: [Interpretation.Slot], confidence: Double, reply: ReplyTemplate?
  ) {
    self.intent = intent
    self.name = name
    self.slots = slots
    self.confidence = confidence
    self.reply = reply
  }

  /// The intent of an interpretation; nil where there is none, or where its required contexts are not open.
  init?(_ found: Interpretation, in file: IntentFile, _ open: OpenContexts) {
    guard found.status == .ready, let guess = found.intent,
      let index = file.intents.firstIndex(where: { $0.name == guess.name }),
      file.intents[index].requirements.requiredContexts.allSatisfy({ open[$0] != nil })
    else { return nil }
    self.init(
      intent: index, name: guess.name, slots: found.slots, confidence: guess.confidence,
      reply: found.replyTemplate)
  }

  /// The value of `slot` in words.
  func words(_ slot: String) -> String? { self[slot]?.inReply }

  /// The slot named `slot`; nil where it has no value.
  subscript(slot: String) -> Interpretation.Slot? { slots.first { $0.name == slot } }

  /// The values by slot.
  var values: [String: JSON] {
    Dictionary(slots.map { ($0.name, $0.value) }) { $1 }
  }

  /// Merges the slots of a turn into the known ones, by the rules of the slots.
  ///
  /// - Parameter isMore: whether values are added to those of slots that accept several.
  mutating func merge(_ newSlots: [Interpretation.Slot], by rules: [SlotRule], isMore: Bool = false) {
    slots = slots.map(\.withoutRange)
    for slot in newSlots {
      let rule = rules.first { $0.name == slot.name }
      let target = rule?.adds ?? rule?.removes ?? slot.name
      if rule?.removes != nil {
        // A value that was not in the slot is still recorded as removed.
        let known = self[target]?.value.array ?? []
        change(target, by: slot) { values, value in values.filter { $0 != value } }
        change(slot.name, by: slot) { known.contains($1) || $0.contains($1) ? $0 : $0 + [$1] }
      } else if rule?.adds != nil || isMore && rule?.isMany ?? false {
        change(target, by: slot) { $0.contains($1) ? $0 : $0 + [$1] }
      } else if let index = slots.firstIndex(where: { $0.name == slot.name }) {
        slots[index] = slot
      } else {
        slots.append(slot)
      }
      // An added value is no longer removed.
      for other in rules where rule?.removes == nil && other.removes == target && self[other.name] != nil {
        change(other.name, by: slot) { values, value in values.filter { $0 != value } }
      }
    }
    slots = slots.applyingDayPart()
    isConfirmed = false
  }

  /// Assigns bare values to slots: to the only slot with a value among those that accept them.
  ///
  /// - Returns: nil where there is not exactly one such slot.
  func assigningBareValues(
    _ newSlots: [Interpretation.Slot], _ sources: [String: SlotSource]
  ) -> [Interpretation.Slot]? {
    var placed: [Interpretation.Slot] = []
    for slot in newSlots {
      guard let list = AnswerKind.list(ofBare: slot.name) else {
        placed.append(slot)
        continue
      }
      let known = slots.map(\.name).filter { name in sources[name]?.list == list }
      guard known.count == 1 else { return nil }
      placed.append(slot.with(name: known[0], range: slot.range))
    }
    return placed
  }

  private mutating func change(
    _ target: String, by slot: Interpretation.Slot, _ combine: ([JSON], JSON) -> [JSON]
  ) {
    let known = self[target]
    var values = known.map { $0.value.array ?? [$0.value] } ?? []
    for value in slot.value.array ?? [slot.value] { values = combine(values, value) }
    slots.removeAll { $0.name == target }
    guard !values.isEmpty else { return }
    slots.append(
      Interpretation.Slot(
        name: target, value: .array(values), text: known?.text ?? slot.text,
        confidence: min(known?.confidence ?? 1, slot.confidence), range: nil))
  }

  mutating func removeSlot(_ slot: String) { slots.removeAll { $0.name == slot } }
}

extension Interpretation.Slot {
  /// The slot in a later turn, whose text does not contain its words.
  var withoutRange: Interpretation.Slot { with(range: nil) }

  /// The slot in a text with `count` more code points before it.
  func shifted(by count: Int) -> Interpretation.Slot {
    with(range: range.map { $0.lowerBound + count..<$0.upperBound + count })
  }
}

/// The open contexts: intents that were handled in the last turns.
struct OpenContexts: Sendable {
  private struct Entry: Sendable {
    let name: String
    var turns: Int
    let pending: PendingIntent
  }

  /// Oldest first.
  private var entries: [Entry] = []

  /// Opens a context with its intent.
  mutating func open(_ grant: ContextGrant, with pending: PendingIntent) {
    entries.removeAll { $0.name == grant.name }
    entries.append(Entry(name: grant.name, turns: grant.lifespan, pending: pending))
  }

  mutating func close(_ name: String) { entries.removeAll { $0.name == name } }

  /// Counts a turn, and closes the contexts for which it was the last.
  mutating func age() {
    for index in entries.indices { entries[index].turns -= 1 }
    entries.removeAll { $0.turns <= 0 }
  }

  subscript(name: String) -> PendingIntent? { entries.first { $0.name == name }?.pending }

  /// The intents of all open contexts, newest first.
  var intents: [PendingIntent] { entries.reversed().map(\.pending) }

  /// The values for `requires_context`: the intent by the name of each context, and the values of its slots by name.
  var known: [String: JSON] {
    var known: [String: JSON] = [:]
    for entry in entries {
      for slot in entry.pending.slots { known[slot.name] = slot.value }
    }
    for entry in entries { known[entry.name] = .string(entry.pending.name) }
    return known
  }
}
