import Glibc
import Platform
import TestServers
import Testing

/// The built program, run as a user runs it.
struct Program {
  /// The package's folder.
  static let root = String(#filePath.dropLast("/Tests/ProgramTests/Program.swift".count))
  static let path = "\(root)/.build/release/hotword"
  /// A synthetic voice (flite's slt) saying "computer, turn on the kitchen light".
  static let recording = "\(root)/Examples/turn-on-the-kitchen-light.wav"

  struct Outcome {
    let code: Int32
    let output: String
    let errors: String

    var lines: [String] { output.split(separator: "\n").map(String.init) }
    /// The output's lines as JSON; throws for a line that is not JSON.
    var objects: [JSON] { get throws { try lines.map { try JSON(parsing: Array($0.utf8), what: $0) } } }
    /// The lines on standard error, without the warning to users who may not use real-time scheduling.
    var faults: [String] {
      errors.split(separator: "\n").map(String.init).filter {
        !$0.contains("real-time scheduling is not allowed here")
      }
    }
    /// The line on standard error; nil unless it is exactly one.
    var onlyError: String? {
      let lines = errors.split(separator: "\n")
      return lines.count == 1 ? String(lines[0]) : nil
    }
  }

  /// What a shell does before it runs programs: in the package's folder they use the system's audio devices, and not
  /// those that other tests of this process have set up for themselves (`SoundDevices`).
  static let setup = "cd \(quoted(root)); unset ALSA_CONFIG_PATH"

  /// Runs `hotword WORDS…` in the package's folder.
  static func run(_ words: [String], input: [UInt8] = [], timeout: Double = 240) throws -> Outcome {
    let line = ([path] + words).map(quoted).joined(separator: " ")
    return try shell(line, input: input, timeout: timeout)
  }

  /// Runs a line of shell in the package's folder, with `hotword` on the path.
  static func shell(_ line: String, input: [UInt8] = [], timeout: Double = 240) throws -> Outcome {
    let home = temporaryFolder()
    let errors = home + "/errors"
    let whole = """
      \(setup); PATH=\(quoted(root))/.build/release:$PATH; export HOME=\(home); exec 2>\(errors)
      \(line)
      """
    let result = try Subprocess(shell: whole).run(input: input, timeout: timeout)
    guard case .exited(let code) = result.ending else { throw DidNotExit(line: line, ending: result.ending) }
    return Outcome(
      code: code, output: String(decoding: result.output, as: UTF8.self),
      errors: String(decoding: try Files.read(errors), as: UTF8.self))
  }

  struct DidNotExit: Error {
    let line: String
    let ending: Subprocess.Ending
  }

  static func quoted(_ word: String) -> String {
    "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }

  /// A new empty folder.
  static func temporaryFolder() -> String {
    PythonServer.temporaryFolder("program")
  }

  /// A new file with these bytes.
  static func file(_ name: String, _ bytes: [UInt8]) throws -> String {
    let path = "\(temporaryFolder())/\(name)"
    try Files.write(bytes, to: path)
    return path
  }
}

extension Program {
  /// Whether `make` has built it.
  static let isBuilt = Files.exists(path)
}

extension Trait where Self == ConditionTrait {
  /// The tests of the programs run them as users get them: built in release.
  static var needsProgram: Self {
    .enabled(if: Program.isBuilt, "needs the built program; 'make test' builds it")
  }
}
