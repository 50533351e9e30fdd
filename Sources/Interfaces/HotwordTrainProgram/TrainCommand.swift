import CommandLineParsing
import Detection
import Glibc
import Platform
import Training

/// `hotword train`: recordings, synthesis or both in; a model, or the next version of one, and its card out.
enum TrainCommand {
  /// An interrupt ends the process at once with 128 + SIGINT: nothing is on disk before the last moment.
  static let interruptedCode: Int32 = 130

  static func run(_ arguments: Arguments, words: [String]) throws {
    if let model = arguments.value("--improve") {
      guard arguments.operands.isEmpty else {
        throw UsageFault.conflict(
          "a PHRASE", "--improve", reason: "the phrase comes from the model", command: "train")
      }
      guard arguments.has("--false-alarms") || arguments.has("--missed") else {
        throw UsageFault.incomplete(
          option: "--improve", others: ["--false-alarms DIR", "--missed DIR"], command: "train")
      }
      return try improve(model, arguments, words)
    }
    for option in ["--false-alarms", "--missed"] where arguments.has(option) {
      throw UsageFault.incomplete(option: option, others: ["--improve M"], command: "train")
    }
    guard let phrase = arguments.operands.first else {
      throw UsageFault.missingOperand("PHRASE or --improve M", command: "train")
    }
    var settings = TrainingSettings(phrase: phrase)
    try read(arguments, into: &settings)
    let spoken = try Trainer.words(of: settings)
    let output = try arguments.value("--output") ?? defaultOutput(spoken)
    let trained = try work(output) { progress in
      try Trainer.train(settings, name: name(of: output), command: commandLine(words), progress: progress)
    } leftOut: {
      $0.leftOut
    } write: {
      try $0.write(to: output)
    }
    if arguments.has("--json") {
      Output.line(trained.report(path: output))
    } else {
      Output.write("\(trained.report.text)\n\(trained.verdict.text)")
    }
  }

  private static func improve(_ model: String, _ arguments: Arguments, _ words: [String]) throws {
    let reference = try ModelReference(model)
    let path = try ModelStore.standard().path(of: reference)
    var settings = ImprovementSettings(try HotwordModel(reading: path), path: path)
    settings.sensitivity = reference.sensitivity ?? .standard
    try read(arguments, into: &settings.training)
    settings.falseAlarms = arguments.all("--false-alarms")
    settings.missed = arguments.all("--missed")
    try Improver.check(settings)
    let output = arguments.value("--output") ?? path
    try Files.checkWritable(ImprovedModel.previousPath(for: output))
    let improved = try work(output) { [settings] progress in
      try Improver.improve(settings, name: name(of: output), command: commandLine(words), progress: progress)
    } leftOut: {
      $0.trained.leftOut
    } write: {
      try $0.write(to: output)
    }
    if arguments.has("--json") {
      Output.line(improved.report(path: output))
    } else {
      Output.write(improved.text)
    }
  }

  private static func read(_ arguments: Arguments, into settings: inout TrainingSettings) throws {
    if arguments.has("--pronunciation") { settings.pronunciations = arguments.all("--pronunciation") }
    if let language = arguments.value("--language") { settings.language = language }
    settings.positives = arguments.all("--positives")
    settings.negatives = arguments.all("--negatives")
    settings.noise = arguments.all("--noise")
    settings.synthesis = !arguments.has("--no-synthesis")
    settings.seed = UInt64(try arguments.integer("--seed", in: 0...Int(Int32.max)) ?? 1)
    if let steps = try arguments.integer("--steps", in: 10...100_000) { settings.steps = steps }
  }

  /// Makes something in minutes and writes it to `output` in the end, both files or none.
  private static func work<Made>(
    _ output: String, make: (@escaping (TrainingProgress) -> Void) throws -> Made,
    leftOut: (Made) -> [String], write: (Made) throws -> Void
  ) throws -> Made {
    try Files.checkWritable(output)
    try Files.checkWritable(TrainedModel.cardPath(for: output))
    signal(SIGINT, interrupted)
    signal(SIGTERM, interrupted)
    let display = ProgressDisplay()
    let began = MonotonicClock.now()
    let made: Made
    do {
      made = try make(display.show)
      display.end()
    } catch {
      display.end()
      throw error
    }
    let flaws = leftOut(made)
    for flaw in flaws.prefix(20) { Log.warning("left out: \(flaw)") }
    if flaws.count > 20 { Log.warning("left out: \(flaws.count - 20) more, see the card") }
    // From here to the end it is a matter of milliseconds.
    signal(SIGINT, SIG_IGN)
    signal(SIGTERM, SIG_IGN)
    try write(made)
    var usage = rusage()
    getrusage(RUSAGE_SELF.rawValue, &usage)
    let wall = Int(MonotonicClock.now() - began)
    let processor = Int(MonotonicClock.processorTime())
    Log.note("\(output): made in \(wall) s, \(processor) s of CPU, \(usage.ru_maxrss / 1024) MiB at most")
    return made
  }

  private static func defaultOutput(_ words: [String]) throws -> String {
    if !Files.isDirectory("Models"), mkdir("Models", 0o755) != 0 {
      throw SystemFault.cannotWrite(path: "Models", code: errno)
    }
    return "Models/\(words.joined(separator: "_")).safetensors"
  }

  /// The file's name without its folder and ending.
  private static func name(of path: String) -> String {
    let file = path.split(separator: "/").last.map(String.init) ?? path
    return file.hasSuffix(".safetensors") ? String(file.dropLast(12)) : file
  }

  /// The command as a shell takes it.
  private static func commandLine(_ words: [String]) -> String {
    let quoted = words.map { word in
      let isPlain = !word.isEmpty && word.allSatisfy { $0.isLetter || $0.isNumber || "-_./=:".contains($0) }
      return isPlain
        ? word
        : "'"
          + word.split(separator: "'", omittingEmptySubsequences: false)
          .joined(separator: "'\\''") + "'"
    }
    return "hotword train " + quoted.joined(separator: " ")
  }
}

private func interrupted(_ signal: Int32) {
  let text: StaticString = "\nhotword: interrupted; nothing was written\n"
  _ = write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
  _exit(TrainCommand.interruptedCode)
}
