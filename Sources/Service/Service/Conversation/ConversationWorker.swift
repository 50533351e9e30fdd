import Actions
import Assistant
import Configuration
import Dialogue
import PCM
import Platform
import Recognition
import RemoteServices
import Supervision
import Synchronization
import Understanding

/// The slow half of the service: recognizes, understands and acts, on a thread of its own.
///
/// Jobs wait in a queue without a limit: audio that was fed is never dropped, however slow the recognizer is, and a command
/// lasts up to a minute. Each job ends with ``ServiceEvent/jobDone(recognizing:)``, after its results. A fault in a job
/// becomes the failing input of its session, so that the assistant reports it and goes on listening. Handlers and remote
/// services have deadlines of their own, which the settings name.
package final class ConversationWorker: Sendable {
  package enum Job: Sendable {
    case start(Session, from: SampleIndex)
    case feed(Session, [Int16])
    /// Requested at this time of the monotonic clock.
    case finish(Session, at: Double)
    /// Finds out what a text, empty for words that were not recognized, means that `by` said, when the stream was at `at`; `among` are
    /// the intents that it may have, nil for all.
    case understand(Session, text: String, at: SampleIndex, by: OrderSpeaker, among: [String]?)
    /// Carries out what was understood, said after `wake`.
    case act(Session, Wake?)
    /// Ends the thread.
    case close
  }

  /// The sessions whose results are not wanted any more; handlers look while they run.
  package final class Cancellation: Sendable {
    /// Sessions up to this one are not wanted.
    fileprivate let cancelled = Atomic<Session>(0)
    /// The session whose intent is carried out.
    fileprivate let acting = Atomic<Session>(0)

    /// Whether the handler that runs must stop.
    var isRequested: Bool { acting.load(ordering: .relaxed) <= cancelled.load(ordering: .acquiring) }
  }

  /// What belongs to the worker's thread.
  private final class State: @unchecked Sendable {
    /// Nil once the worker is closed.
    var recognizer: (any Recognizer)?
    var dialogue: RemoteDialogue
    let handler: any Handler
    var recognition: (session: Session, from: SampleIndex, running: any RecognitionSession, partial: String)?
    var interpretation: Interpretation?
    /// Whether the last order was not by the voice of the hotword.
    var isOthers = false

    init(_ recognizer: any Recognizer, _ dialogue: RemoteDialogue, _ handler: any Handler) {
      self.recognizer = recognizer
      self.dialogue = dialogue
      self.handler = handler
    }
  }

  private struct Recognizing: @unchecked Sendable {
    let session: Session
    let recognition: any RecognitionSession
  }

  /// Transcripts with a lower confidence are treated as not meant for the assistant.
  private static let leastConfidence = 0.5
  /// The same for "yes" to a confirmation.
  private static let leastConfirmingConfidence = 0.7

  private let jobs = JobQueue<Job>()
  private let state: State
  private let cancellation: Cancellation
  private let metrics: ServiceMetrics
  private let heartbeat: Heartbeat
  private let queue: EventQueue
  /// The recognition that runs; any thread may cancel it.
  private let recognizing = Mutex<Recognizing?>(nil)

  /// - Parameter cancellation: the one that `handler` looks at.
  package init(
    _ recognizer: any Recognizer, _ dialogue: RemoteDialogue, _ handler: any Handler,
    cancellation: Cancellation = Cancellation(), metrics: ServiceMetrics, heartbeat: Heartbeat,
    _ queue: EventQueue
  ) {
    state = State(recognizer, dialogue, handler)
    self.cancellation = cancellation
    self.metrics = metrics
    self.heartbeat = heartbeat
    self.queue = queue
  }

  /// Creates and checks what the settings name.
  ///
  /// - Parameter output: its timers and its volume are those that intents are about.
  convenience init(
    _ settings: ServiceSettings, _ conversation: Conversation, output: AssistantOutput,
    metrics: ServiceMetrics, heartbeat: Heartbeat, _ queue: EventQueue
  ) throws {
    let language = conversation.intents.language
    let dialogue = RemoteDialogue(
      conversation.dialogue,
      service: try settings.understanding.map { try PlugIns.understanding($0, language: language) })
    let cancellation = Cancellation()
    let handlers = try settings.handlers.map {
      try PlugIns.handler(
        $0, timeout: settings.handlerTimeout, timers: { output.timers }, volume: { output.volume },
        isCancelled: { cancellation.isRequested })
    }
    let chain = HandlerChain(handlers + [ClockHandler()]) {
      queue.post(.result(.trouble(code: $0.exitCode.rawValue, message: $0.message)))
    }
    self.init(
      conversation.recognizer, dialogue, chain, cancellation: cancellation, metrics: metrics,
      heartbeat: heartbeat, queue)
  }

  /// Starts the thread, which lives until ``close()``.
  package func start() throws(SystemFault) {
    try DetachedThread.start { [self] in
      while true {
        let job = jobs.take()
        if case .close = job {
          // A recognizer can occupy a hundred megabytes.
          recognizing.withLock { $0 = nil }
          state.recognition = nil
          state.recognizer = nil
          return FreedMemory.returnToSystem()
        }
        heartbeat.work(true)
        perform(job)
        heartbeat.work(false)
        queue.post(.jobDone(recognizing: job.recognizingSession))
      }
    }
  }

  /// Ends the thread after the jobs that wait.
  package func close() { jobs.append(.close) }

  /// Adds a job; it does not wait.
  package func add(_ job: Job) { jobs.append(job) }

  /// Drops what is left to do for `session` and the ones before it, and stops what runs.
  package func cancel(_ session: Session) {
    cancellation.cancelled.store(session, ordering: .releasing)
    let running = recognizing.withLock { $0 }
    if let running, running.session <= session { running.recognition.cancel() }
  }

  private func isWanted(_ session: Session) -> Bool {
    session > cancellation.cancelled.load(ordering: .acquiring)
  }

  private func perform(_ job: Job) {
    switch job {
    case .start(let session, let from):
      attempt(session) { () throws(RecognitionFault) in
        guard let recognizer = state.recognizer else { return }
        let running = try recognizer.start(
          RecognitionRequest(expected: state.dialogue.local.expectedAnswers))
        state.recognition = (session, from, running, partial: "")
        recognizing.withLock { $0 = Recognizing(session: session, recognition: running) }
        if !isWanted(session) { running.cancel() }
      }
    case .feed(let session, let samples):
      attempt(session) { () throws(RecognitionFault) in
        guard let recognition = state.recognition, recognition.session == session else { return }
        guard let partial = try recognition.running.append(samples), !partial.text.isEmpty else { return }
        if partial.text != recognition.partial {
          state.recognition?.partial = partial.text
          queue.post(.result(.partial(session, text: partial.text)))
        }
        if partial.isComplete { queue.post(.result(.sentenceEnded(session))) }
      }
    case .finish(let session, let requested):
      attempt(session) { () throws(RecognitionFault) in
        guard let recognition = state.recognition, recognition.session == session else { return }
        let transcript = try recognition.running.finish()
        metrics.recognition.note(MonotonicClock.now() - requested)
        let placed = transcript.shifted(by: AudioFormat.seconds(recognition.from))
        let least =
          state.dialogue.local.confirms(transcript.text)
          ? Self.leastConfirmingConfidence : Self.leastConfidence
        let accepted = transcript.confidence >= least ? transcript.text : ""
        Log.debug(
          "recognized '\(PlainText.line(transcript.text, limit: 200))', confidence \(JSON.rounded(transcript.confidence, digits: 2))"
            + " (\(least) needed), \(JSON.rounded(MonotonicClock.now() - requested, digits: 2)) s after the end of speech"
        )
        queue.post(.result(.transcript(session, text: accepted, result: placed.json)))
        state.recognition = nil
      }
    case .understand(let session, let text, let position, let speaker, let intents):
      state.dialogue.intents = intents.map(Set.init)
      understand(session, text, position, speaker)
    case .act(let session, let wake): act(session, wake)
    case .close: break
    }
  }

  private func attempt(_ session: Session, _ body: () throws(RecognitionFault) -> Void) {
    guard isWanted(session) else {
      state.recognition?.running.cancel()
      state.recognition = nil
      return
    }
    do throws(RecognitionFault) {
      try body()
    } catch {
      state.recognition = nil
      queue.post(
        .result(.recognitionFailed(session, code: error.exitCode.rawValue, message: error.message)))
    }
  }

  private func understand(
    _ session: Session, _ text: String, _ position: SampleIndex, _ speaker: OrderSpeaker
  ) {
    guard isWanted(session) else { return }
    let finding = speaker.find()
    // An answer without the hotword does not tell who speaks.
    if finding.speaker != .undetermined { state.isOthers = finding.speaker == .notEnrolled }
    let action =
      finding.isRefused
      ? state.dialogue.refuseStranger(text)
      : state.dialogue.process(
        text, at: AudioFormat.seconds(position), by: finding.speaker,
        isCancelled: { !self.isWanted(session) },
        report: { queue.post(.result(.trouble(code: $0.exitCode.rawValue, message: $0.message))) })
    let interpretation = action.interpretation
    Log.debug(
      "understood \(interpretation.intent?.name ?? "no intent"), \(interpretation.status.rawValue): \(interpretation.slots.count) slots"
    )
    state.interpretation = interpretation
    let outcome: Understood =
      switch action {
      case .handle: .ready
      case .ask, .refuse: .ask(prompt: interpretation.prompt ?? "")
      case .end(_, .notUnderstood), .end(_, .gaveUp): .notUnderstood(reply: interpretation.reply)
      case .end(_, .cancelled): .cancelled(reply: interpretation.reply)
      case .end(_, .refused(let reason)): .forbidden(reply: interpretation.reply, reason: reason)
      }
    switch action {
    case .end(_, .refused(let reason)): Log.warning("refused: \(reason)")
    case .refuse(_, let reason):
      Log.warning("refused: \(reason)")
      queue.post(.result(.trouble(code: ExitCode.permission.rawValue, message: reason)))
    case .handle, .ask, .end: break
    }
    var members = interpretation.members
    if let likeness = finding.likeness {
      members.append(JSON.Member("speakerScore", .rounded(likeness)))
    }
    queue.post(.result(.understood(session, outcome, result: .object(members))))
  }

  private func act(_ session: Session, _ wake: Wake?) {
    guard isWanted(session), let interpretation = state.interpretation else { return }
    cancellation.acting.store(session, ordering: .relaxed)
    do throws(ActionFault) {
      let event = IntentEvent(
        time: AudioFormat.seconds(wake?.end ?? 0), interpretation: interpretation, keyword: wake?.keyword,
        speaker: state.isOthers ? nil : wake?.speaker?.name)
      let start = MonotonicClock.now()
      let answer = try state.handler.handle(event)
      metrics.handling.note(MonotonicClock.now() - start)
      Log.debug(
        "handled \(interpretation.intent?.name ?? "") in \(JSON.rounded(MonotonicClock.now() - start, digits: 2)) s"
      )
      state.dialogue.handled(succeeded: true)
      let intent = JSON.Member("intent", ["name": .string(interpretation.intent?.name ?? "")])
      for action in answer?.actions ?? [] {
        let fields: JSON = .object([intent, JSON.Member("action", action.json)])
        queue.post(.result(.acted(session, result: fields)))
        if action.isIncomplete {
          let fault = ActionFault.incomplete(action: PlainText.line(action.json.description, limit: 100))
          queue.post(.result(.trouble(code: fault.exitCode.rawValue, message: fault.message)))
        }
      }
      queue.post(.result(.handled(session, reply: answer?.reply, result: .object([intent]))))
    } catch {
      state.dialogue.handled(succeeded: false)
      queue.post(.result(.handlingFailed(session, code: error.exitCode.rawValue, message: error.message)))
    }
  }
}

extension ConversationWorker.Job {
  /// The session whose recognizer the job loads or gives audio.
  fileprivate var recognizingSession: Session? {
    switch self {
    case .start(let session, _), .feed(let session, _): session
    case .finish, .understand, .act, .close: nil
    }
  }
}
