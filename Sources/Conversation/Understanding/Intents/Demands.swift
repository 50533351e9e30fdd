/// What an intent asks for before it is carried out, and what it leaves behind for the next ones.
package struct Demands: Sendable {
  /// What is asked before it is done: the first whose slots are all known; none for no question.
  package var confirmations: [ReplyTemplate] = []
  package var voice = VoiceDemand.anyone
  /// What is answered to a voice that may not; nil for the usual words.
  package var refusal: ReplyTemplate?
  /// The contexts that it opens once it is carried out.
  package var sets: [ContextGrant] = []
  /// The contexts that it closes once it is carried out.
  package var ends: [String] = []
  /// The contexts one of which must be open.
  package var requires: [String] = []
  /// The context whose intent is carried out once more, with the slots of this one changed in it.
  package var repeats: String?
  /// Whether it is meant when nothing else is.
  package var isFallback = false

  package init() {}

  /// Whether `voice` may have it done, or answer a question about it: one that is not told may before the last word.
  package func admits(_ voice: TurnSpeaker, isConfirmed: Bool) -> Bool {
    let isLast = isConfirmed || confirmations.isEmpty
    return self.voice.admits(voice) || (voice == .undetermined && !isLast)
  }

  /// The contexts that must be open for its sentences to count.
  package var needed: [String] { requires + (repeats.map { [$0] } ?? []) }
}

/// Whose voice an intent needs.
package enum VoiceDemand: Sendable, Equatable {
  case anyone
  /// Any enrolled voice.
  case enrolled
  case names([String])

  package func admits(_ voice: TurnSpeaker) -> Bool {
    switch (self, voice) {
    case (.anyone, _), (.enrolled, .enrolled): true
    case (.names(let names), .enrolled(let name)): names.contains(name)
    case (.enrolled, _), (.names, _): false
    }
  }
}

/// A context that an intent opens.
package struct ContextGrant: Sendable, Equatable {
  /// Turns that a context lasts unless told otherwise.
  package static let standardLifespan = 5

  package let name: String
  /// The turns after this one during which it is open.
  package let lifespan: Int

  package init(name: String, lifespan: Int = standardLifespan) {
    self.name = name
    self.lifespan = lifespan
  }
}
