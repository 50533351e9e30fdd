import CHotword

/// What a caller of the C interface can do wrong without a fault of ours behind it.
enum Mistake: Error {
  case noDetector
  case noModels
  case noName
  case tooMany
  case noSamples
  case negativeCount
  case noSuchHotword
  case badSensitivity
  case badGain
  case noHit

  private var text: StaticString {
    switch self {
    case .noDetector: "not a detector, or destroyed before"
    case .noModels: "models: NULL, or fewer than one"
    case .noName: "models: one of the names is NULL"
    case .tooMany: "as many detectors as there can be, 1024, are in use; destroy some"
    case .noSamples: "samples: NULL"
    case .negativeCount: "count: less than 0"
    case .noSuchHotword: "hotword: not from 1 to the number of hotwords"
    case .badSensitivity: "sensitivity: not a number from 0 to 1"
    case .badGain: "gain: not a number from 0.01 to 100"
    case .noHit: "hit: NULL"
    }
  }

  /// Notes it as the thread's last error.
  @_noAllocation @_noLocks
  func note() {
    registry_set_error(UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self))
  }
}
