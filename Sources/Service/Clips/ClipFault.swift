import AudioCapture
import Platform

/// The faults of a folder of clips and of requests to it.
public enum ClipFault: Fault, Equatable {
  /// There is no folder at the path.
  case noFolder(String)
  /// There is something else than a folder at the path.
  case notAFolder(String)
  /// No clip's name begins with the text.
  case noSuchClip(String, folder: String)
  /// Several clips' names begin with the text.
  case severalClips(String, count: Int)
  /// The label is not one for this kind of clip.
  case wrongLabel(Label, file: String, kind: Clip.Kind)
  /// A voice is set for a clip that is not labelled as the word.
  case notTheWord(file: String)
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
    case .severalClips, .wrongLabel, .notTheWord, .badLabel: .usage
    case .player: .unavailable
    case .system(let fault): fault.exitCode
    case .audio(let fault): fault.exitCode
    }
  }

  public var message: String {
    switch self {
    case .noFolder(let path): "\(path): no such folder; create one with 'hotword run --keep \(path)'"
    case .notAFolder(let path): "\(path): not a folder; name the folder of the clips"
    case .noSuchClip(let name, let folder):
      "\(folder): no clip whose name begins with '\(name)'; 'hotword review --list \(folder)' lists them"
    case .severalClips(let name, let count):
      "\(count) clips have names that begin with '\(name)'; give more of the name"
    case .wrongLabel(let label, let file, let kind):
      "\(file): \(kind == .wake ? "a wake" : "a near miss") cannot be labelled \(label.rawValue); give "
        + Label.allCases.filter { $0.kind == kind }.map(\.rawValue).joined(separator: " or ")
    case .notTheWord(let file):
      "\(file): only a clip with the label wake or missed has a voice; label it first"
    case .player(let line, let reason): "player '\(line)' failed: \(reason)"
    case .badLabel(let text):
      "'\(text)' is not a label of a clip; give CLIP=LABEL with "
        + Label.allCases.map(\.rawValue).joined(separator: ", ")
    case .system(let fault): fault.message
    case .audio(let fault): fault.message
    }
  }
}
