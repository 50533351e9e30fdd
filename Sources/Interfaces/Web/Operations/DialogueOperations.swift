import Configuration
import Platform
import Service
import Synchronization

/// Conversations on the page, as `hotword understand --dialogue` has them: questions, answers, corrections and confirmations. Nothing is carried out.
final class DialogueOperations: Sendable {
  /// Conversations that are remembered; the one that was used least recently is forgotten.
  static let limit = 16

  private struct Conversation: Sendable {
    var dialogue: TypedDialogue
    let source: IntentsSource
    var lastTurn: Double
  }

  private let conversations = Mutex<[String: Conversation]>([:])

  /// The next turn of the conversation that the body names; an unknown one begins with it.
  func answer(_ body: JSONBody, _ settings: ServiceSettings) throws(WebFault) -> JSON {
    let name = try body.text("conversation", limit: 64)
    let text = try body.text("text", limit: SentenceOperations.longest)
    let source = IntentsSource(settings)
    var dialogue = try dialogue(of: name, source, settings)
    let answer = dialogue.answer(text)
    let next = Conversation(dialogue: dialogue, source: source, lastTurn: MonotonicClock.now())
    conversations.withLock { conversations in
      conversations[name] = next
      guard conversations.count > Self.limit else { return }
      let oldest = conversations.min { $0.value.lastTurn < $1.value.lastTurn }
      if let oldest { conversations[oldest.key] = nil }
    }
    return answer
  }

  /// The dialogue of a conversation; a new one if it is unknown or the intents have changed.
  private func dialogue(
    of name: String, _ source: IntentsSource, _ settings: ServiceSettings
  ) throws(WebFault) -> TypedDialogue {
    let known = conversations.withLock { $0[name] }
    if let known, known.source == source { return known.dialogue }
    return try .onPage(settings)
  }
}
