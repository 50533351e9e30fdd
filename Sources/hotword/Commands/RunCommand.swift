import Assistant
import AudioCapture
import CommandLine

/// `hotword run`: the always-on service, in the foreground.
enum RunCommand {
  static func run(_ arguments: Arguments) throws {
    let settings = try ServiceSettings(arguments)
    let spotter = try Listening.spotter(settings.models, sensitivity: settings.sensitivity)
    let conversation = try Conversation(settings)
    let input = try InputName(settings.input)
    let interruption = Interruption()
    let service = Service(
      source: try input.open(paced: settings.pace), pacing: pacing(of: input, isPaced: settings.pace),
      spotter: spotter, conversation: conversation, cycle: AssistantCycle(settings.cycle),
      writer: EventWriter(form: settings.events), interruption: interruption)
    try service.run()
  }

  private static func pacing(of input: InputName, isPaced: Bool) -> Service.Pacing {
    switch input {
    case .alsa: .live
    case .file: isPaced ? .live : .file
    case .standardInput: isPaced ? .live : .pipe
    }
  }
}
