import CommandLine
import Platform
import Understanding

/// `hotword understand`: one line per sentence.
enum UnderstandCommand {
  static func run(_ arguments: Arguments) throws {
    let fresh = try DialogueCycle(Understander(PlugIns.intents(arguments.value("--intents"))))
    let speaker = arguments.value("--speaker")
    let isDialogue = arguments.has("--dialogue")
    var dialogue = fresh
    func hear(_ text: String) {
      if !isDialogue { dialogue = fresh }
      Output.line(dialogue.hear(text, at: MonotonicClock.now(), by: speaker).interpretation.json)
    }
    for operand in arguments.operands {
      guard operand == "-" else {
        hear(operand)
        continue
      }
      while let line = readLine() { hear(line) }
    }
  }
}
