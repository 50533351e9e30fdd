import CommandLineParsing
import Dialogue
import Platform
import RemoteServices
import Service
import Understanding

/// `hotword understand`: one line per sentence.
enum UnderstandCommand {
  static func run(_ arguments: Arguments) throws {
    let intents = try PlugIns.intents(arguments.value("--intents"))
    let fresh = try DialogueStateMachine(Understander(intents))
    let service = try arguments.value("--understanding").map {
      try PlugIns.understanding($0, language: intents.language)
    }
    let voice = arguments.value("--speaker").map { TurnSpeaker.enrolled($0) } ?? .notEnrolled
    let isDialogue = arguments.has("--dialogue")
    var dialogue = RemoteDialogue(fresh, service: service)
    func hear(_ text: String) {
      if !isDialogue { dialogue.restart(with: fresh) }
      let action = dialogue.process(text, at: MonotonicClock.now(), by: voice) {
        Log.warning("\($0.message); the intent file answers")
      }
      Output.line(action.interpretation.json)
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
