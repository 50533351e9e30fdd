import CommandLineParsing
import Platform
import Service

/// `hotword understand`: prints one line per sentence.
enum UnderstandCommand: Command {
  static let definition = CommandDefinition(
    "understand", "turn text into an intent with its slots",
    operands: .atLeast(1, "TEXT"),
    options: [
      SharedOptions.intents,
      SharedOptions.understanding,
      .flag("--dialogue", "treat the sentences as the turns of one conversation"),
      .value("--area", "NAME", "the area of the home in which it is said, for sentences that name none"),
      .value("--speaker", "NAME", "the enrolled voice that speaks them (default: an unknown speaker)"),
    ],
    notes: [
      "Each TEXT is one sentence; quote it. With - sentences are read from standard input, one per line.",
      SharedOptions.understandingNote,
    ],
    examples: [
      "hotword understand \"turn on the kitchen light\"",
      "hotword understand --intents Examples/ride.yaml --dialogue \"book me a ride\" limo \"to the airport\"",
      "hotword understand --intents home.yaml \"set a timer for five minutes\"",
    ])

  static func run(_ arguments: Arguments) throws {
    var dialogue = try TypedDialogue(
      intents: arguments.value("--intents"), understanding: arguments.value("--understanding"),
      area: arguments.value("--area"), speaker: arguments.value("--speaker"))
    let isDialogue = arguments.has("--dialogue")
    func understand(_ text: String) {
      if !isDialogue { dialogue.restart() }
      Output.line(dialogue.process(text) { Log.warning("\($0.message); using the intent file") })
    }
    for operand in arguments.operands {
      guard operand == "-" else {
        understand(operand)
        continue
      }
      while let line = readLine() { understand(line) }
    }
  }
}
