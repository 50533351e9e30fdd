import CommandLine
import Detection
import Platform
import Training

/// `hotword-train personalize --model M OUTPUT CLIP…`: a person's model, for `hotword enroll`.
enum PersonalizeCommand {
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
