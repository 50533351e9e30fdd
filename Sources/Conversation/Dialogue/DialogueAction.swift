import Understanding

/// What the owner of a ``DialogueStateMachine`` does about what was said.
public enum DialogueAction: Sendable, Equatable {
  /// Carry it out; `handled` tells the cycle how that went.
  case handle(Interpretation)
  /// Ask its `prompt` and listen again.
  case ask(Interpretation)
  /// The voice may not: ask its `prompt`, which says so and asks once more, and listen again; `reason` is for the log.
  case refuse(Interpretation, reason: String)
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
    case .handle(let interpretation), .ask(let interpretation), .refuse(let interpretation, _),
      .end(let interpretation, _):
      interpretation
    }
  }
}
