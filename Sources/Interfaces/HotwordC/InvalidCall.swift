import CHotword

/// An invalid argument or call of the C interface.
enum InvalidCall: Error {
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
    case .noDetector: "not a detector, or already destroyed"
    case .noModels: "models: NULL, or fewer than one"
    case .noName: "models: one of the names is NULL"
    case .tooMany: "1024 detectors, the limit, are in use; destroy some"
    case .noSamples: "samples: NULL"
    case .negativeCount: "count: less than 0"
    case .noSuchHotword: "hotword: not from 1 to the number of hotwords"
    case .badSensitivity: "sensitivity: not a number from 0 to 1"
    case .badGain: "gain: not a number from 0.01 to 100"
    case .noHit: "hit: NULL"
    }
  }

  /// Makes it the last error of the calling thread.
  @_noAllocation @_noLocks
  func setLastError() {
    registry_set_error(UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self))
  }
}
