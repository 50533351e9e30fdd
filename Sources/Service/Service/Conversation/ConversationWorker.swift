import Actions
import Assistant
import Configuration
import Dialogue
import Glibc
import PCM
import Platform
import Recognition
import RemoteServices
import Supervision
import Synchronization
import Understanding

/// The slow half of the service: recognizes, understands and acts, on a thread of its own.
///
/// It is handed jobs and delivers their answers; nobody waits for them on live audio. A fault in a job becomes the
/// failing input of its session, so that the assistant reports it and goes on listening.
final class ConversationWorker: Sendable {
  /// What the assistant asks for.
  enum Job: Sendable {
    case start(Session, from: SampleIndex)
    case feed(Session, [Int16])
    /// Asked for at this time of the monotonic clock.
    case finish(Session, at: Double)
    /// Finds out what a text means that was said by `voice`, when the stream stood at `at`.
    case understand(Session, text: String, at: SampleIndex, by: TurnSpeaker)
    /// Carries out what was understood, said after `wake`.
    case act(Session, Wake?)
    /// Ends the thread.
    case close
  }

  /// What belongs to the worker's thread, once it runs.
  private final class Resources: @unchecked Sendable {
    let recognizer: any Recognizer
    var dialogue: RemoteDialogue
    let handler: any Handler
    var deliver: (AssistantInput) -> Void = { _ in }
    var recognition: (session: Session, from: SampleIndex, running: any RecognitionSession)?
    var interpretation: Interpretation?

    init(_ recognizer: any Recognizer, _ dialogue: RemoteDialogue, _ handler: any Handler) {
      self.recognizer = recognizer
      self.dialogue = dialogue
      self.handler = handler
    }
  }

  private let jobs = JobQueue<Job>()
  private let resources: Resources
  private let pending = Atomic<Int>(0)
  private let metrics: ServiceMetrics
  private let heartbeat: Heartbeat

  /// What is no longer wanted; handlers ask it while they run.
  private final class Stop: Sendable {
    /// Sessions up to this one are no longer wanted.
    let cancelled = Atomic<Session>(0)
    /// The session whose intent is carried out.
    let acting = Atomic<Session>(0)

    var isAsked: Bool { acting.load(ordering: .relaxed) <= cancelled.load(ordering: .acquiring) }
  }

  private let stop: Stop
  private let trouble: Trouble

  /// Where the failure of a recognizer or a handler is told that another one makes up for. Belongs to the worker's thread.
  private final class Trouble: @unchecked Sendable {
    var tell: (AssistantInput) -> Void = { _ in }
  }

  /// The recognition that runs; any thread may cancel it.
  private let recognizing = Mutex<Recognizing?>(nil)

  private struct Recognizing: @unchecked Sendable {
    let session: Session
    let recognition: any RecognitionSession
  }

  /// Checks what the settings name.
  ///
  /// - Parameters:
  ///   - output: its timers are those that intents ask for.
  ///   - metrics: learns how long things take.
  ///   - heartbeat: is told of each job.
  init(_ settings: ServiceSettings, output: AssistantOutput, metrics: ServiceMetrics, heartbeat: Heartbeat)
    throws
  {
    self.metrics = metrics
    self.heartbeat = heartbeat
    let intents = try PlugIns.intents(settings.intents)
    let heard = try intents.withAnswers().withStopPhrases(
      settings.stopping.done, cancel: settings.stopping.cancel)
    let trouble = Trouble()
    let recognizer = try PlugIns.recognizer(
      settings.recognizers, intents: heard, timeout: settings.recognizerTimeout,
      hasReserve: settings.reachOut
    ) { trouble.tell(.trouble(code: $0.exitCode.rawValue, message: $0.message)) }
    let dialogue = RemoteDialogue(
      try DialogueStateMachine(Understander(intents)),
      service: try settings.understanding.map { try PlugIns.understanding($0, language: intents.language) })
    let stop = Stop()
    let handlers = try settings.handlers.map {
      try PlugIns.handler(
        $0, timeout: settings.handlerTimeout, timers: { output.timers }, volume: { output.volume },
        isCancelled: { stop.isAsked })
    }
    let chain = HandlerChain([ClockHandler()] + handlers) {
      trouble.tell(.trouble(code: $0.exitCode.rawValue, message: $0.message))
    }
    resources = Resources(recognizer, dialogue, chain)
    self.stop = stop
    self.trouble = trouble
  }

  /// Starts the thread, which lives until it is closed.
  ///
  /// - Parameter deliver: takes the answers, on that thread.
  func start(_ deliver: @escaping @Sendable (AssistantInput) -> Void) throws {
    resources.deliver = deliver
    trouble.tell = deliver
    try DetachedThread.start { [self] in
      while perform(jobs.take(), resources) { pending.subtract(1, ordering: .releasing) }
      pending.subtract(1, ordering: .releasing)
    }
  }

  /// Ends the thread, after what it was asked for.
  func close() { ask(.close) }

  func ask(_ job: Job) {
    pending.add(1, ordering: .relaxed)
    jobs.append(job)
  }

  /// Drops what is left to do for `session` and the ones before it; what runs is told to stop.
  func cancel(_ session: Session) {
    stop.cancelled.store(session, ordering: .releasing)
    recognizing.withLock { running in
      if let running, running.session <= session { running.recognition.cancel() }
    }
  }

  /// Whether every job so far is done and its answer delivered.
  var isIdle: Bool { pending.load(ordering: .acquiring) == 0 }

  private func isWanted(_ session: Session) -> Bool { session > stop.cancelled.load(ordering: .acquiring) }

  /// - Returns: whether there may be another job.
  private func perform(_ job: Job, _ resources: Resources) -> Bool {
    heartbeat.work(true)
    defer { heartbeat.work(false) }
    switch job {
    case .start(let session, let from):
      attempt(session, resources) { () throws(RecognitionFault) in
        let running = try resources.recognizer.start(RecognitionRequest())
        resources.recognition = (session, from, running)
        recognizing.withLock { $0 = Recognizing(session: session, recognition: running) }
        if !isWanted(session) { running.cancel() }
      }
    case .feed(let session, let samples):
      attempt(session, resources) { () throws(RecognitionFault) in
        guard let recognition = resources.recognition, recognition.session == session else { return }
        guard let partial = try recognition.running.append(samples), !partial.text.isEmpty else { return }
        resources.deliver(.partial(session, text: partial.text))
      }
    case .finish(let session, let asked):
      attempt(session, resources) { () throws(RecognitionFault) in
        guard let recognition = resources.recognition, recognition.session == session else { return }
        let heard = try recognition.running.finish()
        metrics.recognition.note(MonotonicClock.now() - asked)
        let placed = heard.shifted(by: AudioFormat.seconds(recognition.from))
        let accepted = heard.confidence >= Self.rejection ? heard.text : ""
        resources.deliver(.transcript(session, text: accepted, result: placed.json))
        resources.recognition = nil
      }
    case .understand(let session, let text, let at, let voice):
      understand(session, text, at, voice, resources)
    case .act(let session, let wake): act(session, wake, resources)
    case .close: return false
    }
    return true
  }

  /// Transcripts less sure than this are taken for something that was not meant for us.
  private static let rejection = 0.5

  private func attempt(
    _ session: Session, _ resources: Resources, _ body: () throws(RecognitionFault) -> Void
  ) {
    guard isWanted(session) else {
      resources.recognition?.running.cancel()
      resources.recognition = nil
      return
    }
    do throws(RecognitionFault) {
      try body()
    } catch {
      resources.recognition = nil
      resources.deliver(.recognitionFailed(session, code: error.exitCode.rawValue, message: error.message))
    }
  }

  private func understand(
    _ session: Session, _ text: String, _ at: SampleIndex, _ voice: TurnSpeaker, _ resources: Resources
  ) {
    guard isWanted(session) else { return }
    let action = resources.dialogue.process(
      text, at: AudioFormat.seconds(at), by: voice, isCancelled: { !self.isWanted(session) },
      report: { resources.deliver(.trouble(code: $0.exitCode.rawValue, message: $0.message)) })
    let interpretation = action.interpretation
    resources.interpretation = interpretation
    let outcome: Understood =
      switch action {
      case .handle: .ready
      case .ask, .refuse: .ask(prompt: interpretation.prompt ?? "")
      case .end(_, .notUnderstood), .end(_, .gaveUp): .refused(reply: interpretation.reply)
      case .end(_, .cancelled): .cancelled(reply: interpretation.reply)
      case .end(_, .refused(let reason)): .forbidden(reply: interpretation.reply, reason: reason)
      }
    switch action {
    case .end(_, .refused(let reason)): Log.warning("refused: \(reason)")
    case .refuse(_, let reason):
      Log.warning("refused: \(reason)")
      resources.deliver(.trouble(code: ExitCode.permission.rawValue, message: reason))
    case .handle, .ask, .end: break
    }
    resources.deliver(.understood(session, outcome, result: interpretation.json))
  }

  private func act(_ session: Session, _ wake: Wake?, _ resources: Resources) {
    guard isWanted(session), let interpretation = resources.interpretation else { return }
    stop.acting.store(session, ordering: .relaxed)
    do throws(ActionFault) {
      let event = IntentEvent(
        time: AudioFormat.seconds(wake?.end ?? 0), interpretation: interpretation, keyword: wake?.keyword,
        speaker: wake?.speaker?.name)
      let start = MonotonicClock.now()
      let answer = try resources.handler.handle(event)
      metrics.handling.note(MonotonicClock.now() - start)
      resources.dialogue.handled(succeeded: true)
      let intent = JSON.Member("intent", ["name": .string(interpretation.intent?.name ?? "")])
      for action in answer?.actions ?? [] {
        resources.deliver(.acted(session, result: .object([intent, JSON.Member("action", action.json)])))
      }
      resources.deliver(.handled(session, reply: answer?.reply, result: .object([intent])))
    } catch {
      resources.dialogue.handled(succeeded: false)
      resources.deliver(.handlingFailed(session, code: error.exitCode.rawValue, message: error.message))
    }
  }
}
