import CommandLineParsing
import Corpora
import Detection
import Glibc
import Platform
import Synchronization
import Training
import TrainingCommands

/// `hotword train`: makes a model, or the next version of one, and its card from recordings, synthesis or both.
enum TrainCommand: Command {
  static let definition = TrainingCommands.train

  static func run(_ arguments: Arguments) throws {
    let progress = arguments.value("--progress") ?? "text"
    guard let form = ProgressDisplay.Form(rawValue: progress) else {
      throw UsageFault.badValue(
        option: "--progress", text: progress, expected: "text or json", command: name)
    }
    let display = ProgressDisplay(form)
    // Before espeak-ng starts a thread, which would end the process at a signal.
    let signals = SignalWatcher()
    if let model = arguments.value("--improve") {
      guard arguments.operands.isEmpty else {
        throw UsageFault.conflict(
          "a PHRASE", "--improve", reason: "the phrase comes from the model", command: name)
      }
      guard arguments.has("--false-alarms") || arguments.has("--missed") else {
        throw UsageFault.incomplete(
          option: "--improve", others: ["--false-alarms DIR", "--missed DIR"], command: name)
      }
      guard !arguments.has("--synthesizer") else {
        throw UsageFault.conflict(
          "--synthesizer", "--improve", reason: "it learns from clips alone", command: name)
      }
      guard !arguments.has("--evaluation") else {
        throw UsageFault.conflict(
          "--evaluation", "--improve", reason: "its comparison has several models", command: name)
      }
      return try improve(model, arguments, display, signals)
    }
    for option in ["--false-alarms", "--missed"] where arguments.has(option) {
      throw UsageFault.incomplete(option: option, others: ["--improve M"], command: name)
    }
    guard let phrase = arguments.operands.first else {
      throw UsageFault.missingOperand("PHRASE or --improve M", command: name)
    }
    guard !arguments.has("--synthesizer") || !arguments.has("--no-synthesis") else {
      throw UsageFault.conflict(
        "--synthesizer", "--no-synthesis", reason: "nothing would be synthesized", command: name)
    }
    var settings = TrainingSettings(phrase: phrase)
    try read(arguments, into: &settings)
    let spoken = try Trainer.words(of: settings)
    let output = try arguments.value("--output") ?? defaultOutput(spoken)
    try check(output)
    let evaluation = arguments.value("--evaluation")
    if let evaluation {
      guard arguments.has("--positives") else {
        throw UsageFault.incomplete(option: "--evaluation", others: ["--positives DIR"], command: name)
      }
      guard Files.isDirectory(evaluation) else { throw CorpusFault.noFolder(evaluation) }
      let name = name(of: output)
      let folder = output.lastIndex(of: "/").map { String(output[...$0]) } ?? "."
      guard Files.resolved(folder) != Files.resolved(evaluation) else {
        throw TrainingFault.badEvaluation(evaluation)
      }
      try Files.checkWritable(EvaluationModel.path(of: name, in: evaluation))
    }
    let isNew = !Files.exists(output)
    for guess in try Trainer.guesses(for: settings) {
      Log.note(
        "'\(guess.word)' is not in the dictionary; trained as \(guess.pronunciations.joined(separator: " or "))"
          + ": if it is said otherwise, give --pronunciation")
    }
    for warning in try Trainer.warnings(of: settings) { Log.warning(warning.message) }
    let trained = try work(output, display, signals) { progress in
      try Trainer.train(
        settings, name: name(of: output), command: commandLine(arguments.words), progress: progress)
    } leftOut: {
      $0.leftOut
    } write: {
      try $0.write(to: output)
      guard let evaluation else { return }
      if let model = $0.evaluation {
        try model.write(to: evaluation)
      } else {
        Log.warning(
          "\(evaluation): no evaluation model was written: the recordings have too few sessions to hold one out"
        )
      }
    }
    if arguments.has("--json") {
      Output.line(trained.report(path: output))
    } else {
      Output.write("\(trained.report.text)\n\(trained.verdict.text)\n\(use(of: output, isNew: isNew))")
    }
  }

  /// Models are found by files with this suffix.
  private static func check(_ output: String) throws(TrainingFault) {
    guard output.hasSuffix(ModelStore.suffix) else { throw .badOutput(output) }
    let name = name(of: output)
    guard HotwordModel.isName(name) else { throw .badName(name) }
  }

  /// Tells how to use a model that was made, and where the previous one is.
  private static func use(of output: String, isNew: Bool) -> String {
    let name = name(of: output)
    let isFound = (try? ModelStore.standard().path(of: ModelReference(name))) == output
    let lines =
      (isNew ? [] : ["The previous version is now \(TrainedModel.previousPath(for: output))."])
      + ["Use it with: hotword run --model \(quoted(isFound ? name : output))"]
    return lines.joined(separator: "\n") + "\n"
  }

  private static func improve(
    _ model: String, _ arguments: Arguments, _ display: ProgressDisplay, _ signals: SignalWatcher
  ) throws {
    let reference = try ModelReference(model)
    let path = try ModelStore.standard().path(of: reference)
    var settings = ImprovementSettings(try HotwordModel(reading: path), path: path)
    settings.sensitivity = reference.sensitivity ?? .standard
    try read(arguments, into: &settings.training)
    settings.falseAlarms = arguments.all("--false-alarms")
    settings.missed = arguments.all("--missed")
    try Improver.check(settings)
    let output = arguments.value("--output") ?? path
    try check(output)
    try Files.checkWritable(TrainedModel.previousPath(for: output))
    let improved = try work(output, display, signals) { [settings] progress in
      try Improver.improve(
        settings, name: name(of: output), command: commandLine(arguments.words), progress: progress)
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
    settings.synthesizer = arguments.value("--synthesizer")
    settings.seed = UInt64(try arguments.integer("--seed", in: 0...Int(Int32.max)) ?? 1)
    if let steps = try arguments.integer("--steps", in: 10...100_000) { settings.steps = steps }
  }

  /// Makes a model and writes it to `output` with its card: both files or none.
  ///
  /// An interruption before the files are written ends the process at once.
  private static func work<Made>(
    _ output: String, _ display: ProgressDisplay, _ signals: SignalWatcher,
    make: (@escaping (TrainingProgress) -> Void) throws -> Made,
    leftOut: (Made) -> [String], write: (Made) throws -> Void
  ) throws -> Made {
    try Files.checkWritable(output)
    try Files.checkWritable(TrainedModel.cardPath(for: output))
    let isWriting = SharedFlag()
    try signals.start { signal in
      if isWriting.isSet { return }
      SynthesizerCommand.interrupt()
      ProgressDisplay.clearLine()
      Log.note("interrupted; nothing was written")
      _exit(128 + signal)
    }
    let began = MonotonicClock.now()
    let made: Made
    do {
      made = try make(display.show)
      display.end()
    } catch TrainingFault.interrupted {
      // The thread that received the signal ends the process.
      while true { pause() }
    } catch {
      display.end()
      throw error
    }
    let flaws = leftOut(made)
    for flaw in flaws.prefix(20) { Log.warning("left out: \(flaw)") }
    if flaws.count > 20 { Log.warning("left out: \(flaws.count - 20) more, see the card") }
    isWriting.set()
    try write(made)
    var usage = rusage()
    getrusage(RUSAGE_SELF.rawValue, &usage)
    let wall = Int(MonotonicClock.now() - began)
    let processor = Int(MonotonicClock.processorTime())
    Log.note(
      "\(output): made in \(wall) s, with \(processor) s of CPU time and at most \(usage.ru_maxrss / 1024) MiB of memory"
    )
    return made
  }

  /// The path in `./Models`, if there is such a folder, else among the user's own models: where models are searched by name.
  private static func defaultOutput(_ words: [String]) throws -> String {
    let folder = Files.isDirectory("Models") ? "./Models" : ModelStore.userFolder()
    try Files.createFolder(folder)
    return "\(folder)/\(words.joined(separator: "_"))\(ModelStore.suffix)"
  }

  /// The file's name without its folder and suffix.
  private static func name(of path: String) -> String {
    let file = path.split(separator: "/").last.map(String.init) ?? path
    return file.hasSuffix(".safetensors") ? String(file.dropLast(12)) : file
  }

  /// The command for the card, without the option that changes nothing in the model.
  private static func commandLine(_ words: [String]) -> String {
    var words = words
    if let index = words.firstIndex(of: "--evaluation") {
      words.removeSubrange(index...min(index + 1, words.count - 1))
    }
    words.removeAll { $0.hasPrefix("--evaluation=") }
    return "hotword train " + words.map(quoted).joined(separator: " ")
  }

  /// A word with quotes for a shell, where it needs them.
  private static func quoted(_ word: String) -> String {
    let isPlain = !word.isEmpty && word.allSatisfy { $0.isLetter || $0.isNumber || "-_./=:".contains($0) }
    if isPlain { return word }
    return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}

/// A flag between threads.
private final class SharedFlag: Sendable {
  private let value = Atomic<Bool>(false)

  var isSet: Bool { value.load(ordering: .sequentiallyConsistent) }
  func set() { value.store(true, ordering: .sequentiallyConsistent) }
}
