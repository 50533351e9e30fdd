import YAMLFormat

/// What an intent requires before it is handled, and the contexts that it opens and closes.
package struct IntentRequirements: Sendable {
  /// The confirmation prompts: the first whose slots all have values is used; empty for no confirmation.
  package var confirmations: [ReplyTemplate] = []
  package var speaker = SpeakerRequirement.anyone
  /// The reply to a speaker who is not allowed; nil for the standard reply.
  package var refusal: ReplyTemplate?
  /// The contexts that the intent opens when it is handled.
  package var sets: [ContextGrant] = []
  /// The contexts that the intent closes when it is handled.
  package var ends: [String] = []
  /// The contexts that must be open.
  package var requires: [String] = []
  /// The context whose intent is handled again, with the slots of this intent changed.
  package var repeats: String?
  /// Whether the intent is used when no other matches.
  package var isFallback = false

  package init() {}

  /// Whether `speaker` may request the intent or answer a question about it.
  ///
  /// A speaker who is not identified may answer all questions but the last: the confirmation.
  package func allows(_ speaker: TurnSpeaker, isConfirmed: Bool) -> Bool {
    let isLast = isConfirmed || confirmations.isEmpty
    return self.speaker.allows(speaker) || (speaker == .undetermined && !isLast)
  }

  /// All contexts that must be open for its sentences to match.
  package var requiredContexts: [String] { requires + (repeats.map { [$0] } ?? []) }
}

/// The speakers who may request an intent.
package enum SpeakerRequirement: Sendable, Equatable {
  case anyone
  /// Any enrolled speaker.
  case enrolled
  case names([String])

  package func allows(_ speaker: TurnSpeaker) -> Bool {
    switch (self, speaker) {
    case (.anyone, _), (.enrolled, .enrolled): true
    case (.names(let names), .enrolled(let name)): names.contains(name)
    case (.enrolled, _), (.names, _): false
    }
  }
}

/// A context that an intent opens.
package struct ContextGrant: Sendable, Equatable {
  /// The lifespan of a context that does not set it, in turns.
  package static let standardLifespan = 5

  package let name: String
  /// The number of turns after this one during which the context stays open.
  package let lifespan: Int

  package init(name: String, lifespan: Int = standardLifespan) {
    self.name = name
    self.lifespan = lifespan
  }
}

/// Who spoke a turn of a dialogue, as far as speaker identification can say.
public enum TurnSpeaker: Sendable, Equatable {
  /// The enrolled speaker with this name.
  case enrolled(String)
  /// None of the enrolled speakers.
  case notEnrolled
  /// Not determined: speakers are identified by the hotword, and this turn had none.
  case undetermined
}

extension TurnSpeaker: CustomStringConvertible {
  /// The end of a sentence that begins with "the speaker is".
  public var description: String {
    switch self {
    case .enrolled(let name): name
    case .notEnrolled: "not enrolled"
    case .undetermined: "not identified (no hotword in this turn)"
    }
  }
}

/// The rule of one slot of an intent, under `slots:`.
package struct SlotRule: Sendable {
  package let name: String
  /// The list or built-in entity of its values; nil where the sentences determine it.
  package var list: String?
  /// Whether the slot accepts several values; its value is then an array.
  package var isMany = false
  package var isRequired = false
  /// Slots any of which make this one optional.
  package var unless: [String] = []
  /// The prompts for the value: for the first question, the second, …
  package var prompts: [ReplyTemplate] = []
  /// The prompt where the words match several values; `{choices}` is replaced by them.
  package var choices: ReplyTemplate?
  /// The smallest and the largest accepted number.
  package var from: Double?
  package var to: Double?
  /// The slot whose value must be different.
  package var unlike: String?
  /// The reply to a value that is not accepted.
  package var unsupported: ReplyTemplate?
  /// The slot to which the values of this one are added.
  package var adds: String?
  /// The slot from which the values of this one are removed.
  package var removes: String?
  /// More sentences that answer a question for the slot, with `{list:slot}` for the value.
  package var answers: [Rule] = []
  package let position: SourcePosition

  package init(name: String, position: SourcePosition) {
    self.name = name
    self.position = position
  }

  /// Whether the dialogue may ask a question about the slot.
  package var isAsked: Bool { isRequired || choices != nil || from != nil || to != nil || unlike != nil }
}
