/// What the owner of a ``DialogueCycle`` does about what was said.
public enum DialogueAction: Sendable, Equatable {
  /// Carry it out; `handled` tells the cycle how that went.
  case handle(Interpretation)
  /// Ask its `prompt` and listen again.
  case ask(Interpretation)
  /// Say its `reply`, where it has one; nothing is carried out.
  case end(Interpretation, Ending)

  /// Why nothing is carried out.
  public enum Ending: Sendable, Equatable {
    case notUnderstood
    /// The user took it back.
    case cancelled
    /// The question was asked as often as it may.
    case gaveUp
    /// The voice may not; `reason` is for the log.
    case refused(reason: String)
  }

  /// The line of `hotword understand`.
  public var interpretation: Interpretation {
    switch self {
    case .handle(let interpretation), .ask(let interpretation), .end(let interpretation, _): interpretation
    }
  }
}
