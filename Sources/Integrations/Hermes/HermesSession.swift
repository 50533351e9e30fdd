import Assistant
import Platform

/// One dialogue of a ``HermesDialogueManager``.
struct HermesSession: Sendable {
  /// The protocol's reasons for the end of a session.
  enum Ending: String, Sendable {
    case nominal
    case abortedByUser
    case intentNotRecognized
    case timeout
    case error

    init(_ reason: AssistantEvent.IdleReason) {
      switch reason {
      case .done, .handedOver: self = .nominal
      case .noSpeech: self = .timeout
      case .notUnderstood, .refused: self = .intentNotRecognized
      case .cancelled, .interrupted: self = .abortedByUser
      case .failed, .streamEnded: self = .error
      }
    }
  }

  /// What a skill has requested for when the assistant is idle.
  enum Following: Sendable, Equatable {
    case resume(prompt: String?)
    case end(text: String?)
  }

  /// The intents that the field `intentFilter` of a message names; nil for all.
  static func filter(in body: JSON?) -> [String]? {
    let names = body?["intentFilter"]?.array?.compactMap(\.string)
    return names?.isEmpty ?? true ? nil : names
  }

  /// What is listened for.
  var goal: Goal { filter.map { .intents($0) } ?? .command }

  let id: String
  var customData: JSON
  /// The hotword that opened the session; nil if a skill did.
  let keyword: String?
  /// The text that a skill wants to be spoken first.
  var prompt: String?
  /// The intents that a skill accepts; nil for all.
  var filter: [String]?
  /// Whether the session ends after the text.
  var isNotification = false
  /// Whether no skill has to answer.
  var isAnswered = true
  var following: Following?
  /// When the timeout for the skill ends, while the session waits for one.
  var deadline: Double?
}
