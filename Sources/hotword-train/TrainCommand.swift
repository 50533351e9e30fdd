import CommandLine
import Glibc
import Platform
import Training

/// `hotword train PHRASE`: recordings, synthesis or both in; a model and its card out.
enum TrainCommand {
  /// An interrupt ends the process at once with 128 + SIGINT: nothing is on disk before the last moment.
  static let interruptedCode: Int32 = 130

  static func run(_ arguments: Arguments, words: [String]) throws {
    let phrase = arguments.operands[0]
    var settings = TrainingSettings(phrase: phrase)
    settings.positives = arguments.all("--positives")
    settings.negatives = arguments.all("--negatives")
    settings.noise = arguments.all("--noise")
    settings.synthesis = !arguments.has("--no-synthesis")
    settings.seed = UInt64(try arguments.integer("--seed", in: 0...Int(Int32.max)) ?? 1)
    if let steps = try arguments.integer("--steps", in: 10...100_000) { settings.steps = steps }
    let spoken = try Trainer.words(of: settings)
    let output = try arguments.value("--output") ?? defaultOutput(spoken)
    try Files.checkWritable(output)
    try Files.checkWritable(TrainedModel.cardPath(for: output))
    signal(SIGINT, interrupted)
    signal(SIGTERM, interrupted)
    let display = ProgressDisplay()
    let began = MonotonicClock.now()
    let trained: TrainedModel
    do {
      trained = try Trainer.train(
        settings, name: name(of: output), command: commandLine(words), progress: display.show)
      display.end()
    } catch {
      display.end()
      throw error
    }
    for flaw in trained.leftOut.prefix(20) { Log.warning("left out: \(flaw)") }
    if trained.leftOut.count > 20 {
      Log.warning("left out: \(trained.leftOut.count - 20) more, see the card")
    }
    // From here to the end it is a matter of milliseconds: both files or none.
    signal(SIGINT, SIG_IGN)
    signal(SIGTERM, SIG_IGN)
    try trained.write(to: output)
    var usage = rusage()
    getrusage(RUSAGE_SELF.rawValue, &usage)
    let wall = Int(MonotonicClock.now() - began)
    let processor = Int(MonotonicClock.processorTime())
    Log.note("\(output): made in \(wall) s, \(processor) s of CPU, \(usage.ru_maxrss / 1024) MiB at most")
    if arguments.has("--json") {
      Output.line(trained.report(path: output))
    } else {
      Output.write("\(trained.report.text)\n\(trained.verdict.text)")
    }
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
