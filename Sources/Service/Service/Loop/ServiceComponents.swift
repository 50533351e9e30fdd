import Configuration
import Detection
import Platform
import SpeechSynthesis
import Supervision

/// What the settings make: the parts of the service that are replaced as a whole when the settings are read anew.
///
/// One thread at a time may use it; the one that made it hands it over.
final class ServiceComponents: @unchecked Sendable {
  let settings: ServiceSettings
  let spotter: KeywordSpotter
  /// What the spotter was made of.
  let models: [ModelFingerprint]
  let writer: EventWriter
  let conversation: ConversationWorker
  let output: AssistantOutput
  let recorder: ClipRecorder
  let watch: SpeakerIdentifier?
  let echoCanceller: EchoCanceller?

  /// Makes and checks all that `settings` name; no thread is started yet.
  init(
    _ settings: ServiceSettings, pacing: Pacing, metrics: ServiceMetrics, heartbeat: Heartbeat
  ) throws {
    self.settings = settings
    models = try ModelFingerprint.of(settings)
    spotter = try KeywordSpotter(named: settings.models, sensitivity: settings.sensitivity)
    let voices = try KnownVoices.load(for: spotter.keywords, onlyVoices: settings.onlyVoices)
    watch = voices.map { SpeakerIdentifier($0, onlyVoices: settings.onlyVoices) }
    output = try Self.output(settings)
    conversation = try ConversationWorker(settings, output: output, metrics: metrics, heartbeat: heartbeat)
    writer = EventWriter(form: settings.events)
    recorder = ClipRecorder(
      settings.keep, limit: settings.keepLimit, keywords: spotter.keywords,
      clock: pacing == .live ? .wall : .stream(began: .now()), metrics: metrics)
    echoCanceller =
      settings.isHeard && pacing == .live
      ? try EchoCanceller(output.speech.reference, delay: settings.echoDelay) : nil
  }

  /// Starts the threads, which tell `dialogue` of what they find.
  func start(telling dialogue: Dialogue) throws {
    try conversation.start { dialogue.advance($0) }
    output.speech.report { fault in
      dialogue.advance(.trouble(code: fault.exitCode.rawValue, message: fault.message))
    }
    try recorder.start()
    try watch?.start()
  }

  /// Whether nothing is left to do.
  var isIdle: Bool { conversation.isIdle && output.speech.isIdle && watch?.isIdle ?? true }

  /// Ends the threads, each after what it has to do; nothing may be asked of it any more.
  func close() {
    conversation.close()
    output.speech.close()
    recorder.close()
    watch?.close()
  }

  private static func output(_ settings: ServiceSettings) throws -> AssistantOutput {
    var output = SpeechOutput.Settings()
    output.device = settings.player
    output.delay = settings.speakDelay
    output.volume = settings.volume
    guard let name = settings.voice else {
      return AssistantOutput(SpeechOutput(nil, output), hasSounds: settings.hasSounds)
    }
    let voice = try PlugIns.voice(
      name, language: PlugIns.intents(settings.intents).language, timeout: settings.handlerTimeout)
    let ear = PlaybackHotwords(try KeywordSpotter(named: settings.models, sensitivity: settings.sensitivity))
    return AssistantOutput(SpeechOutput(voice, output) { ear.words(in: $0) }, hasSounds: settings.hasSounds)
  }
}
