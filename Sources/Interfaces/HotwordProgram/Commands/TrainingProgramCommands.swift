import CommandLineParsing
import Glibc
import Platform
import TrainingCommands

/// A command that `hotword-train` performs, so that the listening process loads nothing that only training needs.
protocol TrainingProgramCommand: Command {}

extension TrainingProgramCommand {
  static func run(_ arguments: Arguments) throws {
    try TrainingProgram.replaceProcess(name, arguments.words)
  }
}

enum TrainCommand: TrainingProgramCommand {
  static let definition = TrainingCommands.train
}

enum TrainEncoderCommand: TrainingProgramCommand {
  static let definition = TrainingCommands.trainEncoder
}

enum EvaluateCommand: TrainingProgramCommand {
  static let definition = TrainingCommands.evaluate
}

/// `hotword-train`, the program next to this one.
enum TrainingProgram {
  /// Replaces this process by `hotword-train COMMAND WORDS…`; returns only by throwing.
  static func replaceProcess(_ command: String, _ words: [String]) throws(SystemFault) {
    var arguments = ([path, command] + words).map { strdup($0) } + [nil]
    execv(path, &arguments)
    let code = errno
    for argument in arguments { free(argument) }
    throw .cannotStart(command: path, code: code)
  }

  /// Runs `hotword-train COMMAND WORDS…` to its end.
  ///
  /// - Returns: its last error message if it failed, else nil.
  static func run(_ command: String, _ words: [String], timeout: Double) throws(SystemFault) -> String? {
    let result = try Subprocess([path, command] + words).run(timeout: timeout, keepsErrors: true)
    if case .exited(0) = result.ending { return nil }
    return result.lastErrorLine ?? "hotword-train \(command) failed"
  }

  static let path = (Executable.folder ?? ".") + "/hotword-train"
}
