/// The topics of the Hermes protocol that the service subscribes to.
enum HermesTopic: String, CaseIterable {
  case hotwordOn = "hermes/hotword/toggleOn"
  case hotwordOff = "hermes/hotword/toggleOff"
  case getHotwords = "rhasspy/hotword/getHotwords"
  case listeningOn = "hermes/asr/toggleOn"
  case listeningOff = "hermes/asr/toggleOff"
  case startListening = "hermes/asr/startListening"
  case stopListening = "hermes/asr/stopListening"
  case query = "hermes/nlu/query"
  case startSession = "hermes/dialogueManager/startSession"
  case continueSession = "hermes/dialogueManager/continueSession"
  case endSession = "hermes/dialogueManager/endSession"

  /// The topic of a site's audio: one WAV file in each message.
  static func audioFrame(_ site: String) -> String { "hermes/audioServer/\(site)/audioFrame" }

  /// The topic of errors, for the parts `hotword`, `asr` and `dialogueManager`.
  static func error(_ part: String) -> String { "hermes/error/\(part)" }
}
