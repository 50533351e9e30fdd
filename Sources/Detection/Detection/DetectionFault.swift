import FrontEnd
import Platform

/// Errors of features, networks, models and decisions.
public enum DetectionFault: Fault, Equatable {
  /// The setting `name` is missing or not as `allowed`.
  case badSetting(name: String, allowed: String)
  /// The model file at `path` is rejected because of `defect`.
  case badModel(path: String, defect: ModelDefect)
  /// No model `name` in any of the `folders`; `available` lists the models in them.
  case unknownModel(name: String, available: [String], folders: [String])
  /// No model at all in any of the `folders`.
  case noModels(folders: [String])
  /// A model is named twice.
  case repeatedModel(String)
  /// `text` contains a sensitivity that is not a number in 0...1.
  case badSensitivity(text: String)
  /// A file could not be read or written.
  case system(SystemFault)
  /// The front end that a model requires cannot be created.
  case frontEnd(FrontEndFault)

  public var exitCode: ExitCode {
    switch self {
    case .badSetting, .badModel: .badData
    case .unknownModel, .noModels: .noInput
    case .badSensitivity, .repeatedModel: .usage
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
    case .noModels(let folders): "\(Self.nothing(in: folders)); train one with 'hotword train'"
    case .repeatedModel(let name): "the model \(quoted(name)) is named twice; name it once"
    case .badSensitivity(let text):
      "\(quoted(text)): a sensitivity is a number from 0 to 1, as in computer:0.7"
    case .system(let fault): fault.message
    case .frontEnd(let fault): fault.message
    }
  }

  private static func nothing(in folders: [String]) -> String {
    "there are no models in \(folders.joined(separator: ", "))"
  }

  private static func advice(_ name: String, available: [String], folders: [String]) -> String {
    if available.isEmpty { return "; \(nothing(in: folders))" }
    let listed = "available: \(available.joined(separator: ", "))"
    guard let nearest = Suggestion.nearest(to: name, among: available) else { return "; \(listed)" }
    return "; did you mean \(quoted(nearest))? \(listed)"
  }
}

/// A defect of a model file.
public enum ModelDefect: Error, Sendable, Equatable {
  /// The file ends before the end that its header states.
  case truncated(needed: Int, found: Int)
  /// The header states `bytes`, more than the `limit`.
  case headerTooLarge(bytes: UInt64, limit: Int)
  case headerNotJSON
  /// A name occurs twice in one object of the header.
  case duplicateName
  case missingTensor(String)
  /// A tensor that a network of this shape does not have.
  case unexpectedTensor(String)
  /// The header's entry for a tensor lacks a field or has a value of the wrong type.
  case malformedTensor(String)
  case wrongType(tensor: String, type: String)
  case wrongShape(tensor: String, expected: [Int], found: [Int])
  /// A tensor's offsets are outside the data, or do not match its shape.
  case badOffsets(String)
  /// A tensor's bytes overlap those of another, or leave a gap before them.
  case notContiguous(String)
  case trailingBytes(Int)
  /// A weight is infinite or NaN.
  case notFinite(String)
  case missingMetadata(String)
  /// The metadata entry is not JSON, or not as `allowed`.
  case badMetadata(name: String, allowed: String)
  /// The file has a format version that this program does not support.
  case unknownVersion(String)

  package var message: String {
    switch self {
    case .truncated(let needed, let found): "it is truncated: \(found) of \(needed) bytes"
    case .headerTooLarge(let bytes, let limit):
      "it is not in the safetensors format, or damaged: a header of \(bytes) bytes, where \(limit) are allowed"
    case .headerNotJSON: "its header is not valid JSON"
    case .duplicateName: "a name occurs twice in its header"
    case .missingTensor(let name): "it has no tensor \(quoted(name))"
    case .unexpectedTensor(let name): "tensor \(quoted(name)) does not belong to its network"
    case .malformedTensor(let name): "the header's entry for tensor \(quoted(name)) is malformed"
    case .wrongType(let tensor, let type):
      "tensor \(quoted(tensor)) has type \(quoted(type)) instead of F32 or F16"
    case .wrongShape(let tensor, let expected, let found):
      "tensor \(quoted(tensor)) has shape \(found), its network needs \(expected)"
    case .badOffsets(let name): "the offsets of tensor \(quoted(name)) do not fit its shape or the file"
    case .notContiguous(let name): "tensor \(quoted(name)) overlaps another or leaves a gap"
    case .trailingBytes(let count): "\(count) bytes follow its last tensor"
    case .notFinite(let name): "tensor \(quoted(name)) has a value that is not finite"
    case .missingMetadata(let name): "its metadata has no \(quoted(name))"
    case .badMetadata(let name, let allowed): "its metadata \(quoted(name)) must be \(allowed)"
    case .unknownVersion(let version):
      "its format \(quoted(version)) is not supported; install a newer version of hotword"
    }
  }
}

/// `text` in quotation marks, shortened to one line, without control characters.
private func quoted(_ text: String) -> String {
  let visible = text.unicodeScalars.prefix(80).map {
    $0.properties.generalCategory == .control ? "?" : "\($0)"
  }
  return "\"\(visible.joined())\(text.unicodeScalars.count > 80 ? "…" : "")\""
}
