import Platform

/// What can be wrong with a corpus of recordings.
public enum CorpusFault: Fault, Equatable {
  /// A table has no column of this name.
  case missingColumn(String, table: String)
  /// A line is not what it should be; lines count from 1.
  case badLine(path: String, line: Int, expected: String)
  /// A line of `wav.scp` is a command for the shell, which is not run.
  case shellCommand(path: String, line: Int)
  /// A file that the layout needs is not there.
  case missingFile(String)
  /// The tables name recordings, none of which is there; the first of them.
  case noRecordings(folder: String, first: String)
  case system(SystemFault)

  public var exitCode: ExitCode {
    switch self {
    case .missingFile, .noRecordings: .noInput
    case .missingColumn, .badLine, .shellCommand: .badData
    case .system(let fault): fault.exitCode
    }
  }

  public var message: String {
    switch self {
    case .missingColumn(let column, let table): "\(table): has no column '\(column)' in its first line"
    case .badLine(let path, let line, let expected): "\(path), line \(line): expected \(expected)"
    case .shellCommand(let path, let line):
      "\(path), line \(line): is a shell command, which is not run; convert the recordings to files and name those"
    case .missingFile(let path): "\(path): is missing, without which nobody knows what the recordings say"
    case .noRecordings(let folder, let first):
      "\(folder): none of its recordings is there, the first: \(first)"
    case .system(let fault): fault.message
    }
  }
}
