import Networking
import Platform
import TestServers
import Testing
import WyomingServer

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

  @Test func aHotwordSendsDetectionPipelineAndTheAudioFromItsEnd() throws {
    var session = Self.listening()
    let actions = session.advance(.detected(name: "computer", end: 14_000))
    guard case .stopPlayback = actions[0], case .send(let detection) = actions[1],
      case .send(let pipeline) = actions[2]
    else {
      Issue.record("\(actions)")
      return
    }
    #expect(detection.type == "detection" && detection["name"] == "computer" && detection["timestamp"] == 875)
    #expect(
      pipeline.type == "run-pipeline" && pipeline["start_stage"] == "asr" && pipeline["end_stage"] == "tts")
    #expect(pipeline["restart_on_end"] == false && pipeline["wake_word_name"] == "computer")
    #expect(actions[3] == .signal(.opened) && actions[4] == .stream(14_000..<15_024, origin: 14_000))
    let ranges = Self.ranges(Self.run(&session, from: 16_000, to: 20_000))
    #expect(ranges.first?.lowerBound == 15_024 && ranges.last.map { 20_000 - $0.upperBound < 1_024 } == true)
    for (one, next) in zip(ranges, ranges.dropFirst()) { #expect(one.upperBound == next.lowerBound) }
  }

  @Test(arguments: ["transcript", "error", "pause-satellite"])
  func eventsThatEndStreamingEndItAtOnce(_ type: String) {
    var session = Self.listening()
    _ = session.advance(.detected(name: "a", end: 16_000))
    #expect(session.advance(.received(Self.event(type, ["text": "x"]))).first == .signal(.closed))
    #expect(Self.run(&session, from: 16_000, to: 40_000).isEmpty)
    let again = session.advance(.detected(name: "a", end: 40_000))
    #expect(again.isEmpty == (type == "pause-satellite"))
    _ = session.advance(.received(Self.event("run-satellite")))
    if type == "pause-satellite" { #expect(!session.advance(.detected(name: "a", end: 40_000)).isEmpty) }
  }

  @Test func withoutSpeechTheRestIsSentAndStreamingEnds() {
    var session = Self.listening()
    _ = session.advance(.detected(name: "a", end: 16_000))
    let actions = Self.run(&session, from: 16_000, to: 16_000 + 6 * 16_000)
    #expect(Self.types(actions) == ["audio-stop"])
    let ranges = Self.ranges(actions)
    #expect(ranges.first?.lowerBound == 16_000 && ranges.last?.upperBound == 16_000 + 5 * 16_000)
    #expect(actions.contains(.log("no speech")))
  }

  @Test func onceHomeAssistantDetectsSpeechOnlyTheMaximumDurationEndsIt() {
    var settings = SatelliteSession.Settings()
    settings.longest = 8
    var session = Self.listening(settings)
    _ = session.advance(.detected(name: "a", end: 16_000))
    _ = session.advance(.received(Self.event("voice-started", ["timestamp": 1])))
    #expect(Self.types(Self.run(&session, from: 16_000, to: 16_000 * 8)).isEmpty)
    #expect(Self.types(Self.run(&session, from: 16_000 * 8, to: 16_000 * 10)) == ["audio-stop"])
  }

  @Test func withoutAClientNothingIsSent() {
    var session = SatelliteSession()
    #expect(session.advance(.detected(name: "a", end: 0)).isEmpty)
    #expect(session.advance(.received(Self.event("transcript"))).isEmpty)
    _ = session.advance(.connected)
    #expect(session.advance(.detected(name: "a", end: 0)).isEmpty, "before run-satellite")
    _ = session.advance(.received(Self.event("run-satellite")))
    _ = session.advance(.detected(name: "a", end: 0))
    #expect(session.advance(.detected(name: "b", end: 160)).isEmpty, "while streaming")
    #expect(session.advance(.disconnected) == [.signal(.closed)])
    #expect(Self.run(&session, from: 160, to: 16_000).isEmpty)
    #expect(session.advance(.played).isEmpty)
  }

  @Test func audioIsPlayedAndItsEndReported() {
    var session = Self.listening()
    #expect(session.advance(.audio([1, 2], .standard)) == [.play([1, 2], .standard)])
    #expect(Self.types(session.advance(.played)) == ["played"])
    var mute = SatelliteSession.Settings()
    mute.plays = false
    var other = Self.listening(mute)
    guard case .send(let pipeline) = other.advance(.detected(name: "a", end: 16_000))[2] else { return }
    #expect(pipeline["end_stage"] == "handle")
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
    #expect(actions.last == .drop)
  }

  @Test func gapsAreSentAndTheEndOfTheInputEndsStreaming() {
    var session = Self.listening()
    _ = session.advance(.detected(name: "a", end: 16_000))
    #expect(Self.ranges(session.advance(.gap(end: 18_048))) == [16_000..<18_048])
    let end = session.advance(.ended)
    #expect(Self.types(end) == ["audio-stop"] && end.contains(.signal(.closed)))
    #expect(session.advance(.ended).isEmpty)
  }
}
