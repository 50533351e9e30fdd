import CommandLineParsing
import Detection
import Platform
import Training

/// `hotword-train personalize --model M OUTPUT CLIP…`: a person's model, for `hotword enroll`.
enum PersonalizeCommand {
  static let command = CommandDefinition(
    "personalize", "make a person's model from clips", operands: .atLeast(2, "OUTPUT CLIP"),
    options: [.value("--model", "M", required: true, "the model for everyone")],
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
