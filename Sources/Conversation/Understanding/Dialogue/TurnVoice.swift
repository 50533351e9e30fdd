/// Whose voice a turn was spoken by.
public enum TurnVoice: Sendable, Equatable {
  /// The enrolled one of this name.
  case enrolled(String)
  /// None that is enrolled.
  case stranger
  /// It is not known: voices are told by the hotword, and the turn had none.
  case untold
}

extension TurnVoice: CustomStringConvertible {
  public var description: String {
    switch self {
    case .enrolled(let name): name
    case .stranger: "a stranger"
    case .untold: "somebody who did not say the hotword"
    }
  }
}
