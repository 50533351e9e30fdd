import Configuration
import Glibc
import Platform
import Service
import Synchronization

/// The intents that sentences are understood with: equal if neither the settings nor the file have changed.
struct IntentsSource: Equatable {
  private let intents: String?
  private let understanding: String?
  private let seconds: Int
  private let nanoseconds: Int

  init(_ settings: ServiceSettings) {
    intents = settings.intents
    understanding = settings.understanding
    var status = stat()
    if let intents { stat(intents, &status) }
    seconds = status.st_mtim.tv_sec
    nanoseconds = status.st_mtim.tv_nsec
  }
}

extension TypedDialogue {
  /// A dialogue that carries nothing out.
  static func onPage(_ settings: ServiceSettings) throws(WebFault) -> TypedDialogue {
    try WebOperations.run {
      try TypedDialogue(
        intents: settings.intents, understanding: settings.understanding, mayExecute: false)
    }
  }

  /// The result of the next turn, with the reason why a service that understands language was not used.
  mutating func answer(_ text: String) -> JSON {
    var warning = warning
    let result = process(text) { warning = $0.message }
    return .object((result.members ?? []) + [JSON.Member("warning", warning.map { .string($0) } ?? .null)])
  }
}

/// Understands typed sentences with the intents that the service uses.
///
/// The intents are loaded for the first sentence, and again when the file or the settings have changed.
final class SentenceOperations: Sendable {
  /// Characters of a sentence.
  static let longest = 500

  private let loaded = Mutex<(source: IntentsSource, dialogue: TypedDialogue)?>(nil)

  /// What `hotword understand` prints for the body's `text`, and why a service for it was not used.
  func understand(_ body: JSONBody, _ settings: ServiceSettings) throws(WebFault) -> JSON {
    let text = try body.text("text", limit: Self.longest)
    var dialogue = try dialogue(settings)
    return dialogue.answer(text)
  }

  private func dialogue(_ settings: ServiceSettings) throws(WebFault) -> TypedDialogue {
    let source = IntentsSource(settings)
    if let known = loaded.withLock({ $0?.source == source ? $0?.dialogue : nil }) { return known }
    let new = try TypedDialogue.onPage(settings)
    loaded.withLock { $0 = (source, new) }
    return new
  }
}
