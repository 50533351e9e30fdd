import Assistant
import AudioCapture
import Clips
import CommandLine

/// `hotword run`: the always-on service, in the foreground.
enum RunCommand {
  static func run(_ arguments: Arguments) throws {
    let settings = try ServiceSettings(arguments)
    let spotter = try Listening.spotter(settings.models, sensitivity: settings.sensitivity)
    let voices = try KnownVoices.load(for: spotter.keywords, onlyVoices: settings.onlyVoices)
    let conversation = try Conversation(settings)
    let input = try InputName(settings.input)
    let interruption = Interruption()
    let source = try input.open(paced: settings.pace)
    let pacing = pacing(of: input, isPaced: settings.pace)
    let keeper = settings.keep.map { folder in
      Keeper(
        ClipWriter(ClipStore(folder: folder), limit: settings.keepLimit), keywords: spotter.keywords,
        clock: pacing == .live ? .wall : .stream(began: .now()))
    }
    let service = Service(
      source: source, pacing: pacing, spotter: spotter, conversation: conversation,
      cycle: AssistantCycle(settings.cycle), writer: EventWriter(form: settings.events),
      interruption: interruption, keeper: keeper,
      watch: voices.map { VoiceWatch($0, onlyVoices: settings.onlyVoices) })
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
