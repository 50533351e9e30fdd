import Actions
import Assistant
import Glibc
import Platform
import Recognition
import Synchronization
import Understanding

/// The slow half of the service: recognizes, understands and acts, on a thread of its own.
///
/// The main loop hands it jobs and polls for their answers; it never waits for them on live audio. A fault in a
/// job becomes the failing input of its session, so that the assistant reports it and goes on listening.
final class Conversation: Sendable {
  /// What the main loop asks for.
  enum Job: Sendable {
    case start(Session, from: SampleIndex)
    case feed(Session, [Int16])
    case finish(Session)
    case understand(Session, text: String)
    /// Carries out what was understood, said after `wake`.
    case act(Session, Wake?)
  }

  /// What belongs to the worker's thread.
  private final class Desk {
    let recognizer: any Recognizer
    let understander: Understander
    let handler: any Handler
    var recognition: (session: Session, from: SampleIndex, running: any RecognitionSession)?
    var interpretation: Interpretation?

    init(_ recognizer: any Recognizer, _ understander: Understander, _ handler: any Handler) {
      self.recognizer = recognizer
      self.understander = understander
      self.handler = handler
    }
  }

  private let jobs = JobQueue<Job>()
  private let answers = JobQueue<AssistantInput>()
  private let pending = Atomic<Int>(0)
  /// Sessions up to this one are no longer wanted.
  private let cancelled = Atomic<Session>(0)
  /// The session whose job runs.
  private let current = Atomic<Session>(0)

  /// Checks what the settings name and starts the thread, which lives as long as the process.
  init(_ settings: ServiceSettings) throws {
    let intents = try PlugIns.intents(settings.intents)
    let understander = try Understander(intents)
    let isCancelled: @Sendable () -> Bool = { [self] in !isWanted(current.load(ordering: .relaxed)) }
    let handlers = try settings.handlers.map { try PlugIns.handler($0, isCancelled: isCancelled) }
    let handler = HandlerChain([ClockHandler()] + handlers)
    let name = settings.recognizer
    _ = try PlugIns.recognizer(name, intents: intents)
    try DetachedThread.start { [self] in
      guard let recognizer = try? PlugIns.recognizer(name, intents: intents) else { return }
      let desk = Desk(recognizer, understander, handler)
      while true {
        perform(jobs.take(), desk)
        pending.subtract(1, ordering: .releasing)
      }
    }
  }

  func ask(_ job: Job) {
    pending.add(1, ordering: .relaxed)
    jobs.append(job)
  }

  /// Drops what is left to do for `session` and the ones before it; what runs is told to stop.
  func cancel(_ session: Session) { cancelled.store(session, ordering: .releasing) }

  /// The next answer, or nil when there is none now.
  func answer() -> AssistantInput? { answers.poll() }

  /// Whether every job so far is done.
  var isIdle: Bool { pending.load(ordering: .acquiring) == 0 }

  private func isWanted(_ session: Session) -> Bool { session > cancelled.load(ordering: .acquiring) }

  private func perform(_ job: Job, _ desk: Desk) {
    switch job {
    case .start(let session, let from):
      recognizing(session, desk) { () throws(RecognitionFault) in
        desk.recognition = (session, from, try desk.recognizer.start(RecognitionRequest()))
      }
    case .feed(let session, let samples):
      recognizing(session, desk) { () throws(RecognitionFault) in
        guard let recognition = desk.recognition, recognition.session == session else { return }
        guard let partial = try recognition.running.append(samples), !partial.text.isEmpty else { return }
        answers.append(.partial(session, text: partial.text))
      }
    case .finish(let session):
      recognizing(session, desk) { () throws(RecognitionFault) in
        guard let recognition = desk.recognition, recognition.session == session else { return }
        let heard = try recognition.running.finish()
        let placed = heard.shifted(by: AudioFormat.seconds(recognition.from))
        let accepted = heard.confidence >= Self.rejection ? heard.text : ""
        answers.append(.transcript(session, text: accepted, result: placed.json))
        desk.recognition = nil
      }
    case .understand(let session, let text): understand(session, text, desk)
    case .act(let session, let wake): act(session, wake, desk)
    }
  }

  /// Transcripts less sure than this are taken for something that was not meant for us.
  private static let rejection = 0.5

  private func recognizing(_ session: Session, _ desk: Desk, _ body: () throws(RecognitionFault) -> Void) {
    guard isWanted(session) else {
      desk.recognition?.running.cancel()
      desk.recognition = nil
      return
    }
    do throws(RecognitionFault) {
      try body()
    } catch {
      desk.recognition = nil
      answers.append(.recognitionFailed(session, code: error.exitCode.rawValue, message: error.message))
    }
  }

  private func understand(_ session: Session, _ text: String, _ desk: Desk) {
    guard isWanted(session) else { return }
    let interpretation = desk.understander.interpret(text)
    desk.interpretation = interpretation
    let outcome: Understood =
      switch interpretation.status {
      case .ready: .ready
      case .needsValue, .needsDisambiguation, .needsConfirmation: .ask(prompt: interpretation.prompt ?? "")
      case .unsupported, .notUnderstood: .refused(reply: interpretation.reply)
      }
    answers.append(.understood(session, outcome, result: interpretation.json))
  }

  private func act(_ session: Session, _ wake: Wake?, _ desk: Desk) {
    guard isWanted(session), let interpretation = desk.interpretation else { return }
    current.store(session, ordering: .relaxed)
    do throws(ActionFault) {
      let event = IntentEvent(
        time: AudioFormat.seconds(wake?.end ?? 0), interpretation: interpretation, keyword: wake?.keyword,
        speaker: wake?.speaker?.name)
      let reply = try desk.handler.handle(event)
      let result: JSON = ["intent": ["name": .string(interpretation.intent?.name ?? "")]]
      answers.append(.handled(session, reply: reply, result: result))
    } catch {
      answers.append(.handlingFailed(session, code: error.exitCode.rawValue, message: error.message))
    }
  }
}
