import Assistant
import Platform

/// One dialogue of a ``HermesDialogueManager``.
struct HermesSession: Sendable {
  /// Why a session ended, as the protocol calls it.
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
      case .refused: self = .intentNotRecognized
      case .cancelled, .interrupted: self = .abortedByUser
      case .failed, .streamEnded: self = .error
      }
    }
  }

  /// What a skill wants once the assistant is idle.
  enum Following: Sendable, Equatable {
    case goOn(prompt: String?)
    case end(text: String?)
  }

  let id: String
  var customData: JSON
  /// The hotword that opened it; nil where a skill did.
  let keyword: String?
  /// What a skill wants said first.
  var prompt: String?
  /// Whether that is all.
  var isNotification = false
  /// Whether nothing more is expected of a skill.
  var isAnswered = true
  var following: Following?
  /// When the patience with skills is over, while one is waited for.
  var deadline: Double?
}
