import Platform

/// Why speech could not be recognized.
public enum RecognitionFault: Fault, Equatable {
  /// PocketSphinx's library could not be opened; `reason` is the loader's.
  case missingLibrary(reason: String)
  /// The model's folder lacks `path`.
  case missingModel(path: String)
  /// The library refused the model in `folder`.
  case modelRefused(folder: String, reason: String)
  /// There is no file of an encoder at `path`.
  case missingEncoder(path: String)
  /// None of the models' folders has an encoder for the language.
  case noEncoder(language: String)
  /// The file of the encoder that the built-in recognizer hears with is not usable.
  case encoderRefused(reason: String)
  /// The recognizer speaks `available`, not `wanted`.
  case unknownLocale(wanted: String, available: String)
  /// The grammar is no JSGF, or names rules or words that do not exist.
  case badGrammar(reason: String)
  /// No pronunciation is known for these words of the grammar.
  case unpronounceable(words: [String])
  /// A vocabulary's hint for a word is in no form that is known.
  case badHint(word: String, hint: String)
  /// The library failed at `step` while decoding.
  case decoderFailed(step: String, reason: String)
  /// Audio or a finish came after the session's end.
  case sessionOver
  /// Another thread cancelled it.
  case cancelled
  /// The recognizer's command line is empty.
  case emptyCommand
  /// The command ended with a non-zero status; `line` is the last that it said on standard error.
  case commandFailed(command: String, status: Int32, line: String?)
  case commandKilled(command: String, signal: Int32)
  case commandTimedOut(command: String, seconds: Double)
  /// A server could not be reached, or closed the connection.
  case remote(AnyFault)
  /// A server answered that it cannot: `status` of HTTP where it has one, `reason` in the server's words.
  case refused(peer: String, status: Int?, reason: String)
  /// A server answered what is no transcript.
  case noTranscript(peer: String)
  case system(SystemFault)

  public var exitCode: ExitCode {
    switch self {
    case .missingLibrary, .missingModel, .missingEncoder, .noEncoder, .unknownLocale: .unavailable
    case .commandFailed, .commandKilled, .commandTimedOut, .cancelled: .unavailable
    case .refused: .unavailable
    case .modelRefused, .encoderRefused, .noTranscript: .badData
    case .remote(let fault): fault.exitCode
    case .badGrammar, .unpronounceable, .badHint, .emptyCommand: .configuration
    case .decoderFailed, .sessionOver: .bug
    case .system(let fault): fault.exitCode
    }
  }

  public var message: String {
    switch self {
    case .missingLibrary(let reason):
      "PocketSphinx cannot be loaded: \(reason); install it with: apt install libpocketsphinx3"
    case .missingModel(let path):
      "\(path): no such speech model; install it with: apt install pocketsphinx-en-us"
    case .modelRefused(let folder, let reason): "\(folder): not a usable speech model: \(reason)"
    case .missingEncoder(let path): "\(path): no such encoder; it comes with hotword's models"
    case .noEncoder(let language):
      "the built-in recognizer has no encoder for \(language) in the models' folders; name pocketsphinx instead"
    case .encoderRefused(let reason): "the recognizer's encoder is not usable: \(reason)"
    case .unknownLocale(let wanted, let available): "no recognizer for \(wanted), only for \(available)"
    case .badGrammar(let reason): "the recognizer's grammar is not usable: \(reason)"
    case .unpronounceable(let words):
      "no pronunciation is known for \(words.joined(separator: ", ")); write it as it is spoken"
    case .badHint(let word, let hint):
      "'\(hint)' does not tell how '\(word)' is said; write ARPAbet (K AE F EY), /IPA/ or an English spelling"
    case .decoderFailed(let step, let reason): "PocketSphinx failed to \(step): \(reason)"
    case .sessionOver: "a recognition session was used after its end"
    case .cancelled: "the recognition was cancelled"
    case .emptyCommand: "the recognizer's command is empty"
    case .commandFailed(let command, let status, let line):
      "\(command): failed with status \(status)" + (line.map { ": \($0)" } ?? "")
    case .commandKilled(let command, let signal): "\(command): ended by signal \(signal)"
    case .commandTimedOut(let command, let seconds): "\(command): no transcript within \(seconds) s"
    case .remote(let fault): fault.message
    case .refused(let peer, let status, let reason):
      "\(peer): the recognizer refused" + (status.map { " with status \($0)" } ?? "")
        + (reason.isEmpty ? "" : ": \(reason)")
    case .noTranscript(let peer): "\(peer): answered what is no transcript"
    case .system(let fault): fault.message
    }
  }
}
