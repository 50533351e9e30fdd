import Platform
import Understanding

/// An intent on its way to being carried out: what is known of it so far.
struct Draft: Sendable {
  /// Its place in the file.
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

  /// What was understood; nil where that is no intent, or one whose contexts are not open.
  init?(_ heard: Interpretation, in file: IntentFile, _ open: Contexts) {
    guard heard.status == .ready, let guess = heard.intent,
      let index = file.intents.firstIndex(where: { $0.name == guess.name }),
      file.intents[index].demands.needed.allSatisfy({ open[$0] != nil })
    else { return nil }
    self.init(
      intent: index, name: guess.name, slots: heard.slots, confidence: guess.confidence,
      reply: heard.replyTemplate)
  }

  /// What `slot` has been given, as it is said.
  func words(_ slot: String) -> String? { self[slot]?.inReply }

  /// What is known of `slot`.
  subscript(slot: String) -> Interpretation.Slot? { slots.first { $0.name == slot } }

  /// What is known, slot by slot.
  var values: [String: JSON] {
    Dictionary(slots.map { ($0.name, $0.value) }) { $1 }
  }

  /// Takes what was said now into what was known before, as the slots' rules want it.
  ///
  /// - Parameter isMore: whether the values join those of their slots, where these take several.
  mutating func take(_ said: [Interpretation.Slot], by rules: [SlotRule], isMore: Bool = false) {
    slots = slots.map(\.remembered)
    for slot in said {
      let rule = rules.first { $0.name == slot.name }
      let target = rule?.adds ?? rule?.removes ?? slot.name
      if rule?.removes != nil {
        // What was not there to be left out is left out all the same.
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
      // What is taken is not to be left out any more.
      for other in rules where rule?.removes == nil && other.removes == target && self[other.name] != nil {
        change(other.name, by: slot) { values, value in values.filter { $0 != value } }
      }
    }
    isConfirmed = false
  }

  /// What was said, with the slots that bare values go to: of those that take them, the only one that has a value.
  ///
  /// - Returns: nil where there is not exactly one.
  func placing(_ said: [Interpretation.Slot], _ sources: [String: SlotSource]) -> [Interpretation.Slot]? {
    var placed: [Interpretation.Slot] = []
    for slot in said {
      guard let list = AnswerKind.list(ofBare: slot.name) else {
        placed.append(slot)
        continue
      }
      let known = slots.map(\.name).filter { name in sources[name]?.list == list }
      guard known.count == 1 else { return nil }
      var named = Interpretation.Slot(
        name: known[0], value: slot.value, text: slot.text, confidence: slot.confidence, range: slot.range)
      named.spoken = slot.spoken
      placed.append(named)
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

  mutating func forget(_ slot: String) { slots.removeAll { $0.name == slot } }
}

extension Interpretation.Slot {
  /// The same in a later turn, whose text does not hold its words.
  var remembered: Interpretation.Slot {
    var slot = Interpretation.Slot(name: name, value: value, text: text, confidence: confidence, range: nil)
    slot.spoken = spoken
    return slot
  }

  /// The same in a text that has `count` code points more before it.
  func moved(by count: Int) -> Interpretation.Slot {
    let place = range.map { $0.lowerBound + count..<$0.upperBound + count }
    var slot = Interpretation.Slot(name: name, value: value, text: text, confidence: confidence, range: place)
    slot.spoken = spoken
    return slot
  }
}
