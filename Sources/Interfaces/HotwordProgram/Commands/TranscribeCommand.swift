import CommandLineParsing
import Dialogue
import Platform
import Recognition
import Service

/// `hotword transcribe`: prints one line per input.
enum TranscribeCommand: Command {
  static let definition = CommandDefinition(
    "transcribe", "turn speech into text",
    operands: .atLeast(1, "INPUT"),
    options: [SharedOptions.recognizers, SharedOptions.intents],
    notes: [SharedOptions.recognizerNote, SharedOptions.inputsNote],
    examples: [
      "hotword transcribe order.wav", "hotword transcribe --intents home.yaml order.wav",
      "hotword transcribe --recognizer 'command:whisper-cli -f -' order.wav",
    ])

  static func run(_ arguments: Arguments) throws {
    let sentences = KnownSentences(try PlugIns.intents(arguments.value("--intents")).withAnswers())
    let recognizer = try PlugIns.recognizer(arguments.all("--recognizer"), of: sentences) {
      Log.warning("\($0.message); using the next recognizer")
    }
    try AudioInput.each(arguments.operands) { input in
      let session = try recognizer.start(RecognitionRequest(partialResults: false))
      _ = try AudioInput.forEachFrame(of: input) { try session.append(Array($0)) }
      let transcript = try session.finish()
      Output.line(.object([JSON.Member("file", .string(input))] + (transcript.json.members ?? [])))
    }
  }
}
