import CommandLine
import Detection
import Evaluation
import Glibc
import Platform

/// `hotword evaluate`: a model's misses against its false alarms.
enum EvaluateCommand {
  static func run(_ arguments: Arguments) throws {
    let reference = try ModelReference(arguments.value("--model")!)
    let model = try ModelStore.standard().model(reference)
    var settings = EvaluationSettings()
    settings.positives = arguments.all("--positives")
    settings.negatives = arguments.all("--negatives")
    settings.noise = arguments.value("--noise")
    settings.snr = try arguments.number("--snr", in: -20...60) ?? 10
    let folder = arguments.value("--report")
    if let folder, !Files.isDirectory(folder), mkdir(folder, 0o755) != 0 {
      throw SystemFault.cannotWrite(path: folder, code: errno)
    }
    let report = try Evaluator.run(model, settings)
    if let folder { try report.write(to: folder) }
    Output.line(report.json)
    _ = writeAll(Array(report.text.utf8), to: STDERR_FILENO)
  }
}
