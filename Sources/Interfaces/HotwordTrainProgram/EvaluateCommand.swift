import CommandLineParsing
import Detection
import Evaluation
import Glibc
import Platform
import TrainingCommands

/// `hotword evaluate`: measures a model's miss rate against its false alarms.
enum EvaluateCommand: Command {
  static let definition = TrainingCommands.evaluate

  static func run(_ arguments: Arguments) throws {
    let reference = try ModelReference(arguments.value("--model")!)
    var settings = EvaluationSettings()
    settings.positives = arguments.all("--positives")
    settings.negatives = arguments.all("--negatives")
    settings.noise = arguments.all("--noise")
    if settings.noise.isEmpty, arguments.has("--snr") {
      throw UsageFault.missingOption("--noise", value: "DIR", command: name)
    }
    if arguments.has("--snr") { settings.snrs = try ratios(arguments.all("--snr")) }
    settings.threads = max(1, min(8, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    settings.seed = UInt64(try arguments.integer("--seed", in: 0...Int(Int32.max)) ?? 1)
    let target = EvaluationTarget(missRate: (try arguments.number("--target", in: 0...100) ?? 5) / 100)
    let folder = arguments.value("--report")
    if let folder { try EvaluationReport.checkWritable(folder) }
    let model = try ModelStore.standard().model(reference)
    let display = ProgressDisplay()
    let scores: EvaluationScores
    do {
      scores = try Evaluator.run(model, settings) {
        display.show("scoring", part: $0)
      }
      display.end()
    } catch {
      display.end()
      throw error
    }
    func threshold(_ sensitivity: Sensitivity) -> Double {
      model.curve.threshold(for: sensitivity, calibrated: model.decision.threshold)
    }
    let report = EvaluationReport(
      model: model.name, threshold: threshold(reference.sensitivity ?? .standard), scores: scores)
    let verdict = report.verdict(on: target, of: ModelOrigin(model)) {
      threshold((try? Sensitivity($0)) ?? .standard)
    }
    if let folder, let fault = try report.write(to: folder, verdict: verdict) { Log.warning(fault.message) }
    if arguments.has("--json") {
      Output.line(report.json(with: verdict))
    } else {
      Output.write("\(report.text)\n\(verdict.text)")
    }
  }

  /// The signal-to-noise ratios of repeated options and of lists with commas, each once, the highest first.
  private static func ratios(_ values: [String]) throws(UsageFault) -> [Double] {
    var ratios: Set<Double> = []
    for value in values {
      for text in value.split(separator: ",", omittingEmptySubsequences: false) {
        let trimmed = text.split(separator: " ").joined(separator: " ")
        guard let ratio = Double(trimmed), (-20...60).contains(ratio) else {
          throw .badValue(
            option: "--snr", text: value, expected: "decibels from -20 to 60, separated by commas",
            command: name)
        }
        ratios.insert(ratio)
      }
    }
    return ratios.sorted(by: >)
  }
}
