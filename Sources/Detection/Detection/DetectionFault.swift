import FrontEnd
import Platform

/// Faults of features, networks, models and decisions.
public enum DetectionFault: Fault, Equatable {
  /// A setting named `name` lies outside what is `allowed`, or is missing.
  case badSetting(name: String, allowed: String)
  /// The model file at `path` is refused for `defect`.
  case badModel(path: String, defect: ModelDefect)
  /// No model called `name` stands in any of the `folders`; `available` are those that do.
  case unknownModel(name: String, available: [String], folders: [String])
  /// `text` gives a model a sensitivity that is no number in 0...1.
  case badSensitivity(text: String)
  /// A file could not be read or written.
  case system(SystemFault)
  /// The front end that a model asks for cannot be made.
  case frontEnd(FrontEndFault)

  public var exitCode: ExitCode {
    switch self {
    case .badSetting, .badModel: .badData
    case .unknownModel: .noInput
    case .badSensitivity: .usage
    case .system(let fault): fault.exitCode
    case .frontEnd(let fault): fault.exitCode
    }
  }

  public var message: String {
    switch self {
    case .badSetting(let name, let allowed): "setting \(name): must be \(allowed)"
    case .badModel(let path, let defect): "\(path): not a usable model: \(defect.message)"
    case .unknownModel(let name, let available, let folders):
      "no model named \(quoted(name))" + Self.advice(name, available: available, folders: folders)
    case .badSensitivity(let text):
      "\(quoted(text)): a sensitivity is a number from 0 to 1, as in computer:0.7"
    case .system(let fault): fault.message
    case .frontEnd(let fault): fault.message
    }
  }

  private static func advice(_ name: String, available: [String], folders: [String]) -> String {
    if available.isEmpty { return "; no models stand in \(folders.joined(separator: ", "))" }
    let listed = "there are: \(available.joined(separator: ", "))"
    guard let nearest = Suggestion.nearest(to: name, among: available) else { return "; \(listed)" }
    return "; did you mean \(quoted(nearest))? \(listed)"
  }
}

/// What is wrong inside a model file.
public enum ModelDefect: Error, Sendable, Equatable {
  /// The file ends before what its header promises.
  case truncated(needed: Int, found: Int)
  /// The header claims `bytes`, more than the `limit`.
  case headerTooLarge(bytes: UInt64, limit: Int)
  case headerNotJSON
  /// A name occurs twice in one object of the header.
  case duplicateName
  case missingTensor(String)
  /// A tensor that a network of this shape does not have.
  case unexpectedTensor(String)
  /// The header's entry for a tensor lacks a field or gives it a wrong kind of value.
  case malformedTensor(String)
  case wrongType(tensor: String, type: String)
  case wrongShape(tensor: String, expected: [Int], found: [Int])
  /// A tensor's offsets leave the data, or do not fit its shape.
  case badOffsets(String)
  /// A tensor's bytes overlap another's, or leave a hole before it.
  case notContiguous(String)
  case trailingBytes(Int)
  /// A weight is infinite or no number.
  case notFinite(String)
  case missingMetadata(String)
  /// The metadata entry is no JSON, or not what is `allowed` there.
  case badMetadata(name: String, allowed: String)
  /// The file is of a format version that this program does not know.
  case unknownVersion(String)

  package var message: String {
    switch self {
    case .truncated(let needed, let found): "it should hold \(needed) bytes but ends after \(found)"
    case .headerTooLarge(let bytes, let limit):
      "its header claims \(bytes) bytes, more than the \(limit) allowed"
    case .headerNotJSON: "its header is not valid JSON"
    case .duplicateName: "a name occurs twice in its header"
    case .missingTensor(let name): "it has no tensor \(quoted(name))"
    case .unexpectedTensor(let name): "tensor \(quoted(name)) does not belong to its network"
    case .malformedTensor(let name): "the header's entry for tensor \(quoted(name)) is malformed"
    case .wrongType(let tensor, let type): "tensor \(quoted(tensor)) is of type \(quoted(type)), not F32"
    case .wrongShape(let tensor, let expected, let found):
      "tensor \(quoted(tensor)) has shape \(found), its network needs \(expected)"
    case .badOffsets(let name): "the offsets of tensor \(quoted(name)) do not fit its shape or the file"
    case .notContiguous(let name): "tensor \(quoted(name)) overlaps another or leaves a hole"
    case .trailingBytes(let count): "\(count) bytes follow its last tensor"
    case .notFinite(let name): "tensor \(quoted(name)) holds a value that is not finite"
    case .missingMetadata(let name): "its metadata lack \(quoted(name))"
    case .badMetadata(let name, let allowed): "its metadata \(quoted(name)) must be \(allowed)"
    case .unknownVersion(let version): "its format \(quoted(version)) is not known; is this program too old?"
    }
  }
}

/// `text` in quotation marks, cut to a length fit for one line, without control characters.
private func quoted(_ text: String) -> String {
  let visible = text.unicodeScalars.prefix(80).map {
    $0.properties.generalCategory == .control ? "?" : "\($0)"
  }
  return "\"\(visible.joined())\(text.unicodeScalars.count > 80 ? "…" : "")\""
}
