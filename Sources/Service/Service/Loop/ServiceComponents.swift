import Assistant
import Configuration
import Detection
import Platform
import SpeechSynthesis
import Supervision
import Understanding

/// What the settings make: the parts of the service that a reload replaces as a whole.
///
/// Everything that can fail happens in ``init(_:_:)`` and ``start()``, so that replacing them cannot. After that they
/// belong to the service's consumer, but for the spotter and the echo canceller, which the listening thread uses.
package final class ServiceComponents: @unchecked Sendable {
  /// What components share with those before them.
  package struct Surroundings: Sendable {
    package let queue: EventQueue
    package let pacing: Pacing
    package let metrics: ServiceMetrics
    package let heartbeat: Heartbeat
    package let echoCancellers = EchoCancellerOwner()

    package init(queue: EventQueue, pacing: Pacing, metrics: ServiceMetrics, heartbeat: Heartbeat) {
      self.queue = queue
      self.pacing = pacing
      self.metrics = metrics
      self.heartbeat = heartbeat
    }
  }

  package let settings: ServiceSettings
  /// The settings of the conversation.
  let cycle: AssistantCycle.Settings
  /// nil in tests, whose spotter has no models.
  package let modelIdentity: ModelSelection.Identity?
  package let spotter: any HotwordSpotting
  package let worker: ConversationWorker
  package let output: AssistantOutput
  package let recorder: ClipRecorder
  /// nil if no voice is enrolled.
  package let identifier: SpeakerIdentifier?
  /// nil if nothing is played, or the audio has no time on the clock.
  package let echo: EchoSetup?
  /// nil without a broker.
  package let hermes: HermesBridge.Scope?

  package init(
    settings: ServiceSettings, failureReply: String = "", modelIdentity: ModelSelection.Identity? = nil,
    spotter: any HotwordSpotting,
    worker: ConversationWorker, output: AssistantOutput, recorder: ClipRecorder,
    identifier: SpeakerIdentifier? = nil, echo: EchoSetup? = nil, hermes: HermesBridge.Scope? = nil
  ) {
    self.settings = settings
    var cycle = settings.cycle
    cycle.failureReply = failureReply
    self.cycle = cycle
    self.modelIdentity = modelIdentity
    self.spotter = spotter
    self.worker = worker
    self.output = output
    self.recorder = recorder
    self.identifier = identifier
    self.echo = echo
    self.hermes = hermes
  }

  /// Creates and checks everything that `settings` name; each file is read once.
  package convenience init(_ settings: ServiceSettings, _ surroundings: Surroundings) throws {
    let queue = surroundings.queue
    // Each takes about half of the start.
    let detection = try ThreadResult {
      let models = try ModelSelection(settings.models, sensitivity: settings.sensitivity)
      return (models: models, spotter: try models.spotter())
    }
    let understanding = Result { try Conversation(settings, queue) }
    let (models, spotter) = try detection.wait()
    let voices = try KnownVoices.load(for: spotter.keywords.map(\.name), onlyVoices: settings.onlyVoices)
    let conversation = try understanding.get()
    let language = conversation.intents.language
    let output = AssistantOutput(
      try Self.speech(settings, models, language: language), hasSounds: settings.hasSounds, queue)
    let isEchoing = settings.playsSound && surroundings.pacing == .live
    self.init(
      settings: settings, failureReply: conversation.dialogue.failureReply, modelIdentity: models.identity,
      spotter: spotter,
      worker: try ConversationWorker(
        settings, conversation, output: output, metrics: surroundings.metrics,
        heartbeat: surroundings.heartbeat, queue),
      output: output,
      recorder: ClipRecorder(
        settings.keep, limit: settings.keepLimit,
        clock: ClipRecorder.Clock(surroundings.pacing)
      ) { queue.signal() },
      identifier: voices.map { SpeakerIdentifier($0, onlyVoices: settings.onlyVoices, queue) },
      echo: isEchoing
        ? try surroundings.echoCancellers.setup(
          reference: output.speech.reference, delay: settings.echoDelay) : nil,
      hermes: settings.hermes == nil
        ? nil
        : HermesBridge.Scope(keywords: spotter.keywords, conversation.understander, language: language))
  }

  /// Does the same and starts the threads.
  package convenience init(started settings: ServiceSettings, _ surroundings: Surroundings) throws {
    try self.init(settings, surroundings)
    FreedMemory.returnToSystem()
    do {
      try start()
    } catch {
      close()
      throw error
    }
  }

  /// Starts the threads.
  package func start() throws {
    try worker.start()
    try recorder.start()
    try identifier?.start()
  }

  /// Ends the threads, each after what it has to do; no part may be used after this.
  package func close() {
    worker.close()
    output.speech.close()
    recorder.close()
    identifier?.close()
  }

  private static func speech(
    _ settings: ServiceSettings, _ models: ModelSelection, language: String
  ) throws -> SpeechOutput {
    var output = SpeechOutput.Settings()
    output.device = settings.player
    output.delay = settings.speakDelay
    output.volume = settings.volume
    guard let name = settings.voice else { return SpeechOutput(nil, output) }
    let voice = try PlugIns.voice(name, language: language, timeout: settings.handlerTimeout)
    let hotwords = PlaybackHotwords(try models.spotter())
    return SpeechOutput(voice, output, words: hotwords)
  }
}
