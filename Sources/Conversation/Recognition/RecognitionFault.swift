import Platform

/// Why speech was not recognized.
public enum RecognitionFault: Fault, Equatable {
  /// The PocketSphinx library cannot be loaded; `reason` is from the dynamic loader.
  case missingLibrary(reason: String)
  /// The file `path` of the speech model is missing.
  case missingModel(path: String)
  /// The library rejected the model in `folder`.
  case modelRefused(folder: String, reason: String)
  /// The encoder file `path` is missing.
  case missingEncoder(path: String)
  /// No model folder has an encoder for the language.
  case noEncoder(language: String)
  /// An encoder file of the built-in recognizer is invalid.
  case encoderRefused(reason: String)
  /// The recognizer supports the language `available`, not `wanted`.
  case unknownLocale(wanted: String, available: String)
  /// The grammar is not valid JSGF, or refers to undefined rules or words.
  case badGrammar(reason: String)
  /// The sentences have `words` words, with lists counted at each use.
  case grammarTooLarge(words: Int, limit: Int)
  /// The words of the sentences, with lists counted at each use, have more sounds than this.
  case tooManySounds(limit: Int)
  /// These words of the grammar have no pronunciation.
  case unpronounceable(words: [String])
  /// A pronunciation hint in a vocabulary has no known form.
  case badHint(word: String, hint: String)
  /// The library failed at `step` while decoding.
  case decoderFailed(step: String, reason: String)
  /// The session was used after its end.
  case sessionOver
  /// Another thread cancelled the session.
  case cancelled
  /// The recognizer's command line is empty.
  case emptyCommand
  /// The command exited with a non-zero status; `line` is the last line of its standard error.
  case commandFailed(command: String, status: Int32, line: String?)
  case commandKilled(command: String, signal: Int32)
  case commandTimedOut(command: String, seconds: Double)
  /// A server could not be reached, or closed the connection.
  case remote(AnyFault)
  /// A server answered that it cannot: `status` of HTTP where it has one, `reason` in the server's words.
  case refused(peer: String, status: Int?, reason: String)
  /// The answer of a server is not a transcript.
  case noTranscript(peer: String)
  case system(SystemFault)

  public var exitCode: ExitCode {
    switch self {
    case .missingLibrary, .missingModel, .missingEncoder, .noEncoder, .unknownLocale: .unavailable
    case .commandFailed, .commandKilled, .commandTimedOut, .cancelled: .unavailable
    case .refused: .unavailable
    case .modelRefused, .encoderRefused, .noTranscript: .badData
    case .remote(let fault): fault.exitCode
    case .badGrammar, .grammarTooLarge, .tooManySounds, .unpronounceable, .badHint, .emptyCommand:
      .configuration
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
    case .missingEncoder(let path): "\(path): no such encoder; install hotword's models"
    case .noEncoder(let language):
      "the built-in recognizer has no encoder for \(language) in the model folders; use pocketsphinx instead"
    case .encoderRefused(let reason): "an encoder of the built-in recognizer is invalid: \(reason)"
    case .unknownLocale(let wanted, let available):
      "the language of the intent file is '\(wanted)', and this recognizer understands '\(available)' only; use "
        + "--recognizer with wyoming:, vosk:, whisper:, openai: or command:"
    case .badGrammar(let reason): "the grammar of the recognizer is invalid: \(reason)"
    case .grammarTooLarge(let words, let limit):
      "the sentences of the intents have \(words) words, counting a list wherever it is used; pocketsphinx takes up to "
        + "\(limit): shorten the lists, use them in fewer sentences, or use the recognizer builtin"
    case .tooManySounds(let limit):
      "the sentences of the intents have more than \(limit) sounds, counting a list wherever it is used, and builtin takes no more: "
        + "shorten the lists or use them in fewer sentences; of a home, expose fewer entities to Assist"
    case .unpronounceable(let words):
      "no pronunciation for \(words.prefix(10).joined(separator: ", "))\(words.count > 10 ? " and \(words.count - 10) others" : ""); "
        + "write the words as spoken, or add them to 'vocabulary'"
    case .badHint(let word, let hint):
      "'\(hint)' is not a valid pronunciation of '\(word)'; use ARPAbet (K AE F EY), /IPA/ or an English spelling"
    case .decoderFailed(let step, let reason): "PocketSphinx failed to \(step): \(reason)"
    case .sessionOver: "a recognition session was used after its end"
    case .cancelled: "the recognition was cancelled"
    case .emptyCommand: "the command of the recognizer is empty; write command:PROGRAM"
    case .commandFailed(let command, let status, let line):
      "\(command): failed with status \(status)" + (line.map { ": \($0)" } ?? "")
    case .commandKilled(let command, let signal): "\(command): terminated by signal \(signal)"
    case .commandTimedOut(let command, let seconds): "\(command): no transcript within \(seconds) s"
    case .remote(let fault): fault.message
    case .refused(let peer, let status, let reason):
      "\(peer): the server rejected the request" + (status.map { " with status \($0)" } ?? "")
        + (reason.isEmpty ? "" : ": \(reason)")
    case .noTranscript(let peer):
      "\(peer): the answer is not a transcript; check that the address is that of a recognizer"
    case .system(let fault): fault.message
    }
  }
}
