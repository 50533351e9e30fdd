import Assistant
import Platform
import Supervision
import Understanding

/// What the state machine decides.
extension ServiceLoop {
  /// Gives the state machine an input and performs what it returns.
  func advance(_ input: AssistantInput) {
    for action in cycle.advance(input) { perform(action) }
  }

  private func perform(_ action: AssistantAction) {
    switch action {
    case .startRecognizer(let session, let from):
      voice = wake.map { $0.commandStart == from ? $0.voice : .undetermined } ?? .undetermined
      orderStart = from
      add(.start(session, from: from))
    case .feed(let session, let range):
      // Audio older than the history is gone: a hotword that had to wait for more than 20 seconds.
      let start = max(range.lowerBound, history.start)
      guard let samples = history.read(from: start, to: range.upperBound) else { return }
      add(.feed(session, samples))
    case .finishRecognizer(let session): add(.finish(session, at: MonotonicClock.now()))
    case .cancelRecognizer(let session), .interrupt(let session): components.worker.cancel(session)
    case .understand(let session, let text):
      add(
        .understand(
          session, text: text, at: history.end, by: OrderSpeaker(voice, order(), components.identifier),
          among: cycle.intents))
    case .ask(let session, let prompt): components.output.say(prompt, asking: session)
    case .act(let session): add(.act(session, wake))
    case .report(let event): report(event)
    }
  }

  /// The audio of the order, as far as the history has it; empty where its voice does not matter.
  private func order() -> [Int16] {
    guard case .enrolled = voice else { return [] }
    return history.read(from: max(orderStart, history.start), to: history.end) ?? []
  }

  private func add(_ job: ConversationWorker.Job) {
    jobs += 1
    components.worker.add(job)
  }

  /// Brings an event to all outputs.
  func report(_ event: AssistantEvent) {
    if case .wake(let wake, _) = event.kind {
      self.wake = wake
      components.recorder.noteWake(wake.keyword, score: wake.score, end: wake.end)
    }
    metrics.note(event)
    events.write(event, as: components.settings.events)
    components.output.follow(event)
    bridge?.note(event)
    live?.note(event.json)
  }
}

extension Wake {
  /// Whose voice said it: an unknown one if none is enrolled.
  fileprivate var voice: TurnSpeaker { speaker?.name.map { .enrolled($0) } ?? .notEnrolled }
}
