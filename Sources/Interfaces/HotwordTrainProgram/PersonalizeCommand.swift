import CommandLineParsing
import Detection
import Platform
import Training

/// `hotword-train personalize`: makes a person's model; `hotword enroll` runs it.
enum PersonalizeCommand: Command {
  static let definition = CommandDefinition(
    "personalize", "make a person's model from clips", operands: .atLeast(2, "OUTPUT CLIP"),
    options: [.value("--model", "M", required: true, "the model for all speakers")],
    examples: ["hotword-train personalize --model jarvis ann-jarvis.safetensors a.wav b.wav"])

  static func run(_ arguments: Arguments) throws {
    let model = try ModelStore.standard().model(ModelReference(arguments.value("--model")!))
    let output = arguments.operands[0]
    let file = output.split(separator: "/").last ?? ""
    let personal = try PersonalTrainer.train(
      model, name: String(file.dropLast(ModelStore.suffix.count)),
      clips: Array(arguments.operands.dropFirst()),
      threads: 2)
    try personal.write(to: output)
  }
}
