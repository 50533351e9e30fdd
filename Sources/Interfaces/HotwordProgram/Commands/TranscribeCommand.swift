import AudioCapture
import CommandLineParsing
import Dialogue
import Platform
import Recognition
import Service

/// `hotword transcribe`: one line per input.
enum TranscribeCommand {
  static func run(_ arguments: Arguments) throws {
    let intents = try PlugIns.intents(arguments.value("--intents")).withAnswers()
    let recognizer = try PlugIns.recognizer(arguments.all("--recognizer"), intents: intents) {
      Log.warning("\($0.message); the next recognizer goes on")
    }
    for input in arguments.operands {
      let session = try recognizer.start(RecognitionRequest(partialResults: false))
      _ = try Listening.forEachFrame(of: input) { try session.append(Array($0)) }
      let transcript = try session.finish()
      Output.line(.object([JSON.Member("file", .string(input))] + (transcript.json.members ?? [])))
    }
  }
}
