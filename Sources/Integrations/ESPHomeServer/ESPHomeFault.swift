import Platform

/// Faults of a satellite by ESPHome's native API.
public enum ESPHomeFault: Fault, Equatable {
  /// libsodium could not be loaded; `reason` is the system loader's.
  case missingSodium(reason: String)
  /// The file does not contain a key.
  case badKey(file: String)
  /// The file of the satellite's settings is not what this program has written.
  case badMemory(file: String)
  case system(SystemFault)

  public var exitCode: ExitCode {
    switch self {
    case .missingSodium: .unavailable
    case .badKey, .badMemory: .configuration
    case .system(let fault): fault.exitCode
    }
  }

  public var message: String {
    switch self {
    case .missingSodium(let reason):
      "libsodium cannot be loaded: \(reason); install it with: apt install libsodium23, or add --unencrypted"
    case .badKey(let file):
      "\(file): does not contain an encryption key, 32 bytes in base64; remove the file to make a new key"
    case .badMemory(let file):
      "\(file): is not a file of the satellite's settings; remove it to begin with the settings of the configuration"
    case .system(let fault): fault.message
    }
  }
}
