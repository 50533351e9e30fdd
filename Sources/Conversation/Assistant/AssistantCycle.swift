import PCM
import Platform

/// The cycle of one conversation: wake → listen → recognize → understand → act → idle.
///
/// A state machine without clock, threads or I/O: `advance` takes what happened and returns what to do, in order.
///
/// | state | input | to | actions |
/// |---|---|---|---|
/// | idle | woke | listening | report wake, listening; startRecognizer; feed the pre-roll |
/// | listening | frame, gap | listening | feed |
/// | listening | frame that ends the speech; a gap over `longestGap`; streamEnded | recognizing | feed, finishRecognizer |
/// | listening | frame: no speech in time | idle | cancelRecognizer, report idle |
/// | listening | deviceLost | idle | cancelRecognizer, report device, error, idle |
/// | listening | woke within `repeatWindow`, or as the first word | listening | as from idle, after cancelRecognizer and idle |
/// | listening, recognizing | partial | same | report partial |
/// | listening | frame: a stopping phrase has stood at the end of the partial result for `settling` | recognizing | feed, finishRecognizer |
/// | listening, recognizing | transcript with text | understanding | (finishRecognizer,) report transcript; understand |
/// | listening, recognizing | transcript without text | idle | (finishRecognizer,) report transcript, idle |
/// | understanding | understood: ready | acting | report intent; act |
/// | understanding | understood: ask | asking | report intent, prompt; ask |
/// | understanding | understood: refused, cancelled | idle | report intent, (reply,) idle |
/// | understanding | understood: forbidden | idle | report intent, error, (reply,) idle |
/// | asking | asked | listening | report listening; startRecognizer with a new session; feed |
/// | asking | streamEnded | idle | interrupt, report idle |
/// | acting | acted | acting | report action |
/// | acting | handled | idle | report action, (reply,) idle |
/// | recognizing … acting | the state's failure | idle | (cancelRecognizer,) report error, idle |
/// | recognizing … acting | a frame or gap past the deadline | idle | cancelRecognizer or interrupt, report error, idle |
/// | recognizing … acting | woke | listening | as from idle, after cancelRecognizer or interrupt, and idle |
/// | idle | woke, where `listensAfterWake` is false | idle | report wake, idle |
/// | idle | summoned, with a prompt | asking | report prompt; ask |
/// | idle | summoned, without | listening | report listening; startRecognizer; feed |
/// | listening, recognizing | transcript, where a text alone was wanted | idle | (finishRecognizer,) report transcript, idle |
/// | listening | dismissed, with its result | recognizing | feed, finishRecognizer |
/// | listening … acting | dismissed, without | idle | cancelRecognizer or interrupt, report idle |
/// | any | trouble | same | report error |
/// | any | rang | same | report action |
/// | any | an answer with another session's number, or one that the state does not wait for | same | none |
///
/// Every other input changes nothing but the stream's position. A hotword inside a command (later than
/// `repeatWindow` after its start, and other words before it) is a part of the command. Each `wake` is followed by exactly one `idle` before the
/// next, provided that the owner answers what it was asked to do; while no frames come (device lost, stream ended)
/// deadlines do not pass, so the owner's own time-outs must answer.
public struct AssistantCycle: Sendable {
  public enum State: Sendable, Equatable {
    case idle
    /// The recognizer has been given all samples of `from..<fed`.
    case listening(from: SampleIndex, fed: SampleIndex)
    case recognizing(deadline: SampleIndex)
    case understanding(deadline: SampleIndex)
    case asking(deadline: SampleIndex)
    case acting(deadline: SampleIndex)
  }

  /// Seconds by which a hotword may seem to begin later than what is said.
  private static let firstWord = 0.3

  public private(set) var settings: Settings
  public private(set) var state: State = .idle
  /// The current or last session; 0 before the first.
  public private(set) var session: Session = 0
  /// The stream's position.
  public private(set) var position: SampleIndex = 0
  private var endOfSpeech: EndOfSpeech
  private var isOver = false
  private var goal = Goal.command
  /// The end of a hotword that nobody has listened after.
  private var unheeded: SampleIndex?
  /// Where the stream ends the listening, because the partial result ends with a stopping phrase.
  private var stop: SampleIndex?
  /// Where something was said that is listened to; nil while nothing was.
  private var spoken: SampleIndex?

  public init(_ settings: Settings = Settings()) {
    self.settings = settings
    endOfSpeech = EndOfSpeech(settings.endOfSpeech)
  }

  /// Goes on with other settings; only while idle.
  public mutating func change(_ settings: Settings) {
    precondition(state == .idle)
    self.settings = settings
    endOfSpeech.change(settings.endOfSpeech)
  }

  /// Takes one input and returns what to do, in order.
  public mutating func advance(_ input: AssistantInput) -> [AssistantAction] {
    switch input {
    case .frame(let end, let voiced, let level):
      let speech = endOfSpeech.push(voiced: voiced, level: level)
      return move(to: end, speech)
    case .gap(let end): return gap(to: end)
    case .woke(let wake): return woke(wake)
    case .summoned(let prompt, let goal): return summoned(prompt, goal)
    case .dismissed(let wantsResult): return dismissed(wantsResult)
    case .deviceLost: return deviceLost()
    case .deviceRecovered: return [report(.device(.recovered))]
    case .streamEnded: return streamEnded()
    case .trouble(let code, let message): return [report(.error(code: code, message: message))]
    case .rang(let result): return [report(.action(result: result))]
    case .partial(let number, _), .transcript(let number, _, _), .recognitionFailed(let number, _, _),
      .understood(let number, _, _), .understandingFailed(let number, _, _), .asked(let number, _),
      .acted(let number, _), .handled(let number, _, _), .handlingFailed(let number, _, _):
      return number == session ? answered(input) : []
    }
  }

  private mutating func answered(_ input: AssistantInput) -> [AssistantAction] {
    switch (state, input) {
    case (.listening, .partial(_, let text)):
      let settled = position + AudioFormat.samples(settings.stopping.settling)
      stop = settings.stopping.end(text) ? settled : nil
      return [report(.partial(text: text))]
    case (.recognizing, .partial(_, let text)): return [report(.partial(text: text))]
    case (.listening, .transcript(_, let text, let result)):
      return [.finishRecognizer(session)] + heard(text, result)
    case (.recognizing, .transcript(_, let text, let result)):
      return heard(text, result)
    case (.listening, .recognitionFailed(_, let code, let message)),
      (.recognizing, .recognitionFailed(_, let code, let message)):
      return [.cancelRecognizer(session)] + fail(code, message)
    case (.understanding, .understood(_, let outcome, let result)):
      return [report(.intent(result: result))] + understood(outcome)
    case (.understanding, .understandingFailed(_, let code, let message)),
      (.acting, .handlingFailed(_, let code, let message)),
      (.asking, .handlingFailed(_, let code, let message)):
      return fail(code, message)
    case (.asking, .asked(_, let end)):
      return isOver ? rest(.streamEnded) : listen(from: end)
    case (.acting, .acted(_, let result)): return [report(.action(result: result))]
    case (.acting, .handled(_, let reply, let result)):
      return [report(.action(result: result))] + replied(reply) + rest(.done)
    default: return []
    }
  }

  private mutating func move(to end: SampleIndex, _ speech: EndOfSpeech.State) -> [AssistantAction] {
    position = max(position, end)
    guard case .listening = state else { return overdue() }
    if case .speaking = speech, spoken == nil { spoken = position }
    if let stop, position >= stop { return finish() }
    switch (speech, goal) {
    case (.ended(.silence), .text(endsBySilence: false)), (.ended(.noSpeech), .text(endsBySilence: false)):
      return feed()
    case (.ended(.noSpeech), _): return [.cancelRecognizer(session)] + rest(.noSpeech)
    case (.ended, _): return finish()
    case (.idle, _) where isTooLong: return finish()
    case (.idle, _), (.waiting, _), (.speaking, _): return feed()
    }
  }

  /// Whether what is listened to has reached its longest, silence or not.
  private var isTooLong: Bool {
    guard case .listening(let from, _) = state else { return false }
    return AudioFormat.seconds(position - from) >= settings.endOfSpeech.longest
  }

  private mutating func gap(to end: SampleIndex) -> [AssistantAction] {
    let lost = end - position
    position = max(position, end)
    let overrun = [report(.device(.overrun))]
    guard case .listening = state else { return overrun + overdue() }
    return overrun + (AudioFormat.seconds(lost) > settings.longestGap ? finish() : feed())
  }

  private mutating func woke(_ wake: Wake) -> [AssistantAction] {
    var actions: [AssistantAction] = []
    switch state {
    case .idle: break
    case .listening(let from, _):
      guard isCall(wake, listeningFrom: from) else { return [] }
      actions = [.cancelRecognizer(session)] + rest(.interrupted)
    case .recognizing: actions = [.cancelRecognizer(session)] + rest(.interrupted)
    case .understanding, .asking, .acting: actions = [.interrupt(session)] + rest(.interrupted)
    }
    guard !isOver else { return actions }
    let prominence = Double(endOfSpeech.recentProminence)
    actions.append(report(.wake(wake, snr: prominence > 0 ? prominence : nil)))
    goal = .command
    guard settings.listensAfterWake else {
      unheeded = wake.end
      return actions + rest(.handedOver)
    }
    return actions + listen(from: wake.end)
  }

  /// Whether a hotword calls anew, and is no part of what is said.
  private func isCall(_ wake: Wake, listeningFrom from: SampleIndex) -> Bool {
    if wake.start - from <= AudioFormat.samples(settings.repeatWindow) { return true }
    return spoken.map { wake.start - $0 <= AudioFormat.samples(Self.firstWord) } ?? true
  }

  private mutating func summoned(_ prompt: String?, _ goal: Goal) -> [AssistantAction] {
    guard case .idle = state, !isOver else { return [] }
    self.goal = goal
    if let prompt, !prompt.isEmpty {
      session += 1
      state = .asking(deadline: deadline(settings.handlingTimeout))
      return [report(.prompt(text: prompt)), .ask(session, prompt: prompt)]
    }
    let since = unheeded.map { position - $0 }
    unheeded = nil
    let window = AudioFormat.samples(settings.summonsWindow)
    return listen(from: position - (since.map { $0 <= window ? $0 : 0 } ?? 0))
  }

  private mutating func dismissed(_ wantsResult: Bool) -> [AssistantAction] {
    switch state {
    case .idle: return []
    case .listening where wantsResult: return finish()
    case .listening: return [.cancelRecognizer(session)] + rest(.cancelled)
    case .recognizing: return wantsResult ? [] : [.cancelRecognizer(session)] + rest(.cancelled)
    case .understanding, .asking, .acting: return [.interrupt(session)] + rest(.cancelled)
    }
  }

  private mutating func listen(from: SampleIndex) -> [AssistantAction] {
    session += 1
    stop = nil
    state = .listening(from: from, fed: from)
    let speech = endOfSpeech.begin(lookingBack: max(0, position - from) / AudioFormat.frameLength)
    let actions = [report(.listening), .startRecognizer(session, from: from)]
    spoken = speech == .speaking ? position : nil
    if case .ended = speech { return actions + finish() }
    return actions + feed()
  }

  private mutating func feed() -> [AssistantAction] {
    guard case .listening(let from, let fed) = state, fed < position else { return [] }
    state = .listening(from: from, fed: position)
    return [.feed(session, range: fed..<position)]
  }

  private mutating func finish() -> [AssistantAction] {
    let actions = feed() + [.finishRecognizer(session)]
    endOfSpeech.cancel()
    state = .recognizing(deadline: deadline(settings.recognitionTimeout))
    return actions
  }

  private mutating func heard(_ text: String, _ result: JSON) -> [AssistantAction] {
    endOfSpeech.cancel()
    let transcript = report(.transcript(result: result))
    if text.isEmpty { return [transcript] + rest(.noSpeech) }
    if case .text = goal { return [transcript] + rest(.handedOver) }
    state = .understanding(deadline: deadline(settings.understandingTimeout))
    return [transcript, .understand(session, text: settings.stopping.stripped(text))]
  }

  private mutating func understood(_ outcome: Understood) -> [AssistantAction] {
    switch outcome {
    case .ready:
      state = .acting(deadline: deadline(settings.handlingTimeout))
      return [.act(session)]
    case .ask(let prompt):
      state = .asking(deadline: deadline(settings.handlingTimeout))
      return [report(.prompt(text: prompt)), .ask(session, prompt: prompt)]
    case .refused(let reply): return replied(reply) + rest(.refused)
    case .cancelled(let reply): return replied(reply) + rest(.cancelled)
    case .forbidden(let reply, let reason):
      let code = ExitCode.permission.rawValue
      return [report(.error(code: code, message: reason))] + replied(reply) + rest(.refused)
    }
  }

  private mutating func deviceLost() -> [AssistantAction] {
    let lost = report(.device(.lost))
    guard case .listening = state else { return [lost] }
    let failure = fail(ExitCode.inputOutput.rawValue, "the capture device was lost while listening")
    return [.cancelRecognizer(session), lost] + failure
  }

  private mutating func streamEnded() -> [AssistantAction] {
    isOver = true
    switch state {
    case .listening: return finish()
    case .asking: return [.interrupt(session)] + rest(.streamEnded)
    case .idle, .recognizing, .understanding, .acting: return []
    }
  }

  private mutating func overdue() -> [AssistantAction] {
    let code = ExitCode.unavailable.rawValue
    switch state {
    case .recognizing(let deadline) where position >= deadline:
      return [.cancelRecognizer(session)]
        + fail(code, "the recognizer did not answer within \(settings.recognitionTimeout) s")
    case .understanding(let deadline) where position >= deadline:
      return [.interrupt(session)]
        + fail(code, "understanding took longer than \(settings.understandingTimeout) s")
    case .asking(let deadline) where position >= deadline, .acting(let deadline) where position >= deadline:
      return [.interrupt(session)]
        + fail(code, "the handler did not answer within \(settings.handlingTimeout) s")
    default: return []
    }
  }

  private mutating func fail(_ code: Int32, _ message: String) -> [AssistantAction] {
    [report(.error(code: code, message: message))] + rest(.failed)
  }

  private mutating func rest(_ reason: AssistantEvent.IdleReason) -> [AssistantAction] {
    endOfSpeech.cancel()
    state = .idle
    return [report(.idle(reason))]
  }

  private func replied(_ reply: String?) -> [AssistantAction] {
    guard let reply, !reply.isEmpty else { return [] }
    return [report(.reply(text: reply))]
  }

  private func deadline(_ seconds: Double) -> SampleIndex { position + AudioFormat.samples(seconds) }

  private func report(_ kind: AssistantEvent.Kind) -> AssistantAction {
    .report(AssistantEvent(at: position, kind))
  }
}
