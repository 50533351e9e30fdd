import Actions
import Dialogue
import Networking
import Platform
import Synchronization
import Understanding

/// Understands the sentences of a server's clients, and remembers each conversation. Any thread may use it.
public final class ConversationAgent: Sendable {
  /// Conversations that are remembered; the oldest are forgotten.
  private static let memory = 256
  /// The maximum length of the name of a conversation in bytes.
  private static let nameLimit = 256
  /// Handlers that work at the same time.
  private static let handlerLimit = 8
  /// Seconds after a question within which its answer is expected from the next speaker.
  private static let answerWindow = 20.0

  private struct Conversation: Sendable {
    var session: ConversationSession
    var lastTurn: Double
  }

  private struct State: Sendable {
    let fresh: DialogueStateMachine
    let rooms: [String: String]
    let roomIdentifiers: [String: String]
    var conversations: [String: Conversation] = [:]

    init(_ understander: Understander) throws(IntentFileFault) {
      fresh = try DialogueStateMachine(understander)
      rooms = understander.rooms
      roomIdentifiers = understander.roomIdentifiers
    }
  }

  private let handler: (any Handler)?
  private let state: Mutex<State>
  private let handling = Atomic<Int>(0)

  /// - Parameter handler: carries intents out; what it gives no reply to is for the client. Nil for none.
  /// - Throws: ``IntentFileFault`` for answers that cannot be compiled.
  public init(_ understander: Understander, handler: (any Handler)? = nil) throws(IntentFileFault) {
    state = Mutex(try State(understander))
    self.handler = handler
  }

  /// Understands the sentences of another intent file from now on. Forgets the conversations, whose questions may have no answers now.
  ///
  /// - Throws: ``IntentFileFault`` for answers that cannot be compiled; then nothing changes.
  public func replace(with understander: Understander) throws(IntentFileFault) {
    let next = try State(understander)
    state.withLock { $0 = next }
  }

  /// What answers the questions that were asked just now, for the recognizer.
  public var expectedAnswers: Set<String> {
    let now = MonotonicClock.now()
    return state.withLock { state in
      state.conversations.values.reduce(into: []) { all, one in
        if now - one.lastTurn < Self.answerWindow { all.formUnion(one.session.expectedAnswers) }
      }
    }
  }

  /// Answers a sentence.
  ///
  /// - Parameters:
  ///   - name: that of the conversation.
  ///   - satellites: the identifiers of where it is said; the first that is among the rooms of the intent file tells the area.
  ///   - speaker: who said it.
  ///   - then: called once with the events, at once or on another thread.
  func answer(
    _ text: String, in name: String, from satellites: [String] = [], by speaker: TurnSpeaker = .undetermined,
    then: @escaping @Sendable ([WyomingEvent]) -> Void
  ) {
    let name = String(decoding: name.utf8.prefix(Self.nameLimit), as: UTF8.self)
    let now = MonotonicClock.now()
    let answer = state.withLock { state in
      let (rooms, identifiers) = (state.rooms, state.roomIdentifiers)
      let area = satellites.lazy.compactMap { rooms[$0] }.first
      var conversation =
        state.conversations[name] ?? Conversation(session: ConversationSession(state.fresh), lastTurn: now)
      conversation.session.preferredArea = satellites.lazy.compactMap { identifiers[$0] }.first
      let answer = conversation.session.answer(text, at: now, in: area, by: speaker)
      conversation.lastTurn = now
      state.conversations[name] = conversation
      if state.conversations.count > Self.memory,
        let oldest = state.conversations.min(by: { $0.value.lastTurn < $1.value.lastTurn })?.key
      {
        state.conversations[oldest] = nil
      }
      return answer
    }
    switch answer {
    case .send(let events): then(events)
    case .carryOut(let interpretation): carryOut(interpretation, in: name, then)
    }
  }

  private func carryOut(
    _ interpretation: Interpretation, in name: String, _ then: @escaping @Sendable ([WyomingEvent]) -> Void
  ) {
    guard let handler else {
      return then(change(name) { $0.finished(interpretation, reply: nil) })
    }
    guard handling.add(1, ordering: .relaxed).newValue <= Self.handlerLimit else {
      handling.subtract(1, ordering: .relaxed)
      Log.warning("more than \(Self.handlerLimit) orders are being carried out; one was refused")
      return then(change(name) { $0.failed() })
    }
    do throws(SystemFault) {
      try DetachedThread.start { [self] in
        then(events(for: interpretation, in: name, by: handler))
        handling.subtract(1, ordering: .relaxed)
      }
    } catch {
      handling.subtract(1, ordering: .relaxed)
      Log.warning(error.message)
      then(change(name) { $0.failed() })
    }
  }

  private func events(
    for interpretation: Interpretation, in name: String, by handler: any Handler
  ) -> [WyomingEvent] {
    do throws(ActionFault) {
      let answer = try handler.handle(
        IntentEvent(time: MonotonicClock.now(), interpretation: interpretation))
      let reply = answer.map { $0.reply ?? interpretation.reply ?? "" }
      return change(name) { $0.finished(interpretation, reply: reply) }
    } catch {
      Log.warning(error.message)
      return change(name) { $0.failed() }
    }
  }

  private func change(
    _ name: String, _ body: (inout ConversationSession) -> [WyomingEvent]
  ) -> [WyomingEvent] {
    state.withLock { state in
      var session = state.conversations[name]?.session ?? ConversationSession(state.fresh)
      let events = body(&session)
      state.conversations[name]?.session = session
      return events
    }
  }
}
