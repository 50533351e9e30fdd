import Platform
import Understanding

/// A conversation: resolve → confirm → handle, turn by turn, over what an ``Understander`` makes of each text.
///
/// A state machine without clock, threads or I/O: `process` takes what was said and returns what to do about it.
///
/// | state | heard | to | action |
/// |---|---|---|---|
/// | idle, handling | an intent | by its needs, below | |
/// | idle, handling | a correction of an open context's intent | by its needs | |
/// | idle, handling | "never mind" | idle | end: cancelled |
/// | idle, handling | anything else | idle | the fallback intent, or end: notUnderstood |
/// | asking | an answer to the question, or a correction | by its needs | |
/// | asking | the same by a voice that may not | asking, or idle after `attempts` of it | refuse, or end: refused |
/// | asking | a yes or a no with a change | by its needs, a confirmation once more | |
/// | asking | "no" with anything but another intent, to a confirmation | idle | end: cancelled |
/// | asking | "never mind"; "no" | idle | end: cancelled |
/// | asking | another intent | by its needs | |
/// | asking | anything else | asking, or idle after `attempts` of it | ask again, or end: gaveUp |
/// | any | anything later than `timeout` after the last turn | as from idle, without contexts | |
///
/// The needs of an intent, the first that it has:
///
/// | need | to | action |
/// |---|---|---|
/// | a voice that is not the speaker's | idle | end: refused |
/// | a slot without a value, with several, with one that it does not take | asking | ask |
/// | a confirmation | asking | ask |
/// | none | handling | handle; its contexts open or end, and are as before where `handled` says that it failed |
///
/// Where an intent wants a voice, so do the answers to its questions: all but "no" and "never mind". Where a confirmation
/// follows, an answer whose voice is not told is taken all the same, but for the confirmation.
public struct DialogueStateMachine: Sendable {
  public enum State: Sendable, Equatable {
    case idle
    /// A question about the intent called so is open.
    case asking(intent: String)
    /// The intent called so is carried out.
    case handling(intent: String)
  }

  let understander: Understander
  let answers: Answers
  let sources: [[String: SlotSource]]
  private(set) var phase = Phase.idle
  var contexts = Contexts()
  private var lastTurn: Double?

  enum Phase: Sendable {
    case idle
    case asking(Draft, Question)
    /// `before`: the contexts to go back to when it fails.
    case handling(Draft, before: Contexts)
  }

  /// - Throws: ``IntentFileFault`` for words of the conversation that cannot be compiled.
  public init(_ understander: Understander) throws(IntentFileFault) {
    self.understander = understander
    answers = try Answers(for: understander)
    sources = understander.file.intents.map { intent in
      intent.asks ? SlotSource.sources(of: intent, in: understander.file) : [:]
    }
  }

  /// Seconds after the last turn in which a dialogue ends.
  package var timeout: Double { answers.words.timeout }

  /// Whether the intent file requires a voice or a confirmation before `intent` is carried out.
  package func guards(_ intent: String) -> Bool {
    understander.file.intents.contains {
      $0.name == intent && ($0.demands.voice != .anyone || !$0.demands.confirmations.isEmpty)
    }
  }

  public var state: State {
    switch phase {
    case .idle: .idle
    case .asking(let draft, _): .asking(intent: draft.name)
    case .handling(let draft, _): .handling(intent: draft.name)
    }
  }

  /// Takes the text of a turn.
  ///
  /// - Parameters:
  ///   - time: seconds on any clock that does not go back.
  ///   - voice: who spoke.
  public mutating func process(
    _ text: String, at time: Double, by voice: TurnSpeaker = .notEnrolled
  ) -> DialogueAction {
    if let lastTurn, time - lastTurn > answers.words.timeout {
      phase = .idle
      contexts = Contexts()
    }
    lastTurn = time
    let turn = Turn(text: text, voice: voice)
    if case .asking(let draft, let question) = phase { return answer(draft, question, turn) }
    return begin(turn)
  }

  /// Takes how carrying out went; where it failed, nothing is left to come back to.
  public mutating func handled(succeeded: Bool) {
    guard case .handling(_, let before) = phase else { return }
    if !succeeded { contexts = before }
    phase = .idle
  }

  /// What was said now.
  struct Turn {
    let text: String
    let voice: TurnSpeaker
    /// The code points at its beginning that have been taken for something else already.
    var skipped = 0

    init(text: String, voice: TurnSpeaker) {
      self.text = text
      self.voice = voice
    }

    /// What is left of the text.
    var words: String { String(String.UnicodeScalarView(text.unicodeScalars.dropFirst(skipped))) }
  }

  // MARK: Without a question

  mutating func begin(_ turn: Turn) -> DialogueAction {
    phase = .idle
    let open = contexts
    contexts.age()
    let heard = understander.interpret(turn.words, context: open.known)
    if var draft = Draft(heard, in: understander.file, open) {
      draft.slots = draft.slots.map { $0.moved(by: turn.skipped) }
      return start(draft, heard.ranking, open, turn)
    }
    if let draft = correction(of: open, turn) { return resolve(draft, turn) }
    if answers.interpret(turn.text, as: [.cancel, .trailing]) != nil { return cancel(nil, .cancelled, turn) }
    if let index = understander.file.intents.firstIndex(where: { $0.demands.isFallback }) {
      let intent = understander.file.intents[index]
      let draft = Draft(
        intent: index, name: intent.name, slots: [], confidence: 0,
        reply: understander.file.replies[intent.name]?["default"])
      return start(draft, [], open, turn)
    }
    return .end(heard, .notUnderstood)
  }

  /// The newest open context's intent that `turn` corrects.
  private func correction(of open: Contexts, _ turn: Turn) -> Draft? {
    for draft in open.drafts {
      guard let said = answers.interpret(turn.text, as: [.correction, .addition], of: draft.name),
        let slots = draft.placing(said.slots, sources[draft.intent])
      else { continue }
      var draft = draft
      draft.take(slots, by: rules(of: draft), isMore: said.kind == .addition)
      draft.confidence = min(draft.confidence, said.confidence)
      return draft
    }
    return nil
  }

  private mutating func start(
    _ draft: Draft, _ ranking: [Interpretation.Guess], _ open: Contexts, _ turn: Turn
  ) -> DialogueAction {
    let demands = understander.file.intents[draft.intent].demands
    if !demands.voice.admits(turn.voice) { return refuse(draft, demands, turn) }
    guard let name = demands.repeats, var repeated = open[name] else { return resolve(draft, turn, ranking) }
    repeated.take(draft.slots, by: rules(of: draft) + rules(of: repeated))
    repeated.confidence = draft.confidence
    return resolve(repeated, turn)
  }

  private mutating func refuse(_ draft: Draft, _ demands: Demands, _ turn: Turn) -> DialogueAction {
    phase = .idle
    var refused = interpretation(draft, .unsupported, turn)
    let reason: String
    switch demands.voice {
    case .names(let names):
      refused.reply = answers.words.reply(
        .others, ["voices": answers.words.listed(names, by: .or)])
      reason = "\(draft.name) needs the voice of \(names.joined(separator: " or "))"
    case .enrolled, .anyone:
      refused.reply = answers.words.reply(.stranger)
      reason = "\(draft.name) needs an enrolled voice"
    }
    if let own = demands.refusal?.filled({ draft.words($0) }) { refused.reply = own }
    if turn.voice == .undetermined { refused.reply = answers.words.reply(.untold) }
    return .end(refused, .refused(reason: "\(reason); the speaker is \(turn.voice)"))
  }

  // MARK: Resolve, confirm, handle

  /// What the draft needs next, `answered` being the question that it comes from.
  mutating func resolve(
    _ draft: Draft, _ turn: Turn, _ ranking: [Interpretation.Guess]? = nil, answered: Question? = nil
  ) -> DialogueAction {
    let demands = understander.file.intents[draft.intent].demands
    if !demands.admits(turn.voice, isConfirmed: draft.isConfirmed) { return refuse(draft, demands, turn) }
    if let need = Need(draft, rules(of: draft), sources[draft.intent], answers) {
      let failures = answered.flatMap { need.repeats($0) ? $0.failures + 1 : nil } ?? 0
      return ask(draft, need, turn, ranking, failures: failures)
    }
    if !demands.confirmations.isEmpty, !draft.isConfirmed {
      return ask(draft, Question(kind: .confirmation), turn, ranking)
    }
    var done = interpretation(draft, .ready, turn, ranking)
    let reply = draft.reply ?? understander.file.replies[draft.name]?["default"]
    done.reply = reply?.filled { draft.words($0) }
    let before = contexts
    for name in demands.ends { contexts.close(name) }
    for grant in demands.sets { contexts.open(grant, with: draft) }
    phase = .handling(draft, before: before)
    return .handle(done)
  }

  private mutating func ask(
    _ draft: Draft, _ need: Need, _ turn: Turn, _ ranking: [Interpretation.Guess]?, failures: Int
  ) -> DialogueAction {
    switch need {
    case .value(let slot):
      return ask(draft, Question(kind: .value(slot), failures: failures), turn, ranking)
    case .choice(let slot, let values):
      if failures > answers.words.attempts { return cancel(draft, .gaveUp, turn) }
      return ask(draft, Question(kind: .choice(slot, values), failures: failures), turn, ranking)
    case .other(let slot):
      if failures > answers.words.attempts { return cancel(draft, .gaveUp, turn) }
      let reason = Question.reason(against: slot, of: draft, rules(of: draft), answers.words)
      var left = draft
      left.forget(slot)
      var refused = interpretation(draft, .unsupported, turn, ranking)
      refused.prompt = reason
      phase = .asking(left, Question(kind: .value(slot), failures: failures))
      return .ask(refused)
    }
  }

  mutating func ask(
    _ draft: Draft, _ question: Question, _ turn: Turn, _ ranking: [Interpretation.Guess]? = nil
  ) -> DialogueAction {
    var asked = interpretation(draft, question.status, turn, ranking)
    asked.prompt = question.prompt(
      about: draft, understander.file.intents[draft.intent], sources[draft.intent], answers)
    phase = .asking(draft, question)
    return .ask(asked)
  }

  /// Ends it: taken back, declined or given up.
  mutating func cancel(
    _ draft: Draft?, _ ending: DialogueAction.Ending, reply: DialogueWords.Reply? = nil, _ turn: Turn
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

  func rules(of draft: Draft) -> [SlotRule] { understander.file.intents[draft.intent].slots }

  private func interpretation(
    _ draft: Draft, _ status: Interpretation.Status, _ turn: Turn, _ ranking: [Interpretation.Guess]? = nil
  ) -> Interpretation {
    let guess = Interpretation.Guess(name: draft.name, confidence: draft.confidence)
    var interpretation = Interpretation(
      text: turn.text, language: understander.language, intent: guess, slots: draft.slots,
      ranking: ranking ?? [guess], status: status)
    interpretation.traits = understander.traits(of: turn.text)
    return interpretation
  }
}
