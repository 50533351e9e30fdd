import Networking
import Platform
import TestServers
import Testing

@testable import WyomingServer

@Suite(.limited) struct SatelliteSessionTests {
  private typealias Action = SatelliteSession.Action

  private static func event(_ type: String, _ json: JSON = [:]) -> WyomingEvent {
    WyomingEvent(type, json.members ?? [])
  }

  /// A listening session at `position` of a silent stream.
  private static func listening(_ settings: SatelliteSession.Settings = .init(), at position: Int = 16_000)
    -> SatelliteSession
  {
    var session = SatelliteSession(settings)
    _ = session.advance(.connected)
    _ = session.advance(.received(event("run-satellite")))
    _ = run(&session, from: 0, to: position)
    return session
  }

  /// Silent frames from one position to another.
  private static func run(_ session: inout SatelliteSession, from: Int, to: Int) -> [Action] {
    stride(from: from + 160, through: to, by: 160).flatMap {
      session.advance(.frame(end: $0, voiced: false, level: -70))
    }
  }

  private static func types(_ actions: [Action]) -> [String] {
    actions.compactMap { if case .send(let event) = $0 { event.type } else { nil } }
  }

  private static func ranges(_ actions: [Action]) -> [Range<Int>] {
    actions.compactMap { if case .stream(let range, _) = $0 { range } else { nil } }
  }

  /// Speech from one position on, with a pause in each half second.
  private static func speak(_ session: inout SatelliteSession, from: Int, seconds: Double = 0.5) -> [Action] {
    stride(from: from + 160, through: from + Int(seconds * 16_000), by: 160).flatMap {
      session.advance(.frame(end: $0, voiced: true, level: ($0 - from) % 8_000 < 6_400 ? -30 : -65))
    }
  }

  /// A session that streams from 16,000 on; the stream is at 24,000.
  private static func streaming(_ settings: SatelliteSession.Settings = .init()) -> SatelliteSession {
    var session = listening(settings)
    _ = session.advance(.detected(name: "a", end: 16_000))
    #expect(types(speak(&session, from: 16_000)) == ["run-pipeline"])
    return session
  }

  @Test func itListensWhileHomeAssistantHasItAndNeitherSideHasMutedIt() {
    var session = SatelliteSession()
    func isListening(after input: SatelliteSession.Input) -> Bool {
      _ = session.advance(input)
      return session.isListening
    }
    #expect(!session.isListening && !isListening(after: .connected))
    #expect(isListening(after: .received(Self.event("run-satellite"))))
    #expect(!isListening(after: .muted(true)) && isListening(after: .muted(false)))
    #expect(isListening(after: .detected(name: "a", end: 0)), "also while a command is awaited")
    #expect(!isListening(after: .received(Self.event("pause-satellite"))))
    #expect(isListening(after: .received(Self.event("run-satellite"))))
    #expect(!isListening(after: .disconnected))
  }

  @Test func speechAfterTheHotwordStartsThePipelineWithTheAudioFromTheHotwordsEnd() throws {
    var session = Self.listening()
    let actions = session.advance(.detected(name: "computer", end: 14_000))
    guard case .stopPlayback = actions[0], case .send(let detection) = actions[1] else {
      Issue.record("\(actions)")
      return
    }
    #expect(detection.type == "detection" && detection["name"] == "computer" && detection["timestamp"] == 875)
    #expect(actions[2...] == [.signal(.opened)])
    #expect(Self.run(&session, from: 16_000, to: 18_080).isEmpty, "nothing is sent before speech")
    let begin = Self.speak(&session, from: 18_080)
    guard case .send(let pipeline) = begin[0] else {
      Issue.record("\(begin)")
      return
    }
    #expect(
      pipeline.type == "run-pipeline" && pipeline["start_stage"] == "asr" && pipeline["end_stage"] == "tts")
    #expect(pipeline["restart_on_end"] == false && pipeline["wake_word_name"] == "computer")
    let ranges = Self.ranges(begin)
    #expect(ranges.first?.lowerBound == 14_000 && ranges.last.map { 26_080 - $0.upperBound < 1_024 } == true)
    #expect(ranges.allSatisfy { $0.count % 1_024 == 0 })
    for (one, next) in zip(ranges, ranges.dropFirst()) { #expect(one.upperBound == next.lowerBound) }
  }

  @Test func speechBeforeTheHotwordWasDetectedCounts() {
    var session = Self.listening(at: 0)
    _ = Self.run(&session, from: 0, to: 10_000)
    _ = Self.speak(&session, from: 10_000, seconds: 1)
    let actions = session.advance(.detected(name: "a", end: 16_000))
    #expect(Self.types(actions) == ["detection", "run-pipeline"])
    #expect(Self.ranges(actions).first?.lowerBound == 16_000)
  }

  @Test(arguments: [true, false]) func onlyAnAnswerToContinueIsFollowedByACommandWithoutTheHotword(
    _ continues: Bool
  ) {
    var session = Self.streaming()
    _ = session.advance(.received(Self.event("transcript", ["text": "a"])))
    if continues { #expect(session.advance(.continued) == []) }
    _ = session.advance(.audioStarted)
    let actions = session.advance(.played)
    #expect(Self.types(actions) == ["played"] && actions.contains(.signal(.opened)) == continues)
    #expect(Self.types(Self.speak(&session, from: 24_000)) == (continues ? ["run-pipeline"] : []))
  }

  @Test func withoutAnAnswerTheEndOfTheRunContinues() {
    var session = Self.streaming()
    _ = session.advance(.continued)
    #expect(session.advance(.received(Self.event("run-end"))).contains(.signal(.opened)))
  }

  @Test(arguments: ["transcript", "error", "pause-satellite", "voice-stopped"])
  func eventsThatEndStreamingEndItAtOnce(_ type: String) {
    var session = Self.streaming()
    #expect(session.advance(.received(Self.event(type, ["text": "x"]))).first == .signal(.closed))
    #expect(Self.run(&session, from: 24_000, to: 40_000).isEmpty)
    let again = session.advance(.detected(name: "a", end: 40_000))
    #expect(again.isEmpty == (type == "pause-satellite"))
    _ = session.advance(.received(Self.event("run-satellite")))
    if type == "pause-satellite" { #expect(!session.advance(.detected(name: "a", end: 40_000)).isEmpty) }
  }

  @Test func theTranscriptOfAnEarlierCommandDoesNotEndTheWaitingForTheNext() {
    var session = Self.streaming()
    _ = session.advance(.received(Self.event("voice-stopped")))
    _ = session.advance(.detected(name: "a", end: 24_000))
    let late = session.advance(.received(Self.event("transcript", ["text": "x"])))
    #expect(late == [.log("transcript: 'x'")])
    #expect(Self.types(Self.speak(&session, from: 24_000)) == ["run-pipeline"])
  }

  @Test func withoutSpeechNoPipelineRuns() {
    var session = Self.listening()
    _ = session.advance(.detected(name: "a", end: 16_000))
    // The rest of the hotword, and a cough.
    let noise =
      Self.speak(&session, from: 16_000, seconds: 0.1) + Self.run(&session, from: 17_600, to: 32_000)
      + Self.speak(&session, from: 32_000, seconds: 0.15)
    let actions = noise + Self.run(&session, from: 34_400, to: 16_000 + 6 * 16_000)
    #expect(actions == [.signal(.closed), .log("no speech")])
    #expect(!session.advance(.detected(name: "a", end: 112_000)).isEmpty)
  }

  @Test func silenceAfterTheSpeechEndsItWhereHomeAssistantDoesNot() {
    var session = Self.streaming()
    #expect(Self.types(Self.run(&session, from: 24_000, to: 24_000 + 40_000)).isEmpty)
    let actions = Self.run(&session, from: 64_000, to: 64_000 + 16_000)
    #expect(Self.types(actions) == ["audio-stop"])
    #expect(actions.suffix(2) == [.signal(.closed), .log("the speech has ended")])
    #expect(Self.ranges(actions).last?.upperBound == 72_000)
  }

  @Test func theMaximumDurationEndsSpeechThatDoesNotEnd() {
    var settings = SatelliteSession.Settings()
    settings.longest = 8
    var session = Self.streaming(settings)
    #expect(Self.types(Self.speak(&session, from: 24_000, seconds: 7)).isEmpty)
    #expect(Self.types(Self.speak(&session, from: 136_000, seconds: 2)) == ["audio-stop"])
  }

  @Test func anAnnouncementEndsTheCommandWithoutAWord() {
    for isStreaming in [false, true] {
      var session = isStreaming ? Self.streaming() : Self.listening()
      if !isStreaming { _ = session.advance(.detected(name: "a", end: 16_000)) }
      #expect(session.advance(.audioStarted) == [.signal(.closed), .play])
      #expect(Self.types(Self.run(&session, from: 24_000, to: 200_000)).isEmpty)
      #expect(!session.advance(.detected(name: "a", end: 200_000)).isEmpty, "it listens")
    }
  }

  @Test func whatInterruptsAnAnswerEndsItBeforeTheNextPipeline() {
    var session = Self.listening()
    #expect(session.advance(.audioStarted) == [.play])
    let actions = session.advance(.detected(name: "a", end: 16_000))
    #expect(actions.first == .stopPlayback)
    #expect(Self.types(actions) == ["played", "detection"])
    #expect(session.advance(.played).isEmpty, "it was told before")
    _ = session.advance(.audioStarted)
    #expect(Self.types(session.advance(.played)) == ["played"])
  }

  @Test func theEndOfTheProgramDisconnectsDuringACommand() {
    var session = Self.streaming()
    #expect(session.advance(.stopped) == [.drop, .signal(.closed)])
    #expect(session.advance(.stopped).isEmpty)
    #expect(session.advance(.disconnected).isEmpty)
  }

  @Test func withoutAClientNothingIsSent() {
    var session = SatelliteSession()
    #expect(session.advance(.detected(name: "a", end: 0)).isEmpty)
    #expect(session.advance(.received(Self.event("transcript"))).isEmpty)
    #expect(session.advance(.audioStarted).isEmpty)
    _ = session.advance(.connected)
    #expect(session.advance(.detected(name: "a", end: 0)).isEmpty, "before run-satellite")
    _ = session.advance(.received(Self.event("run-satellite")))
    _ = session.advance(.detected(name: "a", end: 0))
    #expect(session.advance(.detected(name: "b", end: 160)).isEmpty, "while waiting")
    #expect(session.advance(.disconnected) == [.signal(.closed)])
    #expect(Self.run(&session, from: 160, to: 16_000).isEmpty)
    #expect(session.advance(.played).isEmpty)
  }

  @Test func audioIsPlayedAndItsEndReported() {
    var session = Self.listening()
    #expect(session.advance(.audioStarted) == [.play])
    #expect(Self.types(session.advance(.played)) == ["played"])
    var mute = SatelliteSession.Settings()
    mute.plays = false
    var other = Self.listening(mute)
    _ = other.advance(.detected(name: "a", end: 16_000))
    guard case .send(let pipeline)? = Self.speak(&other, from: 16_000).first else {
      Issue.record("no pipeline")
      return
    }
    #expect(pipeline["end_stage"] == "handle")
  }

  /// A session that has had a ping, at `position`.
  private static func pinging(at position: Int) -> SatelliteSession {
    var session = listening(at: position)
    _ = session.advance(.received(event("ping")))
    return session
  }

  @Test func aClientThatDoesNotAnswerPingsIsDisconnected() {
    var session = Self.listening()
    #expect(Self.run(&session, from: 16_000, to: 160_000).isEmpty, "not before its own ping")
    _ = session.advance(.received(Self.event("ping")))
    var position = 160_000
    for _ in 0..<4 {
      #expect(Self.types(Self.run(&session, from: position, to: position + 32_000)) == ["ping"])
      position += 32_000
      _ = session.advance(.received(Self.event("pong")))
    }
    let actions = Self.run(&session, from: position, to: position + 8 * 16_000)
    #expect(actions.suffix(2) == [.log("Home Assistant does not answer"), .drop])
  }

  @Test func aMutedHomeAssistantMayBeSilentAndAnotherConnectionTakesItsPlace() {
    var session = Self.pinging(at: 16_000)
    _ = session.advance(.received(Self.event("pause-satellite")))
    #expect(Self.types(Self.run(&session, from: 16_000, to: 48_000)) == ["ping"])
    _ = session.advance(.received(Self.event("pong")))
    #expect(session.advance(.detected(name: "a", end: 48_000)).isEmpty, "one pong may have been on its way")
    #expect(!session.isAbandoned)
    let hour = Self.run(&session, from: 48_000, to: 3_600 * 16_000)
    #expect(hour.allSatisfy { if case .send(let event) = $0 { event.type == "ping" } else { false } })
    #expect(hour.count < 5 && session.isAbandoned)
    _ = session.advance(.disconnected)
    _ = session.advance(.connected)
    #expect(!session.isAbandoned)
  }

  @Test func aHomeAssistantThatAnswersOnAfterAPauseIsNotMuted() {
    var session = Self.pinging(at: 16_000)
    _ = session.advance(.received(Self.event("pause-satellite")))
    for position in [16_000, 48_000] {
      #expect(session.advance(.detected(name: "a", end: position)).isEmpty)
      #expect(Self.types(Self.run(&session, from: position, to: position + 32_000)) == ["ping"])
      _ = session.advance(.received(Self.event("pong")))
    }
    #expect(!session.advance(.detected(name: "a", end: 80_000)).isEmpty)
  }

  @Test func gapsAreSentAndTheEndOfTheInputEndsStreaming() {
    var session = Self.streaming()
    #expect(Self.ranges(session.advance(.gap(end: 26_048))).last?.upperBound == 25_216)
    let end = session.advance(.ended)
    #expect(Self.types(end) == ["audio-stop"] && end.contains(.signal(.closed)))
    #expect(Self.ranges(end) == [25_216..<26_048])
    #expect(session.advance(.ended).isEmpty)
  }

  @Test func aButtonStartsAPipelineWithoutAHotword() {
    var session = Self.listening()
    #expect(session.advance(.pressed) == [.stopPlayback, .signal(.opened)])
    #expect(session.advance(.pressed).isEmpty, "it waits already")
    guard case .send(let pipeline)? = Self.speak(&session, from: 16_000).first else {
      Issue.record("no pipeline")
      return
    }
    #expect(pipeline.type == "run-pipeline" && pipeline["wake_word_name"] == nil)
    var other = SatelliteSession()
    #expect(other.advance(.pressed).isEmpty, "without Home Assistant")
  }

  @Test func whileItIsMutedNothingIsSent() {
    var session = Self.streaming()
    #expect(session.advance(.muted(true)) == [.withdraw, .signal(.closed)], "nothing is carried out")
    _ = session.advance(.disconnected)
    _ = session.advance(.connected)
    _ = session.advance(.received(Self.event("run-satellite")))
    #expect(session.advance(.detected(name: "a", end: 24_000)).isEmpty && session.advance(.pressed).isEmpty)
    #expect(Self.speak(&session, from: 24_000).isEmpty)
    #expect(session.advance(.muted(false)).isEmpty)
    #expect(!session.advance(.detected(name: "a", end: 32_000)).isEmpty)
  }

  @Test func aTimerRingsForAMinuteUnlessItIsStopped() {
    func rings(_ actions: [Action]) -> Int { actions.count { $0 == .signal(.timer) } }
    var session = Self.listening()
    #expect(session.advance(.received(Self.event("timer-finished", ["id": "1"]))) == [.signal(.timer)])
    #expect(rings(Self.run(&session, from: 16_000, to: 100 * 16_000)) == 14)
    for stop in [SatelliteSession.Input.silenced, .muted(true), .pressed, .detected(name: "a", end: 16_000)] {
      var session = Self.listening()
      _ = session.advance(.received(Self.event("timer-finished", ["id": "1"])))
      #expect(session.advance(stop).first == .stopPlayback, "\(stop)")
      #expect(rings(Self.run(&session, from: 16_000, to: 40 * 16_000)) == 0, "\(stop)")
    }
  }
}

/// What programs such as those for lamps are told.
@Suite(.limited) struct SatelliteEventsTests {
  private struct Told {
    var session = SatelliteSession()
    var events = SatelliteEvents()

    /// The names of the events.
    mutating func advance(_ input: SatelliteSession.Input) -> [String] {
      events.note(input, session.advance(input)).compactMap { $0.json(at: 0)["event"]?.string }
    }

    mutating func frames(from: Int, to: Int, isSpeech: Bool = false) -> [String] {
      stride(from: from + 160, through: to, by: 160).flatMap {
        advance(.frame(end: $0, voiced: isSpeech, level: isSpeech ? -30 : -70))
      }
    }
  }

  private static func listening() -> Told {
    var told = Told()
    _ = told.advance(.connected)
    _ = told.advance(.received(WyomingEvent("run-satellite", [])))
    _ = told.frames(from: 0, to: 16_000)
    return told
  }

  @Test func aCommandAndItsAnswer() {
    var told = Told()
    #expect(told.advance(.connected) == ["connected"])
    #expect(told.advance(.received(WyomingEvent("run-satellite", []))).isEmpty)
    #expect(told.frames(from: 0, to: 16_000).isEmpty)
    #expect(told.advance(.detected(name: "a", end: 16_000)) == ["wake"])
    #expect(told.frames(from: 16_000, to: 24_000, isSpeech: true) == ["listening"])
    #expect(told.advance(.received(WyomingEvent("voice-stopped", []))) == ["thinking"])
    #expect(told.advance(.received(WyomingEvent("transcript", [JSON.Member("text", "x")]))) == ["transcript"])
    #expect(told.advance(.audioStarted) == ["speaking"])
    #expect(told.advance(.played) == ["idle"])
    #expect(told.advance(.disconnected) == ["disconnected"])
  }

  @Test func everyWakeIsFollowedByOneIdle() {
    var silent = Self.listening()
    #expect(silent.advance(.detected(name: "a", end: 16_000)) == ["wake"])
    #expect(silent.frames(from: 16_000, to: 8 * 16_000) == ["idle"])

    var failed = Self.listening()
    _ = failed.advance(.pressed)
    _ = failed.frames(from: 16_000, to: 24_000, isSpeech: true)
    #expect(
      failed.advance(.received(WyomingEvent("error", [JSON.Member("text", "x")]))) == ["error", "idle"])

    var refused = Self.listening()
    _ = refused.advance(.pressed)
    _ = refused.frames(from: 16_000, to: 24_000, isSpeech: true)
    _ = refused.advance(.received(WyomingEvent("transcript", [])))
    #expect(
      refused.advance(.received(WyomingEvent("error", [JSON.Member("text", "x")]))) == ["error", "idle"])

    var unanswered = Self.listening()
    _ = unanswered.advance(.detected(name: "a", end: 16_000))
    _ = unanswered.frames(from: 16_000, to: 24_000, isSpeech: true)
    _ = unanswered.advance(.received(WyomingEvent("transcript", [])))
    #expect(unanswered.frames(from: 24_000, to: 30 * 16_000) == ["idle"])

    var interrupted = Self.listening()
    _ = interrupted.advance(.detected(name: "a", end: 16_000))
    _ = interrupted.frames(from: 16_000, to: 24_000, isSpeech: true)
    _ = interrupted.advance(.received(WyomingEvent("voice-stopped", [])))
    _ = interrupted.advance(.audioStarted)
    #expect(interrupted.advance(.detected(name: "b", end: 24_000)) == ["idle", "wake"])
    #expect(interrupted.advance(.muted(true)) == ["muted", "idle"])
    #expect(interrupted.advance(.muted(false)) == ["unmuted"])
  }

  @Test func timersAreTold() throws {
    var told = Self.listening()
    let data = [JSON.Member("id", "7"), JSON.Member("name", "tea"), JSON.Member("total_seconds", 300)]
    for state in ["started", "updated", "cancelled", "finished"] {
      let input = SatelliteSession.Input.received(WyomingEvent("timer-\(state)", data))
      let event = try #require(told.events.note(input, told.session.advance(input)).first)
      #expect(event == .timer(state: state, id: "7", name: "tea", seconds: 300))
    }
  }
}
