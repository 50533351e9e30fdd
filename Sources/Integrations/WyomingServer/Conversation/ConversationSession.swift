import Dialogue
import Networking
import Platform
import Understanding

/// One conversation of a client by text: turns sentences into the events that answer them.
///
/// A value without sockets or threads. An intent is sent for the client to carry out, unless ``Answer/carryOut(_:)`` finds a handler
/// here. A question is a `handled` event whose text asks; the next sentence of the conversation answers it.
struct ConversationSession: Sendable {
  enum Answer: Sendable {
    case send([WyomingEvent])
    /// Call a handler, then ``ConversationSession/finished(_:_:)``.
    case carryOut(Interpretation)
  }

  private var dialogue: DialogueStateMachine
  /// Home Assistant's identifier of the area where it is said. Of several things of one name, the one there is meant.
  var preferredArea: String?

  init(_ dialogue: DialogueStateMachine) { self.dialogue = dialogue }

  /// As of its dialogue.
  var expectedAnswers: Set<String> { dialogue.expectedAnswers }

  /// - Parameters:
  ///   - time: seconds on a monotonic clock.
  ///   - area: where it is said; nil where unknown.
  ///   - speaker: who spoke.
  mutating func answer(
    _ text: String, at time: Double, in area: String? = nil, by speaker: TurnSpeaker = .undetermined
  ) -> Answer {
    dialogue.area = area
    let action = dialogue.process(text, at: time, by: speaker)
    let interpretation = action.interpretation
    switch action {
    case .handle: return .carryOut(interpretation)
    case .ask, .refuse: return .send([Self.text("handled", interpretation.prompt)])
    case .end(_, .cancelled): return .send([Self.text("handled", interpretation.reply)])
    case .end(_, .notUnderstood): return .send([Self.text("not-recognized", interpretation.reply)])
    case .end(_, .gaveUp), .end(_, .refused):
      return .send([Self.text("not-handled", interpretation.reply)])
    }
  }

  /// The events for an intent: what a handler replied, or the intent itself where no handler took it.
  mutating func finished(_ interpretation: Interpretation, reply: String?) -> [WyomingEvent] {
    dialogue.handled(succeeded: true)
    return reply.map { [Self.text("handled", $0)] } ?? Self.intents(interpretation, near: preferredArea)
  }

  /// The events for an intent that a handler failed to carry out.
  mutating func failed() -> [WyomingEvent] {
    dialogue.handled(succeeded: false)
    return [Self.text("not-handled", dialogue.failureReply)]
  }

  /// The intent; several where a slot has several values, one for each.
  private static func intents(_ interpretation: Interpretation, near area: String?) -> [WyomingEvent] {
    let name = interpretation.intent?.name ?? ""
    var variants: [[JSON]] = [[]]
    for slot in interpretation.slots {
      let values = slot.value.array ?? [slot.value]
      variants = variants.flatMap { entities in
        values.map { entities + [["name": .string(slot.name), "value": $0]] }
      }
    }
    if let area {
      let preferred: JSON = ["name": "preferred_area_id", "value": .string(area)]
      variants = variants.map { $0 + [preferred] }
    }
    let events = variants.enumerated().map { index, entities in
      let reply = index == variants.count - 1 ? interpretation.reply ?? interpretation.clientReply : nil
      return WyomingEvent(
        "intent",
        [
          JSON.Member("name", .string(name)), JSON.Member("entities", .array(entities)),
          JSON.Member("text", reply.map { .string($0) } ?? .null),
        ])
    }
    return events.count == 1
      ? events : [WyomingEvent("intents-start")] + events + [WyomingEvent("intents-stop")]
  }

  private static func text(_ type: String, _ text: String?) -> WyomingEvent {
    WyomingEvent(type, [JSON.Member("text", text.map { .string($0) } ?? .null)])
  }
}
