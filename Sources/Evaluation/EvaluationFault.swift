import Platform

/// What keeps an evaluation from being made.
public enum EvaluationFault: Fault, Equatable {
  case noFolder(String)
  case nothingReadable(String)

  public var exitCode: ExitCode {
    switch self {
    case .noFolder: .noInput
    case .nothingReadable: .badData
    }
  }

  public var message: String {
    switch self {
    case .noFolder(let folder): "\(folder): no such folder"
    case .nothingReadable(let folder): "\(folder): holds no audio file that can be read"
    }
  }
}
