import Assistant
import Detection
import Dialogue
import PCM
import Platform
import Supervision
import Synchronization
import Understanding

/// The assistant and its history, shared by the two that have news for it: the listening loop and the conversation.
///
/// Whoever has news brings it here; what follows from it is done under one lock, in order, before the next. So an
/// answer is heeded at once even while no audio comes: from a stalled pipe, or a microphone that was pulled out.
final class Dialogue: Sendable {
  /// Sent only under the lock.
  private struct State: @unchecked Sendable {
    var cycle: AssistantCycle
    let history: AudioHistory
    var writer: EventWriter
    var conversation: ConversationWorker
    var output: AssistantOutput
    var keywords: [ServiceMetrics.Keyword]
    /// The hotword that opened the conversation, or was said in it.
    var wake: Wake?
    /// Who speaks, as far as that hotword tells it.
    var voice = TurnSpeaker.undetermined
  }

  private let state: Mutex<State>
  private let metrics: ServiceMetrics
  private let bridge: HermesBridge?
  /// The session whose question has been said; 0 for none. The next frame brings it to the assistant.
  private let asked = Atomic<Session>(0)

  /// - Parameters:
  ///   - historySeconds: audio kept for the pre-roll and for lost turns of the loop.
  ///   - metrics: counts what is reported.
  ///   - bridge: is told of it; nil where there is no broker.
  init(
    _ components: ServiceComponents, historySeconds: Double, metrics: ServiceMetrics, bridge: HermesBridge?
  ) {
    self.metrics = metrics
    self.bridge = bridge
    state = Mutex(
      State(
        cycle: AssistantCycle(components.settings.cycle), history: AudioHistory(seconds: historySeconds),
        writer: components.writer, conversation: components.conversation, output: components.output,
        keywords: components.recorder.counted))
  }

  /// Goes on with `components`, unless a conversation is open; timers run on.
  ///
  /// - Returns: whether it did.
  func adopt(_ components: ServiceComponents) -> Bool {
    state.withLock {
      guard $0.cycle.state == .idle else { return false }
      $0.cycle.change(components.settings.cycle)
      components.output.follow($0.output)
      $0.writer = components.writer
      $0.conversation = components.conversation
      $0.output = components.output
      $0.keywords = components.recorder.counted
      return true
    }
  }

  /// Whether no conversation is open.
  var isIdle: Bool { state.withLock { $0.cycle.state == .idle } }

  /// The stream's position.
  var position: SampleIndex { state.withLock { $0.history.end } }

  /// Where the audio begins that is still held.
  var heldFrom: SampleIndex { state.withLock { $0.history.start } }

  /// Takes the stream's next frame, with what the front end says of it.
  func hear(_ frame: UnsafeBufferPointer<Int16>, voiced: Bool, level: Float) {
    state.withLock {
      let session = asked.exchange(0, ordering: .relaxed)
      if session > 0 { advance(.asked(session, end: $0.history.end), &$0) }
      $0.history.append(frame)
      ring(&$0)
      advance(.frame(end: $0.history.end, voiced: voiced, level: level), &$0)
    }
  }

  /// Notes that `count` samples of the stream are lost.
  func lose(_ count: Int) {
    state.withLock {
      $0.history.appendGap(count)
      ring(&$0)
      advance(.gap(end: $0.history.end), &$0)
    }
  }

  /// Takes a hotword that the spotter found, and who spoke it, where known.
  ///
  /// - Returns: whether it woke the assistant; one inside a command does not.
  func wake(_ hit: Hit, by speaker: Speaker? = nil) -> Bool {
    let wake = Wake(
      keyword: hit.keyword, start: hit.start, end: hit.end, score: hit.score, speaker: speaker)
    return state.withLock {
      let session = $0.cycle.session
      advance(.woke(wake), &$0)
      return $0.cycle.session > session
    }
  }

  /// The stream's samples at `range`; nil when they are not held any more.
  func samples(_ range: Range<SampleIndex>) -> [Int16]? {
    state.withLock { $0.history.read(from: range.lowerBound, to: range.upperBound) }
  }

  /// The stream's samples around `word`, as far as they are held, and where in them the word lies.
  func surroundings(of word: Range<SampleIndex>) -> (samples: [Int16], word: Range<Int>) {
    state.withLock {
      let range = HeardStream.range(around: word, until: $0.history.end)
        .clamped(to: $0.history.start..<$0.history.end)
      let samples = $0.history.read(from: range.lowerBound, to: range.upperBound) ?? []
      return (samples, HeardStream.place(of: word, in: range))
    }
  }

  /// Takes anything else that happened.
  func advance(_ input: AssistantInput) {
    metrics.note(input)
    state.withLock { advance(input, &$0) }
  }

  /// Reports the stream's beginning.
  func open() {
    state.withLock { $0.writer.write(AssistantEvent(at: 0, .ready)) }
  }

  private func ring(_ state: inout State) {
    for result in state.output.advance(to: state.history.end) { advance(.rang(result: result), &state) }
  }

  private func advance(_ input: AssistantInput, _ state: inout State) {
    for action in state.cycle.advance(input) { perform(action, &state) }
  }

  private func perform(_ action: AssistantAction, _ state: inout State) {
    switch action {
    case .startRecognizer(let session, let from):
      state.voice = state.wake.map { $0.end == from ? $0.voice : .undetermined } ?? .undetermined
      state.conversation.ask(.start(session, from: from))
    case .feed(let session, let range):
      guard let samples = state.history.read(from: range.lowerBound, to: range.upperBound) else { return }
      state.conversation.ask(.feed(session, samples))
    case .finishRecognizer(let session): state.conversation.ask(.finish(session, at: MonotonicClock.now()))
    case .cancelRecognizer(let session), .interrupt(let session): state.conversation.cancel(session)
    case .understand(let session, let text):
      state.conversation.ask(.understand(session, text: text, at: state.history.end, by: state.voice))
    case .ask(let session, let prompt):
      state.output.speech.say(prompt) { [self] ending in
        if ending != .interrupted { asked.store(session, ordering: .relaxed) }
      }
    case .act(let session): state.conversation.ask(.act(session, state.wake))
    case .report(let event):
      if case .wake(let wake, _) = event.kind { state.wake = wake }
      metrics.note(event, keywords: state.keywords)
      state.writer.write(event)
      state.output.heed(event)
      bridge?.heed(event)
    }
  }
}

extension Wake {
  /// Whose voice said it: a stranger's where none is enrolled.
  fileprivate var voice: TurnSpeaker { speaker?.name.map { .enrolled($0) } ?? .notEnrolled }
}
