import Assistant
import PCM
import Platform
import TestServers
import Testing

@Suite(.limited) struct AssistantCycleTests {
  private func wake(at end: SampleIndex) -> Wake {
    Wake(keyword: "computer", start: end - 8_000, end: end, score: 0.9)
  }

  /// The cycle after a second of quiet and a hotword that ended 0.3 s ago.
  private func listening(_ settings: AssistantCycle.Settings = .init()) -> (AssistantCycle, [AssistantAction])
  {
    var cycle = AssistantCycle(settings)
    for frame in 1...100 { _ = cycle.advance(.frame(end: frame * 160, voiced: false, level: -60)) }
    let actions = cycle.advance(.woke(wake(at: 11_200)))
    return (cycle, actions)
  }

  /// Feeds speech and then silence until the recognizer is asked for its result.
  private func speak(_ cycle: inout AssistantCycle) -> [AssistantAction] {
    var actions: [AssistantAction] = []
    for frame in 0..<400 {
      let speaking = frame < 100
      actions += cycle.advance(
        .frame(end: cycle.position + 160, voiced: speaking, level: speaking ? -25 : -60))
      if case .recognizing = cycle.state { break }
    }
    return actions
  }

  private func events(_ actions: [AssistantAction]) -> [String] {
    actions.compactMap { if case .report(let event) = $0 { event.name } else { nil } }
  }

  @Test func aCommandGoesThroughAllStates() {
    var (cycle, actions) = listening()
    #expect(actions.contains(.startRecognizer(1, from: 11_200)))
    #expect(actions.last == .feed(1, range: 11_200..<16_000))
    actions += speak(&cycle)
    #expect(actions.last == .finishRecognizer(1))
    actions += cycle.advance(.transcript(1, text: "lights on", result: ["text": "lights on"]))
    #expect(actions.last == .understand(1, text: "lights on"))
    actions += cycle.advance(.understood(1, .ready, result: [:]))
    #expect(actions.last == .act(1))
    actions += cycle.advance(.handled(1, reply: "Done.", result: [:]))
    #expect(cycle.state == .idle)
    #expect(events(actions) == ["wake", "listening", "transcript", "intent", "action", "reply", "idle"])
  }

  @Test func speechWithoutWordsIsNotUnderstood() {
    var (cycle, _) = listening()
    _ = speak(&cycle)
    let actions = cycle.advance(.transcript(1, text: "", result: ["text": ""]))
    #expect(events(actions) == ["transcript"])
    #expect(actions.last == .understand(1, text: ""))
    let end = cycle.advance(.understood(1, .notUnderstood(reply: "Pardon?"), result: [:]))
    #expect(events(end) == ["intent", "reply", "idle"])
    #expect(end.last == .report(AssistantEvent(at: cycle.position, .idle(.notUnderstood))))
  }

  @Test func noWordsWhereNobodySpokeIsNoSpeech() {
    var (cycle, _) = listening()
    let actions = cycle.advance(.transcript(1, text: "", result: [:]))
    #expect(actions.last == .report(AssistantEvent(at: cycle.position, .idle(.noSpeech))))
  }

  @Test func otherSettingsChangeNeitherTheClockNorTheNumbersOfSessions() {
    var (cycle, _) = listening()
    _ = speak(&cycle)
    _ = cycle.advance(.transcript(1, text: "", result: [:]))
    _ = cycle.advance(.understood(1, .notUnderstood(reply: nil), result: [:]))
    let position = cycle.position
    var other = AssistantCycle.Settings()
    other.endOfSpeech.silence = 0.2
    cycle.change(other)
    #expect(cycle.position == position)
    #expect(cycle.session == 1)
    _ = cycle.advance(.woke(wake(at: cycle.position)))
    #expect(cycle.session == 2)
    _ = speak(&cycle)
    let spoken = AudioFormat.seconds(cycle.position - position)
    #expect((1.1...1.4).contains(spoken), "a second of speech and the new silence: \(spoken)")
  }

  @Test func actionsAreToldBeforeTheReplyAndTimersAtAnyTime() {
    var (cycle, _) = listening()
    _ = speak(&cycle)
    _ = cycle.advance(.transcript(1, text: "a timer", result: [:]))
    _ = cycle.advance(.understood(1, .ready, result: [:]))
    #expect(cycle.advance(.acted(2, result: [:])) == [])
    var actions = cycle.advance(.acted(1, result: ["action": ["type": "timer_set"]]))
    actions += cycle.advance(.handled(1, reply: "Set.", result: [:]))
    #expect(events(actions) == ["action", "action", "reply", "idle"])
    #expect(cycle.advance(.acted(1, result: [:])) == [])
    #expect(events(cycle.advance(.rang(result: [:]))) == ["action"])
  }

  @Test func troubleIsToldAndTheTurnGoesOn() {
    var (cycle, _) = listening()
    let state = cycle.state
    #expect(events(cycle.advance(.trouble(code: 69, message: "no server"))) == ["error"])
    #expect(cycle.state == state)
  }

  @Test func theRecognizerGetsEverySampleOnceFromTheEndOfTheHotword() {
    var (cycle, actions) = listening()
    actions += cycle.advance(.frame(end: cycle.position + 160, voiced: true, level: -25))
    actions += cycle.advance(.gap(end: cycle.position + 3_000)) + speak(&cycle)
    var next = 11_200
    for case .feed(_, let range) in actions {
      #expect(range.lowerBound == next)
      next = range.upperBound
    }
    #expect(next == cycle.position)
    #expect(events(actions).contains("device"))
  }

  @Test func aQuestionOpensAnotherTurnThatBeginsAfterThePrompt() {
    var (cycle, _) = listening()
    _ = speak(&cycle)
    _ = cycle.advance(.transcript(1, text: "lights on", result: [:]))
    var actions = cycle.advance(.understood(1, .ask(prompt: "Where?"), result: [:]))
    #expect(actions.last == .ask(1, prompt: "Where?"))
    for _ in 0..<100 {
      #expect(cycle.advance(.frame(end: cycle.position + 160, voiced: true, level: -20)) == [])
    }
    actions = cycle.advance(.asked(1, end: cycle.position - 320))
    #expect(actions.contains(.startRecognizer(2, from: cycle.position - 320)))
    #expect(actions.last == .feed(2, range: cycle.position - 320..<cycle.position))
    _ = speak(&cycle)
    #expect(cycle.advance(.transcript(1, text: "late", result: [:])) == [])
    #expect(
      cycle.advance(.transcript(2, text: "kitchen", result: [:])).last == .understand(2, text: "kitchen"))
  }

  @Test func aCompleteSentenceEndsTheListeningBeforeTheSilenceDoes() {
    var (cycle, _) = listening()
    for _ in 0..<30 { _ = cycle.advance(.frame(end: cycle.position + 160, voiced: true, level: -25)) }
    #expect(cycle.advance(.sentenceEnded(0)) == [])
    #expect(cycle.advance(.sentenceEnded(1)) == [.finishRecognizer(1)])
    #expect(cycle.advance(.sentenceEnded(1)) == [])
    let actions = cycle.advance(.transcript(1, text: "lights on", result: [:]))
    #expect(actions.last == .understand(1, text: "lights on"))
  }

  @Test func aStoppingPhraseThatStandsEndsTheListening() {
    var (cycle, _) = listening()
    func frames(_ count: Int) -> [AssistantAction] {
      (0..<count).flatMap { _ in
        cycle.advance(.frame(end: cycle.position + 160, voiced: true, level: -25))
      }
    }
    _ = frames(50)
    _ = cycle.advance(.partial(1, text: "cancel"))
    #expect(!frames(40).contains(.finishRecognizer(1)))
    _ = cycle.advance(.partial(1, text: "cancel the timer"))
    #expect(!frames(60).contains(.finishRecognizer(1)))
    _ = cycle.advance(.partial(1, text: "cancel the timer I'm done"))
    #expect(frames(50).last == .finishRecognizer(1))
    let actions = cycle.advance(.transcript(1, text: "cancel the timer i'm done", result: [:]))
    #expect(actions.last == .understand(1, text: "cancel the timer"))
  }

  @Test func whatIsTakenBackOrForbiddenIsNotCarriedOut() {
    for (outcome, names) in [
      (Understood.cancelled(reply: "Okay."), ["intent", "reply", "idle"]),
      (.forbidden(reply: "No.", reason: "not yours"), ["intent", "error", "reply", "idle"]),
    ] {
      var (cycle, _) = listening()
      _ = speak(&cycle)
      _ = cycle.advance(.transcript(1, text: "open", result: [:]))
      let actions = cycle.advance(.understood(1, outcome, result: [:]))
      #expect(events(actions) == names)
      #expect(!actions.contains(.act(1)))
      #expect(cycle.state == .idle)
    }
  }

  @Test func silenceAfterTheHotwordEndsQuietly() {
    var (cycle, _) = listening()
    var actions: [AssistantAction] = []
    while cycle.state != .idle, cycle.position < 200_000 {
      actions += cycle.advance(.frame(end: cycle.position + 160, voiced: false, level: -60))
    }
    #expect(actions.suffix(2).first == .cancelRecognizer(1))
    #expect(events(actions) == ["idle"])
    #expect(cycle.position <= 16_000 + 64_000)
  }

  @Test func aLostDeviceEndsTheListeningWithAnError() {
    var (cycle, _) = listening()
    let actions = cycle.advance(.deviceLost)
    #expect(actions.first == .cancelRecognizer(1))
    #expect(events(actions) == ["device", "error", "idle"])
    #expect(cycle.advance(.transcript(1, text: "late", result: [:])) == [])
  }

  @Test func theEndOfTheStreamStillGetsItsTranscript() {
    var (cycle, _) = listening()
    #expect(cycle.advance(.streamEnded).last == .finishRecognizer(1))
    #expect(cycle.advance(.transcript(1, text: "stop", result: [:])).last == .understand(1, text: "stop"))
  }

  /// Advances a stream of silence by `seconds`.
  private func wait(_ seconds: Double, _ cycle: inout AssistantCycle) -> [AssistantAction] {
    var actions: [AssistantAction] = []
    for _ in 0..<Int(seconds * 100) {
      actions += cycle.advance(.frame(end: cycle.position + 160, voiced: false, level: -60))
    }
    return actions
  }

  @Test func aRecognizerHasTimeToLoadAndForEachStep() {
    var (cycle, _) = listening()
    _ = speak(&cycle)
    #expect(wait(100, &cycle) == [], "it loads")
    for _ in 0..<10 {
      #expect(cycle.advance(.recognizerAdvanced(1)) == [])
      #expect(wait(14, &cycle) == [], "it processes the audio")
    }
    #expect(events(wait(2, &cycle)) == ["error", "idle"])
  }

  @Test func aHotwordWaitsWhileTheCommandBeforeItIsRecognized() {
    var (cycle, _) = listening()
    _ = speak(&cycle)
    _ = cycle.advance(.recognizerAdvanced(1))
    let end = cycle.position
    #expect(cycle.advance(.woke(wake(at: end - 1_600))) == [])
    // A second command, and a third.
    for _ in 0..<2 {
      for frame in 0..<300 {
        let isSaid = frame < 100
        let actions = cycle.advance(
          .frame(end: cycle.position + 160, voiced: isSaid, level: isSaid ? -25 : -60))
        #expect(actions == [])
      }
      #expect(cycle.advance(.woke(wake(at: cycle.position))) == [])
    }
    _ = cycle.advance(.transcript(1, text: "lights on", result: [:]))
    _ = cycle.advance(.understood(1, .ready, result: [:]))
    let actions = cycle.advance(.handled(1, reply: nil, result: [:]))
    #expect(events(actions) == ["action", "idle", "wake", "listening"])
    #expect(actions.contains(.startRecognizer(2, from: end - 1_600)))
    // All of the second command, and nothing of what follows its silence.
    guard case .feed(2, let range)? = actions.dropLast().last else {
      Issue.record("\(actions)")
      return
    }
    #expect(range.lowerBound == end - 1_600)
    #expect((1.7...2.1).contains(AudioFormat.seconds(range.count)), "\(AudioFormat.seconds(range.count))")
    #expect(actions.last == .finishRecognizer(2))
    _ = cycle.advance(.transcript(2, text: "", result: [:]))
    let next = cycle.advance(.understood(2, .notUnderstood(reply: nil), result: [:]))
    #expect(events(next) == ["intent", "idle", "wake", "listening"])
    #expect(next.contains(.startRecognizer(3, from: end + 48_000)))
  }

  @Test func aHotwordThatWaitsIsServedAfterTheEndOfTheStream() {
    var (cycle, _) = listening()
    _ = speak(&cycle)
    _ = cycle.advance(.woke(wake(at: cycle.position - 1_600)))
    #expect(cycle.advance(.streamEnded) == [])
    _ = cycle.advance(.transcript(1, text: "", result: [:]))
    let actions = cycle.advance(.understood(1, .notUnderstood(reply: nil), result: [:]))
    #expect(events(actions) == ["intent", "idle", "wake", "listening"])
    #expect(actions.last == .finishRecognizer(2))
  }

  @Test func aRecognizerThatNeverAnswersIsGivenUp() {
    var (cycle, _) = listening()
    _ = cycle.advance(.recognizerAdvanced(1))
    _ = speak(&cycle)
    let finished = cycle.position
    var actions: [AssistantAction] = []
    while cycle.state != .idle, cycle.position < 1_000_000 {
      actions += cycle.advance(.frame(end: cycle.position + 160, voiced: false, level: -60))
    }
    #expect(cycle.position - finished == 240_000)
    #expect(actions.first == .cancelRecognizer(1))
    #expect(events(actions) == ["error", "idle"])
  }

  @Test func failuresAreReportedThenIdle() {
    var (cycle, _) = listening()
    _ = speak(&cycle)
    #expect(
      events(cycle.advance(.recognitionFailed(1, code: 69, message: "gone"))) == ["error", "idle"])
    #expect(cycle.state == .idle)
    var settings = AssistantCycle.Settings()
    settings.failureReply = "No."
    (cycle, _) = listening(settings)
    #expect(
      events(cycle.advance(.recognitionFailed(1, code: 69, message: "gone"))) == ["error", "reply", "idle"])
  }

  @Test func aRepeatedCallStartsOverAndAHotwordInsideTheCommandDoesNot() {
    var (cycle, _) = listening()
    let actions = cycle.advance(.woke(wake(at: 22_000)))
    #expect(actions.first == .cancelRecognizer(1))
    #expect(events(actions) == ["idle", "wake", "listening"])
    for frame in 0..<300 {
      let isSaid = frame % 50 < 40
      _ = cycle.advance(.frame(end: cycle.position + 160, voiced: isSaid, level: isSaid ? -25 : -60))
    }
    #expect(cycle.advance(.woke(wake(at: cycle.position))) == [])
  }

  @Test func aHotwordBeforeAnyOtherWordIsACallHoweverLate() {
    var (cycle, _) = listening()
    func frames(_ count: Int, voiced: Bool) {
      for _ in 0..<count {
        let level: Float = voiced ? -25 : -60
        _ = cycle.advance(.frame(end: cycle.position + 160, voiced: voiced, level: level))
      }
    }
    frames(250, voiced: false)
    frames(50, voiced: true)
    let actions = cycle.advance(.woke(wake(at: cycle.position)))
    #expect(events(actions) == ["idle", "wake", "listening"])
    #expect(cycle.session == 2)
  }

  @Test func aHotwordInterruptsTheReply() {
    var (cycle, _) = listening()
    _ = speak(&cycle)
    _ = cycle.advance(.transcript(1, text: "tell a story", result: [:]))
    _ = cycle.advance(.understood(1, .ready, result: [:]))
    let actions = cycle.advance(.woke(wake(at: cycle.position - 1_600)))
    #expect(actions.first == .interrupt(1))
    #expect(actions.contains(.startRecognizer(2, from: cycle.position - 1_600)))
    #expect(cycle.advance(.handled(1, reply: "late", result: [:])) == [])
  }

  @Test func eventsAreWrittenAsTheContractSays() {
    var wake = Wake(keyword: "computer", start: 19_520, end: 29_440, score: 0.98)
    #expect(
      AssistantEvent(at: 32_000, .wake(wake, snr: 18.25)).json.description
        == #"{"event":"wake","time":2,"keyword":"computer","score":0.98,"start":1.22,"end":1.84,"snr":18.3}"#)
    wake.speaker = Speaker(name: nil, score: 0.25)
    #expect(
      AssistantEvent(at: 0, .wake(wake, snr: nil)).json.description.hasSuffix(
        #""speaker":null,"speakerScore":0.25}"#))
    #expect(
      AssistantEvent(at: 160, .error(code: 69, message: "gone")).json.description
        == #"{"event":"error","time":0.01,"code":69,"message":"gone"}"#)
  }
}
