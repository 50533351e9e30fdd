import Networking

/// What the JSON interface can do; `openapi.json` describes each.
enum WebOperation: RoutedOperation, Sendable {
  case session
  case signIn
  case live
  case setSensitivity
  case listClips
  case clipAudio
  case labelClip
  case deleteClip
  case listIntents
  case understand
  case state
  case log
  case reload
  case readFile
  case checkFile
  case saveFile
  case transcribe
  case dialogue
  case devices
  case doctor
  case check
  case openAPI

  var route: (method: String, path: String) {
    switch self {
    case .session: ("GET", "/api/session")
    case .signIn: ("POST", "/api/sign-in")
    case .live: ("GET", "/api/live")
    case .setSensitivity: ("POST", "/api/sensitivity")
    case .listClips: ("GET", "/api/clips")
    case .clipAudio: ("GET", "/api/clips/{}/audio")
    case .labelClip: ("PUT", "/api/clips/{}/label")
    case .deleteClip: ("DELETE", "/api/clips/{}")
    case .listIntents: ("GET", "/api/intents")
    case .understand: ("POST", "/api/understand")
    case .state: ("GET", "/api/state")
    case .log: ("GET", "/api/log")
    case .reload: ("POST", "/api/reload")
    case .readFile: ("GET", "/api/files/{}")
    case .checkFile: ("POST", "/api/files/{}/check")
    case .saveFile: ("PUT", "/api/files/{}")
    case .transcribe: ("POST", "/api/transcribe")
    case .dialogue: ("POST", "/api/dialogue")
    case .devices: ("GET", "/api/devices")
    case .doctor: ("POST", "/api/doctor")
    case .check: ("POST", "/api/check")
    case .openAPI: ("GET", "/api/openapi.json")
    }
  }

  /// Bytes of a request's body.
  var bodyLimit: Int {
    switch self {
    case .checkFile, .saveFile: WebServer.bodyLimit
    case .transcribe: SpeechOperations.limit
    default: HTTPListener.Limits().bodyBytes
    }
  }

  /// Whether it is only for pages that ask for a token: a configuration can name commands, and it can name files.
  var needsPageToken: Bool {
    switch self {
    case .readFile, .checkFile, .saveFile: true
    default: false
    }
  }
}
