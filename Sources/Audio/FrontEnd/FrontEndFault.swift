import Platform

/// Errors of the front end: invalid settings, and settings that the library rejects.
public enum FrontEndFault: Fault, Equatable {
  /// The settings are not a JSON object.
  case notAnObject
  /// The member `setting` is missing.
  case missing(setting: String)
  /// `setting` is unknown or a duplicate.
  case unknown(setting: String)
  /// `setting` has the value `value` instead of `expected`.
  case invalid(setting: String, value: String, expected: String)
  /// WebRTC rejected the settings with its error `code`.
  case refused(code: Int32)

  public var exitCode: ExitCode {
    switch self {
    case .notAnObject, .missing, .unknown, .invalid: .badData
    case .refused: .unavailable
    }
  }

  public var message: String {
    switch self {
    case .notAnObject: "front-end settings: not an object"
    case .missing(let setting): "front-end settings: \(setting) is missing"
    case .unknown(let setting): "front-end settings: \(setting) is unknown or a duplicate"
    case .invalid(let setting, let value, let expected):
      "front-end settings: \(setting) is \(value), expected \(expected)"
    case .refused(let code): "audio processing cannot start: WebRTC error \(code)"
    }
  }
}
