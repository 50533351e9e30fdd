import CommandLine
import Understanding

/// `hotword understand`: one line per sentence.
enum UnderstandCommand {
  static func run(_ arguments: Arguments) throws {
    let understander = try Understander(PlugIns.intents(arguments.value("--intents")))
    for operand in arguments.operands {
      guard operand == "-" else {
        Output.line(understander.interpret(operand).json)
        continue
      }
      while let line = readLine() { Output.line(understander.interpret(line).json) }
    }
  }
}
