import Platform

/// An error in a corpus of recordings.
public enum CorpusFault: Fault, Equatable {
  /// A path that is given as a folder does not exist, or is not one.
  case noFolder(String)
  /// A table lacks a required column.
  case missingColumn(String, table: String)
  /// A line has the wrong format; line numbers start at 1.
  case badLine(path: String, line: Int, expected: String)
  /// A line of `wav.scp` is a shell command. Commands are not run.
  case shellCommand(path: String, line: Int)
  /// A file that the layout requires does not exist.
  case missingFile(String)
  /// The tables list recordings, but none of them exists; `first` is the first one.
  case noRecordings(folder: String, first: String)
  case system(SystemFault)

  public var exitCode: ExitCode {
    switch self {
    case .noFolder, .missingFile, .noRecordings: .noInput
    case .missingColumn, .badLine, .shellCommand: .badData
    case .system(let fault): fault.exitCode
    }
  }

  public var message: String {
    switch self {
    case .noFolder(let folder):
      Files.exists(folder)
        ? "\(folder): is a file; name the folder that it is in"
        : "\(folder): folder not found; check the path"
    case .missingColumn(let column, let table): "\(table): the header has no column '\(column)'; add it"
    case .badLine(let path, let line, let expected): "\(path), line \(line): expected \(expected)"
    case .shellCommand(let path, let line):
      "\(path), line \(line): shell commands are not supported; convert the recordings to files and list the files"
    case .missingFile(let path): "\(path): file not found; it must contain the transcripts of the recordings"
    case .noRecordings(let folder, let first):
      "\(folder): none of the listed recordings exists (first: \(first)); check the paths"
    case .system(let fault): fault.message
    }
  }
}
