import Assistant
import AudioCapture
import Clips
import CommandLine
import Speech

/// `hotword run`: the always-on service, in the foreground.
enum RunCommand {
  static func run(_ arguments: Arguments) throws {
    let settings = try ServiceSettings(arguments)
    // Before anything that starts threads, as espeak-ng does.
    let interruption = Interruption()
    let spotter = try Listening.spotter(settings.models, sensitivity: settings.sensitivity)
    let voices = try KnownVoices.load(for: spotter.keywords, onlyVoices: settings.onlyVoices)
    let performer = try performer(settings)
    let conversation = try Conversation(settings, performer: performer)
    let input = try InputName(settings.input)
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
      watch: voices.map { VoiceWatch($0, onlyVoices: settings.onlyVoices) }, performer: performer,
      ownVoice: settings.isHeard && pacing == .live
        ? try OwnVoice(performer.speech.spoken, delay: settings.echoDelay) : nil)
    try service.run()
  }

  private static func performer(_ settings: ServiceSettings) throws -> Performer {
    var output = SpeechOutput.Settings()
    output.device = settings.player
    output.delay = settings.speakDelay
    output.volume = settings.volume
    guard let name = settings.voice else {
      return Performer(SpeechOutput(nil, output), hasSounds: settings.hasSounds)
    }
    let voice = try PlugIns.voice(
      name, language: PlugIns.intents(settings.intents).language, timeout: settings.handlerTimeout)
    let ear = ReplyEar(try Listening.spotter(settings.models, sensitivity: settings.sensitivity))
    return Performer(SpeechOutput(voice, output) { ear.words(in: $0) }, hasSounds: settings.hasSounds)
  }

  private static func pacing(of input: InputName, isPaced: Bool) -> Service.Pacing {
    switch input {
    case .alsa: .live
    case .file: isPaced ? .live : .file
    case .standardInput: isPaced ? .live : .pipe
    }
  }
}
