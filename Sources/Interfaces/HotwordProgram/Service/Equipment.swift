import Configuration
import Detection
import Platform
import SpeechSynthesis
import Supervision

/// What the settings make: the parts of the service that are replaced as a whole when the settings are read anew.
///
/// One thread at a time may use it; the one that made it hands it over.
final class Equipment: @unchecked Sendable {
  let settings: ServiceSettings
  let spotter: KeywordSpotter
  /// What the spotter was made of.
  let models: [ModelImprint]
  let writer: EventWriter
  let conversation: Conversation
  let performer: Performer
  let keeper: Keeper
  let watch: VoiceWatch?
  let ownVoice: OwnVoice?

  /// Makes and checks all that `settings` name; no thread is started yet.
  init(
    _ settings: ServiceSettings, pacing: Service.Pacing, tally: Tally, pulse: Pulse
  ) throws {
    self.settings = settings
    models = try ModelImprint.of(settings)
    spotter = try Listening.spotter(settings.models, sensitivity: settings.sensitivity)
    let voices = try KnownVoices.load(for: spotter.keywords, onlyVoices: settings.onlyVoices)
    watch = voices.map { VoiceWatch($0, onlyVoices: settings.onlyVoices) }
    performer = try Self.performer(settings)
    conversation = try Conversation(settings, performer: performer, tally: tally, pulse: pulse)
    writer = EventWriter(form: settings.events)
    keeper = Keeper(
      settings.keep, limit: settings.keepLimit, keywords: spotter.keywords,
      clock: pacing == .live ? .wall : .stream(began: .now()), tally: tally)
    ownVoice =
      settings.isHeard && pacing == .live
      ? try OwnVoice(performer.speech.reference, delay: settings.echoDelay) : nil
  }

  /// Starts the threads, which tell `dialogue` of what they find.
  func start(telling dialogue: Dialogue) throws {
    try conversation.start { dialogue.advance($0) }
    performer.speech.report { fault in
      dialogue.advance(.trouble(code: fault.exitCode.rawValue, message: fault.message))
    }
    try keeper.start()
    try watch?.start()
  }

  /// Whether nothing is left to do.
  var isIdle: Bool { conversation.isIdle && performer.speech.isIdle && watch?.isIdle ?? true }

  /// Ends the threads, each after what it has to do; nothing may be asked of it any more.
  func close() {
    conversation.close()
    performer.speech.close()
    keeper.close()
    watch?.close()
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
}
