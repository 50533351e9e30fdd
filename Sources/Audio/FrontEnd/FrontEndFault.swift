import Platform

/// Faults of the front end: settings that make no sense, and a library that refuses them.
public enum FrontEndFault: Fault, Equatable {
  /// The settings are no JSON object.
  case notAnObject
  /// The member `setting` is not there.
  case missing(setting: String)
  /// `setting` is none of ours, or there twice.
  case unknown(setting: String)
  /// `setting` holds `value`; `expected` tells what it may hold.
  case invalid(setting: String, value: String, expected: String)
  /// WebRTC refused the settings with its error `code`.
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
    case .unknown(let setting): "front-end settings: \(setting) is unknown or there twice"
    case .invalid(let setting, let value, let expected):
      "front-end settings: \(setting) is \(value), expected \(expected)"
    case .refused(let code): "audio processing cannot start: WebRTC error \(code)"
    }
  }
}
