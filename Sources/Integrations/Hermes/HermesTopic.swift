/// The topics of the Hermes protocol that a voice service hears, by their names.
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

  /// Where a site's audio comes, a WAV a message.
  static func audioFrame(_ site: String) -> String { "hermes/audioServer/\(site)/audioFrame" }

  /// What is told that somebody went wrong, by what it concerns: `hotword`, `asr`, `dialogueManager`.
  static func error(_ part: String) -> String { "hermes/error/\(part)" }
}
