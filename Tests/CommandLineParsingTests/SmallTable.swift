import CommandLineParsing
import Glibc
import HotwordProgram
import Platform
import TestServers

/// Small command definitions with every kind of option and operand, and the fixtures rendered from them.
enum SmallTable {
  static let commands = [
    CommandDefinition(
      "mix", "mix sounds: all of them", operands: .atLeast(1, "NAME CLIP"),
      options: [
        .value("--model", "M", repeats: true, required: true, "a model's name [or path]"),
        .value("--form", "json|text", "how (default: text)"), .value("--output", "FILE", "where to"),
        .value("--floor", "F", "a floor"),
        .optionalValue("--name", "NAME", default: "default", "a name"), .flag("--fast", "hurry"),
      ],
      notes: ["Prints 'what' is said…", ".5 is a floor, a \\ a backslash."],
      examples: ["hotword mix ann --model x *.wav", ".hidden"]),
    CommandDefinition("look", "look about", operands: .upTo(2, "list|show M"), examples: ["hotword look"]),
    CommandDefinition(
      "keep", "keep things", operands: .upTo(1, "DIR"),
      options: [.value("--into", "DIR", "a folder")], examples: ["hotword keep"]),
  ]

  /// The text of a fixture.
  static func fixture(_ name: String) throws -> String {
    let folder = #filePath.dropLast("SmallTable.swift".count) + "Fixtures"
    return String(decoding: try Files.read("\(folder)/\(name)"), as: UTF8.self)
  }

  /// The output and exit code of a shell line that runs in a folder with `files`.
  static func shell(_ line: String, files: [String: String]) throws -> (code: Int32?, output: String) {
    let folder = PythonServer.temporaryFolder("table")
    defer { _ = try? Subprocess(["/bin/rm", "-r", folder]).run(timeout: 10) }
    for (name, text) in files { try Files.write(Array(text.utf8), to: "\(folder)/\(name)") }
    let result = try Subprocess(shell: "cd \(folder); exec 2>&1; \(line)").run(timeout: 60)
    guard case .exited(let code) = result.ending else { return (nil, "") }
    return (code, String(decoding: result.output, as: UTF8.self))
  }

  static func has(_ program: String) -> Bool {
    (try? shell("command -v \(program)", files: [:]))?.code == 0
  }
}

/// The definition of the command `name` of `hotword`.
func definition(of name: String) -> CommandDefinition {
  CommandList.definitions.first { $0.name == name }!
}
