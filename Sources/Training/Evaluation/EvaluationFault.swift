import Platform

/// An error that prevents an evaluation.
public enum EvaluationFault: Fault, Equatable {
  case nothingReadable(String)
  /// No transcript of a corpus is exactly the phrase.
  case phraseNotSaid(folder: String, phrase: String)
  /// The testing part of a corpus has no recording without the phrase.
  case nothingToTest(String)
  /// Every file given as negative is also a recording of the phrase.
  case onlyPositives(String)

  public var exitCode: ExitCode {
    switch self {
    case .nothingReadable, .phraseNotSaid, .nothingToTest, .onlyPositives: .badData
    }
  }

  public var message: String {
    switch self {
    case .nothingReadable(let folder):
      "\(folder): contains no readable audio file; check the path and the file formats"
    case .phraseNotSaid(let folder, let phrase):
      "\(folder): no transcript is exactly \"\(phrase)\" (of the testing part, if there is one); check the phrase or give another corpus"
    case .nothingToTest(let folder):
      "\(folder): its testing part has no recording without the phrase; give other audio as --negatives"
    case .onlyPositives(let folder):
      "\(folder): every file is also given as --positives; give audio without the phrase as --negatives"
    }
  }
}
