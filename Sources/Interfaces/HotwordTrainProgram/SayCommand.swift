import AudioCapture
import CommandLineParsing
import Glibc
import Platform
import Training

/// `hotword-train say`: speaks a phrase by a synthetic voice of the training; the page for browsers runs it.
enum SayCommand: Command {
  static let definition = CommandDefinition(
    "say", "write a phrase, spoken by a synthetic voice, to standard output as WAV",
    operands: .exactly(1, "PHRASE"),
    options: [
      .value("--voice", "VOICE", required: true, "the voice, as 'phrase' lists it")
    ] + PhraseOptions.all,
    examples: ["hotword-train say \"hello house\" --voice 'flite slt' > hello.wav"])

  static func run(_ arguments: Arguments) throws {
    let samples = try PhraseDescription.spoken(
      by: arguments.value("--voice")!, PhraseOptions.settings(arguments))
    guard writeAll(AudioFile.wave(samples), to: STDOUT_FILENO) else {
      throw SystemFault.cannotWrite(path: "standard output", code: errno)
    }
  }
}
