import Platform
import Understanding

/// A dialogue: resolve → confirm → handle, turn by turn, on top of an ``Understander``.
///
/// A state machine without clock, threads or I/O: `process` takes the text of a turn and returns the action.
///
/// | state | text | next state | action |
/// |---|---|---|---|
/// | idle, handling | an intent | by its requirements, below | |
/// | idle, handling | a correction of the intent of an open context | by its requirements | |
/// | idle, handling | "never mind" | idle | end: cancelled |
/// | idle, handling | anything else | idle | the fallback intent, or end: notUnderstood |
/// | asking | an answer to the question, or a correction | by its requirements | |
/// | asking | the same by a speaker who is not allowed | asking, or idle after `attempts` | refuse, or end: refused |
/// | asking | "yes" or "no" with a change | by its requirements, with another confirmation | |
/// | asking | "no" with anything but another intent, to a confirmation | idle | end: cancelled |
/// | asking | "never mind"; "no" | idle | end: cancelled |
/// | asking | another intent | by its requirements | |
/// | asking | anything else | asking, or idle after `attempts` | ask again, or end: gaveUp |
/// | any | anything more than `timeout` after the last turn | as from idle, without contexts | |
///
/// The requirements of an intent; the first that is not met decides:
///
/// | requirement | next state | action |
/// |---|---|---|
/// | a speaker who is allowed | idle | end: refused |
/// | each required slot has one accepted value | asking | ask |
/// | a confirmation | asking | ask |
/// | all met | handling | handle; its contexts open or close, and this is undone if handling fails |
///
/// The answers to questions about an intent need an allowed speaker too, except "no" and "never mind". A speaker who
/// is not identified may give all answers but the confirmation.
public struct DialogueStateMachine: Sendable {
  public enum State: Sendable, Equatable {
    case idle
    /// A question about this intent is open.
    case asking(intent: String)
    /// The caller handles this intent.
    case handling(intent: String)
  }

  let understander: Understander
  let answers: Answers
  let sources: [[String: SlotSource]]
  private(set) var phase = Phase.idle
  var contexts = OpenContexts()
  private var lastTurn: Double?

  /// Whether it asks questions in another language than English, and understands answers in English only.
  public var hasForeignAnswers: Bool {
    !understander.file.hasNumberWords && understander.file.dialogue == nil
      && understander.file.intents.contains { $0.asks }
  }

  /// What is said when recognition, a service or a handler has failed.
  public var failureReply: String { answers.words.reply(.failed) }

  enum Phase: Sendable {
    case idle
    case asking(PendingIntent, Question)
    /// `before`: the contexts to restore if handling fails.
    case handling(PendingIntent, before: OpenContexts)
  }

  /// - Throws: ``IntentFileFault`` for answers that cannot be compiled.
  public init(_ understander: Understander) throws(IntentFileFault) {
    self.understander = understander
    answers = try Answers(for: understander)
    sources = understander.file.intents.map { intent in
      intent.asks ? SlotSource.sources(of: intent, in: understander.file) : [:]
    }
  }

  /// Seconds after the last turn after which the dialogue ends.
  package var timeout: Double { answers.words.timeout }

  /// Whether the intent file restricts the speakers of `intent` or requires a confirmation.
  package func guards(_ intent: String) -> Bool {
    understander.file.intents.contains {
      $0.name == intent && ($0.requirements.speaker != .anyone || !$0.requirements.confirmations.isEmpty)
    }
  }

  /// Whether `text` has an intent executed, as the answer "yes" to the open question.
  package func confirms(_ text: String) -> Bool {
    guard case .asking(let pending, let question) = phase, question.kind == .confirmation else {
      return false
    }
    return answers.interpret(text, as: [.yes, .agreement], of: pending.name) != nil
  }

  /// The intents of the answers to the open question, in a grammar with answers and stop phrases; empty without a question.
  package var expectedAnswers: Set<String> {
    guard case .asking(let pending, let question) = phase, accepts(pending.name) else { return [] }
    return Set(question.expected.map { $0.name(of: pending.name) } + [IntentFile.stopping])
  }

  public var state: State {
    switch phase {
    case .idle: .idle
    case .asking(let pending, _): .asking(intent: pending.name)
    case .handling(let pending, _): .handling(intent: pending.name)
    }
  }

  /// The intents that the next turns may have; nil for all.
  public var intents: Set<String>?

  /// Whether the next turns may have the intent `name`.
  func accepts(_ name: String) -> Bool { intents?.contains(name) ?? true }

  /// The area of the home in which the speaker is, for sentences that require the context `area` and do not name it.
  public var area: String?

  /// The values for `requires_context`.
  func known(_ open: OpenContexts) -> [String: JSON] {
    let place = area.map { ["area": JSON.string($0)] } ?? [:]
    return place.merging(open.known) { $1 }
  }

  /// Processes the text of a turn.
  ///
  /// - Parameters:
  ///   - time: seconds on a monotonic clock.
  ///   - speaker: who spoke.
  public mutating func process(
    _ text: String, at time: Double, by speaker: TurnSpeaker = .notEnrolled
  ) -> DialogueAction {
    if let lastTurn, time - lastTurn > answers.words.timeout {
      phase = .idle
      contexts = OpenContexts()
    }
    lastTurn = time
    let turn = Turn(text: text, speaker: speaker)
    if case .asking(let pending, let question) = phase, accepts(pending.name) {
      return answer(pending, question, turn)
    }
    return begin(turn)
  }

  /// Refuses a turn by a voice that may not ask for anything. An open question is dropped.
  public mutating func refuseStranger(_ text: String) -> DialogueAction {
    phase = .idle
    let refused = Interpretation(
      text: text, language: understander.file.language, status: .unsupported,
      reply: answers.words.reply(.stranger))
    return .end(refused, .refused(reason: "the voice is not enrolled"))
  }

  /// Reports the result of handling the intent; a failure restores the contexts from before it.
  public mutating func handled(succeeded: Bool) {
    guard case .handling(_, let before) = phase else { return }
    if !succeeded { contexts = before }
    phase = .idle
  }

  /// The current turn.
  struct Turn {
    let text: String
    let speaker: TurnSpeaker
    /// The number of code points at the start that are already processed.
    var skipped = 0

    init(text: String, speaker: TurnSpeaker) {
      self.text = text
      self.speaker = speaker
    }

    /// The rest of the text.
    var words: String { String(String.UnicodeScalarView(text.unicodeScalars.dropFirst(skipped))) }
  }

  // MARK: Without a question

  mutating func begin(_ turn: Turn) -> DialogueAction {
    phase = .idle
    let open = contexts
    contexts.age()
    let found = understander.interpret(turn.words, context: known(open), among: intents)
    if var pending = PendingIntent(found, in: understander.file, open) {
      pending.slots = pending.slots.map { $0.shifted(by: turn.skipped) }
      return start(pending, found.ranking, open, turn)
    }
    if let pending = correction(of: open, turn) { return resolve(pending, turn) }
    if answers.interpret(turn.text, as: [.cancel, .trailing]) != nil { return cancel(.cancelled, turn) }
    if let index = understander.file.intents.firstIndex(where: {
      $0.requirements.isFallback && accepts($0.name)
    }) {
      let intent = understander.file.intents[index]
      let pending = PendingIntent(
        intent: index, name: intent.name, slots: [], confidence: 0,
        reply: understander.file.replies[intent.name]?["default"])
      return start(pending, [], open, turn)
    }
    var left = found
    left.reply = hint(about: turn) ?? answers.words.reply(.notUnderstood)
    return .end(left, .notUnderstood)
  }

  /// What is unknown in the text, and what could be said instead.
  private func hint(about turn: Turn) -> String? {
    guard let unknown = understander.unknownValue(in: turn.words) else { return nil }
    let reply =
      unknown.reply?.filled { $0 == "words" ? unknown.words : nil }
      ?? answers.words.reply(.unknown, ["words": unknown.words])
    guard !reply.isEmpty, !unknown.choices.isEmpty else { return reply.isEmpty ? nil : reply }
    let choices = unknown.choices.joined(separator: ", ")
    return "\(reply) \(answers.words.reply(.suggest, ["choices": choices]))"
  }

  /// The corrected intent of the newest open context that `turn` corrects; nil where it corrects none.
  private func correction(of open: OpenContexts, _ turn: Turn) -> PendingIntent? {
    for pending in open.intents where accepts(pending.name) {
      guard let answer = answers.interpret(turn.text, as: [.correction, .addition], of: pending.name),
        let slots = pending.assigningBareValues(answer.slots, sources[pending.intent])
      else { continue }
      var pending = pending
      pending.merge(slots, by: rules(of: pending), isMore: answer.kind == .addition)
      pending.confidence = min(pending.confidence, answer.confidence)
      return pending
    }
    return nil
  }

  private mutating func start(
    _ pending: PendingIntent, _ ranking: [Interpretation.Guess], _ open: OpenContexts, _ turn: Turn
  ) -> DialogueAction {
    let requirements = understander.file.intents[pending.intent].requirements
    if !requirements.speaker.allows(turn.speaker) { return refuse(pending, requirements, turn) }
    guard let name = requirements.repeats, var repeated = open[name] else {
      return resolve(pending, turn, ranking)
    }
    repeated.merge(pending.slots, by: rules(of: pending) + rules(of: repeated))
    repeated.confidence = pending.confidence
    return resolve(repeated, turn)
  }

  private mutating func refuse(_ pending: PendingIntent, _ requirements: IntentRequirements, _ turn: Turn)
    -> DialogueAction
  {
    phase = .idle
    var refused = interpretation(pending, .unsupported, turn)
    let reason: String
    switch requirements.speaker {
    case .names(let names):
      refused.reply = answers.words.reply(
        .others, ["voices": answers.words.listed(names, by: .or)])
      reason = "\(pending.name) needs the voice of \(names.joined(separator: " or "))"
    case .enrolled, .anyone:
      refused.reply = answers.words.reply(.stranger)
      reason = "\(pending.name) needs an enrolled voice"
    }
    if let own = requirements.refusal?.filled({ pending.words($0) }) { refused.reply = own }
    if turn.speaker == .undetermined { refused.reply = answers.words.reply(.untold) }
    return .end(refused, .refused(reason: "\(reason); the speaker is \(turn.speaker)"))
  }

  // MARK: Resolve, confirm, handle

  /// Checks the requirements of the intent in order. `answered` is the question that was answered.
  mutating func resolve(
    _ pending: PendingIntent, _ turn: Turn, _ ranking: [Interpretation.Guess]? = nil,
    answered: Question? = nil
  ) -> DialogueAction {
    let requirements = understander.file.intents[pending.intent].requirements
    if !requirements.allows(turn.speaker, isConfirmed: pending.isConfirmed) {
      return refuse(pending, requirements, turn)
    }
    if let problem = SlotProblem(pending, rules(of: pending), sources[pending.intent], answers) {
      let failures = answered.flatMap { problem.repeats($0) ? $0.failures + 1 : nil } ?? 0
      return ask(pending, problem, turn, ranking, failures: failures)
    }
    if !requirements.confirmations.isEmpty, !pending.isConfirmed {
      return ask(pending, Question(kind: .confirmation), turn, ranking)
    }
    var done = interpretation(pending, .ready, turn, ranking)
    let reply = pending.reply ?? understander.file.replies[pending.name]?["default"]
    done.reply = reply?.filled { pending.words($0) }
    done.replyTemplate = reply
    let before = contexts
    for name in requirements.ends { contexts.close(name) }
    for grant in requirements.sets { contexts.open(grant, with: pending) }
    phase = .handling(pending, before: before)
    return .handle(done)
  }

  private mutating func ask(
    _ pending: PendingIntent, _ problem: SlotProblem, _ turn: Turn, _ ranking: [Interpretation.Guess]?,
    failures: Int
  ) -> DialogueAction {
    switch problem {
    case .missing(let slot):
      return ask(pending, Question(kind: .value(slot), failures: failures), turn, ranking)
    case .ambiguous(let slot, let values):
      if failures > answers.words.attempts { return cancel(.gaveUp, turn) }
      return ask(pending, Question(kind: .choice(slot, values), failures: failures), turn, ranking)
    case .unsupported(let slot):
      if failures > answers.words.attempts { return cancel(.gaveUp, turn) }
      let reason = Question.reason(against: slot, of: pending, rules(of: pending), answers.words)
      var left = pending
      left.removeSlot(slot)
      var refused = interpretation(pending, .unsupported, turn, ranking)
      refused.prompt = reason
      phase = .asking(left, Question(kind: .value(slot), failures: failures))
      return .ask(refused)
    }
  }

  mutating func ask(
    _ pending: PendingIntent, _ question: Question, _ turn: Turn, _ ranking: [Interpretation.Guess]? = nil
  ) -> DialogueAction {
    var asked = interpretation(pending, question.status, turn, ranking)
    asked.prompt = question.prompt(
      about: pending, understander.file.intents[pending.intent], sources[pending.intent], answers)
    phase = .asking(pending, question)
    return .ask(asked)
  }

  /// Ends the dialogue without handling an intent.
  mutating func cancel(
    _ ending: DialogueAction.Ending, reply: DialogueWords.Reply? = nil, _ turn: Turn
  ) -> DialogueAction {
    phase = .idle
    var left = Interpretation(text: turn.text, language: understander.language)
    if ending == .cancelled {
      left.intent = Interpretation.Guess(name: "Cancel", confidence: 1)
      left.ranking = [Interpretation.Guess(name: "Cancel", confidence: 1)]
      left.status = .ready
    }
    left.traits = understander.traits(of: turn.text)
    left.reply = answers.words.reply(reply ?? (ending == .gaveUp ? .gaveUp : .cancelled))
    return .end(left, ending)
  }

  // MARK: Parts

  func rules(of pending: PendingIntent) -> [SlotRule] { understander.file.intents[pending.intent].slots }

  private func interpretation(
    _ pending: PendingIntent, _ status: Interpretation.Status, _ turn: Turn,
    _ ranking: [Interpretation.Guess]? = nil
  ) -> Interpretation {
    let guess = Interpretation.Guess(name: pending.name, confidence: pending.confidence)
    var interpretation = Interpretation(
      text: turn.text, language: understander.language, intent: guess, slots: pending.slots,
      ranking: ranking ?? [guess], status: status)
    interpretation.traits = understander.traits(of: turn.text)
    return interpretation
  }
}

/// What the caller of a ``DialogueStateMachine`` must do after a turn.
public enum DialogueAction: Sendable, Equatable {
  /// Handle the intent, then report the result with ``DialogueStateMachine/handled(succeeded:)``.
  case handle(Interpretation)
  /// Say the `prompt` and listen again.
  case ask(Interpretation)
  /// The speaker is not allowed to answer: say the `prompt`, which repeats the question, and listen again; log `reason`.
  case refuse(Interpretation, reason: String)
  /// Say the `reply`, if there is one; there is nothing to handle.
  case end(Interpretation, Ending)

  /// Why there is nothing to handle.
  public enum Ending: Sendable, Equatable {
    case notUnderstood
    /// The user cancelled the dialogue.
    case cancelled
    /// The question was repeated up to the limit without an answer.
    case gaveUp
    /// The speaker is not allowed; log `reason`.
    case refused(reason: String)
  }

  /// The interpretation to report.
  public var interpretation: Interpretation {
    switch self {
    case .handle(let interpretation), .ask(let interpretation), .refuse(let interpretation, _),
      .end(let interpretation, _):
      interpretation
    }
  }
}
