import AudioCapture
import Platform

/// What can be wrong with a folder of clips, or with what is asked of it.
public enum ClipFault: Fault, Equatable {
  /// No folder stands at the path.
  case noFolder(String)
  /// What stands there is no folder.
  case notAFolder(String)
  /// No clip's name begins so.
  case noSuchClip(String, folder: String)
  /// Several clips' names begin so.
  case severalClips(String, count: Int)
  /// The label is not one for this kind of clip.
  case wrongLabel(Label, file: String, kind: Clip.Kind)
  /// The command that plays failed.
  case player(String, reason: String)
  /// `text` is not CLIP=LABEL.
  case badLabel(String)
  case system(SystemFault)
  case audio(CaptureFault)

  public var exitCode: ExitCode {
    switch self {
    case .noFolder, .noSuchClip: .noInput
    case .notAFolder: .badData
    case .severalClips, .wrongLabel, .badLabel: .usage
    case .player: .unavailable
    case .system(let fault): fault.exitCode
    case .audio(let fault): fault.exitCode
    }
  }

  public var message: String {
    switch self {
    case .noFolder(let path): "\(path): no such folder; 'hotword run --keep \(path)' fills one"
    case .notAFolder(let path): "\(path): is no folder"
    case .noSuchClip(let name, let folder):
      "\(folder): no clip whose name begins with '\(name)'; 'hotword review --list \(folder)' lists them"
    case .severalClips(let name, let count):
      "\(count) clips have names that begin with '\(name)'; give more of the name"
    case .wrongLabel(let label, let file, let kind):
      "\(file): \(kind == .wake ? "a wake" : "a near miss") cannot be labelled \(label.rawValue); give "
        + Label.allCases.filter { $0.kind == kind }.map(\.rawValue).joined(separator: " or ")
    case .player(let line, let reason): "player '\(line)' failed: \(reason)"
    case .badLabel(let text):
      "'\(text)' labels no clip; give CLIP=LABEL with "
        + Label.allCases.map(\.rawValue).joined(separator: ", ")
    case .system(let fault): fault.message
    case .audio(let fault): fault.message
    }
  }
}
