import Networking

/// What the JSON interface can do to teach a phrase and to improve a model; `openapi.json` describes each.
enum TeachOperation: RoutedOperation, Sendable {
  case work
  case cancelWork
  case pronounce
  case say
  case listPhrases
  case addPhrase
  case phrase
  case deletePhrase
  case addTake
  case recordTake
  case takeAudio
  case deleteTake
  case train
  case enroll
  case listModels
  case model
  case improve
  case useModel
  case discardModel
  case restoreModel
  case removeModel
  case score
  case listen

  var route: (method: String, path: String) {
    switch self {
    case .work: ("GET", "/api/work")
    case .cancelWork: ("DELETE", "/api/work")
    case .pronounce: ("POST", "/api/pronounce")
    case .say: ("POST", "/api/say")
    case .listPhrases: ("GET", "/api/phrases")
    case .addPhrase: ("POST", "/api/phrases")
    case .phrase: ("GET", "/api/phrases/{}")
    case .deletePhrase: ("DELETE", "/api/phrases/{}")
    case .addTake: ("POST", "/api/phrases/{}/takes")
    case .recordTake: ("POST", "/api/phrases/{}/record")
    case .takeAudio: ("GET", "/api/takes/{}/audio")
    case .deleteTake: ("DELETE", "/api/takes/{}")
    case .train: ("POST", "/api/phrases/{}/train")
    case .enroll: ("POST", "/api/phrases/{}/enroll")
    case .listModels: ("GET", "/api/models")
    case .model: ("GET", "/api/models/{}")
    case .improve: ("POST", "/api/models/{}/improve")
    case .useModel: ("POST", "/api/models/{}/use")
    case .discardModel: ("DELETE", "/api/models/{}/candidate")
    case .restoreModel: ("POST", "/api/models/{}/restore")
    case .removeModel: ("DELETE", "/api/models/{}/installed")
    case .score: ("POST", "/api/models/{}/score")
    case .listen: ("POST", "/api/models/{}/listen")
    }
  }

  /// Bytes of the body; a recording may be larger.
  var bodyLimit: Int {
    switch self {
    case .addTake, .score: TeachOperations.audioLimit
    default: HTTPListener.Limits().bodyBytes
    }
  }
}
