import Platform

/// What keeps an evaluation from being made.
public enum EvaluationFault: Fault, Equatable {
  case noFolder(String)
  case nothingReadable(String)
  /// The texts of a corpus hold the phrase alone nowhere.
  case phraseNotSaid(folder: String, phrase: String)
  /// Every file given as without the phrase is among its recordings.
  case onlyPositives(String)

  public var exitCode: ExitCode {
    switch self {
    case .noFolder: .noInput
    case .nothingReadable, .phraseNotSaid, .onlyPositives: .badData
    }
  }

  public var message: String {
    switch self {
    case .noFolder(let folder): "\(folder): no such folder"
    case .nothingReadable(let folder): "\(folder): holds no audio file that can be read"
    case .phraseNotSaid(let folder, let phrase):
      "\(folder): in none of its recordings \"\(phrase)\", and nothing else, is said"
    case .onlyPositives(let folder):
      "\(folder): holds only recordings that are also given as --positives; give hours without the phrase"
    }
  }
}
