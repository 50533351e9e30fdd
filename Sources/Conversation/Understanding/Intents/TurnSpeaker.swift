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
