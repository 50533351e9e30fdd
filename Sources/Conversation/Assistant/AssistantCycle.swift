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
/// | listening | a gap over `longestGap` before the first frame | listening | cancelRecognizer; startRecognizer with a new session after the gap |
/// | listening | deviceLost | idle | cancelRecognizer, report device, error, (reply,) idle |
/// | listening | deviceLost before the first frame | listening | report device |
/// | listening | woke within `repeatWindow`, or as the first word | listening | as from idle, after cancelRecognizer and idle |
/// | listening, recognizing | partial | same | report partial |
/// | listening | frame: a stopping phrase has stood at the end of the partial result for `settling` | recognizing | feed, finishRecognizer |
/// | listening | sentenceEnded | recognizing | finishRecognizer |
/// | listening, recognizing | transcript with text | understanding | (finishRecognizer,) report transcript; understand |
/// | listening, recognizing | transcript without text, somebody spoke | understanding | (finishRecognizer,) report transcript; understand "" |
/// | listening, recognizing | transcript without text, nobody spoke | idle | (finishRecognizer,) report transcript, idle |
/// | understanding | understood: ready | acting | report intent; act |
/// | understanding | understood: ask | asking | report intent, prompt; ask |
/// | understanding | understood: notUnderstood, cancelled | idle | report intent, (reply,) idle |
/// | understanding | understood: forbidden | idle | report intent, error, (reply,) idle |
/// | asking | asked | listening | report listening; startRecognizer with a new session; feed |
/// | asking | streamEnded | idle | interrupt, report idle |
/// | acting | acted | acting | report action |
/// | acting | handled | idle | report action, (reply,) idle |
/// | recognizing … acting | the state's failure | idle | (cancelRecognizer,) report error, (reply,) idle |
/// | listening | waited for as long as nobody may speak | idle | cancelRecognizer, report error, (reply,) idle |
/// | recognizing … acting | a frame, a gap or a wait past the deadline | idle | cancelRecognizer or interrupt, report error, (reply,) idle |
/// | recognizing | recognizerAdvanced | recognizing | none; the deadline begins anew |
/// | recognizing | woke | recognizing | none; the hotword waits |
/// | understanding … acting | woke | listening | as from idle, after interrupt and idle |
/// | understanding, acting | woke, while the hotword waits | same | none |
/// | idle, asking | while a hotword waits | listening | as for woke |
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
/// Every other input changes nothing but the stream's position. A hotword inside a command (later than `repeatWindow` after
/// its start, and other words before it) is a part of the command. A slow recognizer costs time and never a command: its
/// deadline begins anew with each step it makes, and a hotword that comes while it works waits until the command before it
/// is carried out. Each `wake` is followed by exactly one `idle` before the next, provided that the owner answers each
/// action; while no frames come, deadlines pass by `waited` alone, and after the end of the stream the owner's own time-outs must answer.
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

  /// Seconds by which a hotword's estimated start may lie behind the start of the speech it is in.
  private static let firstWord = 0.3

  public private(set) var settings: Settings
  public private(set) var state: State = .idle
  /// The current or last session; 0 before the first.
  public private(set) var session: Session = 0
  /// The stream's position.
  public private(set) var position: SampleIndex = 0
  /// How far the stream would be, while the device is lost.
  private var clock: SampleIndex = 0
  private var now: SampleIndex { max(position, clock) }
  /// When the listening began.
  private var began: SampleIndex = 0
  private var endOfSpeech: EndOfSpeech
  private var isOver = false
  private var goal = Goal.command
  /// The intents that the command may have; nil for all.
  public var intents: [String]? { if case .intents(let names) = goal { names } else { nil } }
  /// The end of a hotword that was reported without listening after it.
  private var handedOverWake: SampleIndex?
  /// The stream position that ends the listening, because the partial result ends with a stopping phrase.
  private var stop: SampleIndex?
  /// Where the user began to speak; nil before.
  private var spoken: SampleIndex?
  /// Whether the recognizer of this session has loaded.
  private var isLoaded = false
  /// Hotwords that wait until the command before them is carried out, in order, with their signal-to-noise ratios.
  private var waiting: [(wake: Wake, snr: Double?)] = []

  public init(_ settings: Settings = Settings()) {
    self.settings = settings
    endOfSpeech = EndOfSpeech(settings.endOfSpeech)
  }

  /// Continues with other settings; only while idle.
  public mutating func change(_ settings: Settings) {
    precondition(state == .idle)
    self.settings = settings
    endOfSpeech.change(settings.endOfSpeech)
  }

  /// Takes one input and returns what to do, in order.
  public mutating func advance(_ input: AssistantInput) -> [AssistantAction] {
    var actions = take(input)
    while mayOpen, !waiting.isEmpty {
      let (wake, snr) = waiting.removeFirst()
      actions += open(wake, snr)
    }
    return actions
  }

  /// Whether a hotword that waits may open its conversation.
  private var mayOpen: Bool {
    switch state {
    case .idle, .asking: true
    case .listening, .recognizing, .understanding, .acting: false
    }
  }

  private mutating func take(_ input: AssistantInput) -> [AssistantAction] {
    switch input {
    case .frame(let end, let voiced, let level):
      let speech = endOfSpeech.push(voiced: voiced, level: level)
      return move(to: end, speech)
    case .gap(let end): return gap(to: end)
    case .woke(let wake): return woke(wake)
    case .summoned(let prompt, let goal): return summoned(prompt, goal)
    case .dismissed(let wantsResult): return dismissed(wantsResult)
    case .deviceLost: return deviceLost()
    case .waited(let until): return waited(until)
    case .deviceRecovered:
      clock = 0
      return [report(.device(.recovered))]
    case .streamEnded: return streamEnded()
    case .trouble(let code, let message): return [report(.error(code: code, message: message))]
    case .rang(let result): return [report(.action(result: result))]
    case .recognizerAdvanced(let number), .partial(let number, _), .sentenceEnded(let number),
      .transcript(let number, _, _),
      .recognitionFailed(let number, _, _),
      .understood(let number, _, _), .understandingFailed(let number, _, _), .asked(let number, _),
      .acted(let number, _), .handled(let number, _, _), .handlingFailed(let number, _, _):
      return number == session ? answered(input) : []
    }
  }

  private mutating func answered(_ input: AssistantInput) -> [AssistantAction] {
    if case .recognizerAdvanced = input { isLoaded = true }
    switch (state, input) {
    case (.listening, .partial(_, let text)):
      let settled = position + AudioFormat.samples(settings.stopping.settling)
      stop = settings.stopping.end(text) ? settled : nil
      return [report(.partial(text: text))]
    case (.listening, .sentenceEnded): return goal == .text(endsBySilence: false) ? [] : finish()
    case (.recognizing, .partial(_, let text)): return [report(.partial(text: text))]
    case (.recognizing, .recognizerAdvanced):
      state = .recognizing(deadline: deadline(settings.recognitionTimeout))
      return []
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
    let start = position
    position = max(position, end)
    let overrun = [report(.device(.overrun))]
    guard case .listening(let from, _) = state else { return overrun + overdue() }
    guard AudioFormat.seconds(end - start) > settings.longestGap else { return overrun + feed() }
    return overrun + (from < start ? finish() : beginAgain())
  }

  /// Listens from here on: the audio of the session begins after the gap, as that of a sender that is quiet between sessions.
  private mutating func beginAgain() -> [AssistantAction] {
    [.cancelRecognizer(session), begin(from: position)]
  }

  /// Begins a session of listening.
  private mutating func begin(from start: SampleIndex) -> AssistantAction {
    session += 1
    stop = nil
    isLoaded = false
    began = now
    state = .listening(from: start, fed: start)
    return .startRecognizer(session, from: start)
  }

  private mutating func waited(_ until: SampleIndex) -> [AssistantAction] {
    clock = max(clock, until)
    guard case .listening = state else { return overdue() }
    guard AudioFormat.seconds(now - began) >= settings.endOfSpeech.noSpeech else { return [] }
    return [.cancelRecognizer(session)] + fail(ExitCode.inputOutput.rawValue, "the capture device is lost")
  }

  private mutating func woke(_ wake: Wake) -> [AssistantAction] {
    let prominence = Double(endOfSpeech.recentProminence)
    let snr = prominence > 0 ? prominence : nil
    guard !isOver else { return [] }
    switch state {
    case .idle, .asking: return open(wake, snr)
    case .listening(let from, _): return isCall(wake, listeningFrom: from) ? open(wake, snr) : []
    case .recognizing:
      hold(wake, snr)
      return []
    case .understanding, .acting:
      if waiting.isEmpty { return open(wake, snr) }
      hold(wake, snr)
      return []
    }
  }

  /// Lets a hotword wait; a repeated call replaces the one before it.
  private mutating func hold(_ wake: Wake, _ snr: Double?) {
    if let last = waiting.last?.wake, wake.start - last.end <= AudioFormat.samples(settings.repeatWindow) {
      waiting.removeLast()
    }
    waiting.append((wake, snr))
  }

  /// Ends what is open and listens after `wake`.
  private mutating func open(_ wake: Wake, _ snr: Double?) -> [AssistantAction] {
    var actions: [AssistantAction] =
      switch state {
      case .idle: []
      case .listening, .recognizing: [.cancelRecognizer(session)] + rest(.interrupted)
      case .understanding, .asking, .acting: [.interrupt(session)] + rest(.interrupted)
      }
    actions.append(report(.wake(wake, snr: snr)))
    goal = .command
    guard settings.listensAfterWake else {
      handedOverWake = wake.commandStart
      return actions + rest(.handedOver)
    }
    return actions + listen(from: wake.commandStart)
  }

  /// Whether a hotword is a new call and not a part of the command.
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
    let since = handedOverWake.map { position - $0 }
    handedOverWake = nil
    let window = AudioFormat.samples(settings.summonsWindow)
    return listen(from: position - (since.map { $0 <= window ? $0 : 0 } ?? 0))
  }

  private mutating func dismissed(_ wantsResult: Bool) -> [AssistantAction] {
    if isOver { waiting = [] }
    switch state {
    case .idle: return []
    case .listening where wantsResult: return finish()
    case .listening: return [.cancelRecognizer(session)] + rest(.cancelled)
    case .recognizing: return wantsResult ? [] : [.cancelRecognizer(session)] + rest(.cancelled)
    case .understanding, .asking, .acting: return [.interrupt(session)] + rest(.cancelled)
    }
  }

  private mutating func listen(from: SampleIndex) -> [AssistantAction] {
    let start = begin(from: from)
    let past = min(max(0, position - from) / AudioFormat.frameLength, EndOfSpeech.memory)
    let speech = endOfSpeech.begin(lookingBack: past)
    let actions = [report(.listening), start]
    spoken = [.speaking, .ended(.silence)].contains(speech) ? position : nil
    switch (speech, goal) {
    case (.ended(.silence), .text(endsBySilence: false)), (.ended(.noSpeech), .text(endsBySilence: false)):
      return actions + feed()
    case (.ended(.noSpeech), _): return actions + [.cancelRecognizer(session)] + rest(.noSpeech)
    case (.ended, _):
      let end = position - max(0, past * AudioFormat.frameLength - endOfSpeech.length)
      // A hotword inside the command is a part of it.
      waiting.removeAll { $0.wake.start < end }
      return actions + finish(at: end)
    case (.idle, _), (.waiting, _), (.speaking, _):
      waiting = []
      return actions + (isOver ? finish() : feed())
    }
  }

  private mutating func feed(to end: SampleIndex? = nil) -> [AssistantAction] {
    let end = min(end ?? position, position)
    guard case .listening(let from, let fed) = state, fed < end else { return [] }
    state = .listening(from: from, fed: end)
    return [.feed(session, range: fed..<end)]
  }

  /// - Parameter end: where the command ended; nil for the stream's position.
  private mutating func finish(at end: SampleIndex? = nil) -> [AssistantAction] {
    let actions = feed(to: end) + [.finishRecognizer(session)]
    endOfSpeech.cancel()
    let loading = isLoaded ? 0 : settings.loadingTimeout
    state = .recognizing(deadline: deadline(loading + settings.recognitionTimeout))
    return actions
  }

  private mutating func heard(_ text: String, _ result: JSON) -> [AssistantAction] {
    endOfSpeech.cancel()
    let transcript = report(.transcript(result: result))
    if case .text = goal { return [transcript] + rest(text.isEmpty ? .noSpeech : .handedOver) }
    if text.isEmpty, spoken == nil { return [transcript] + rest(.noSpeech) }
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
    case .notUnderstood(let reply): return replied(reply) + rest(.notUnderstood)
    case .cancelled(let reply): return replied(reply) + rest(.cancelled)
    case .forbidden(let reply, let reason):
      let code = ExitCode.permission.rawValue
      return [report(.error(code: code, message: reason))] + replied(reply) + rest(.refused)
    }
  }

  private mutating func deviceLost() -> [AssistantAction] {
    let lost = report(.device(.lost))
    // Before its first frame, the session waits for the device for as long as for speech.
    guard case .listening(let from, _) = state, from < position else { return [lost] }
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
    case .recognizing(let deadline) where now >= deadline:
      return [.cancelRecognizer(session)]
        + fail(code, "the recognizer did not answer within \(settings.recognitionTimeout) s")
    case .understanding(let deadline) where now >= deadline:
      return [.interrupt(session)]
        + fail(code, "understanding took longer than \(settings.understandingTimeout) s")
    case .asking(let deadline) where now >= deadline, .acting(let deadline) where now >= deadline:
      return [.interrupt(session)]
        + fail(code, "the handler did not answer within \(settings.handlingTimeout) s")
    default: return []
    }
  }

  private mutating func fail(_ code: Int32, _ message: String) -> [AssistantAction] {
    [report(.error(code: code, message: message))] + replied(settings.failureReply) + rest(.failed)
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

  private func deadline(_ seconds: Double) -> SampleIndex { now + AudioFormat.samples(seconds) }

  private func report(_ kind: AssistantEvent.Kind) -> AssistantAction {
    .report(AssistantEvent(at: position, kind))
  }
}
