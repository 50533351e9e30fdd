import Assistant
import PCM
import Platform
import TestServers
import Testing

/// Conversations that somebody else leads.
@Suite(.limited) struct SummonsTests {
  private func wake(at end: SampleIndex) -> Wake {
    Wake(keyword: "computer", start: end - 8_000, end: end, score: 0.9)
  }

  /// A cycle after a second of quiet.
  private func quiet(listensAfterWake: Bool = true) -> AssistantCycle {
    var settings = AssistantCycle.Settings()
    settings.listensAfterWake = listensAfterWake
    var cycle = AssistantCycle(settings)
    hear(&cycle, seconds: 1, speaking: false)
    return cycle
  }

  @discardableResult
  private func hear(_ cycle: inout AssistantCycle, seconds: Double, speaking: Bool) -> [AssistantAction] {
    var actions: [AssistantAction] = []
    for _ in 0..<Int(seconds * 100) {
      actions += cycle.advance(
        .frame(end: cycle.position + 160, voiced: speaking, level: speaking ? -25 : -60))
    }
    return actions
  }

  private func events(_ actions: [AssistantAction]) -> [String] {
    actions.compactMap { if case .report(let event) = $0 { event.name } else { nil } }
  }

  @Test func aTextAloneIsNotUnderstood() {
    var cycle = quiet()
    var actions = cycle.advance(.summoned(prompt: nil, .text(endsBySilence: true)))
    #expect(actions.contains(.startRecognizer(1, from: 16_000)))
    actions += hear(&cycle, seconds: 1, speaking: true) + hear(&cycle, seconds: 1, speaking: false)
    #expect(actions.contains(.finishRecognizer(1)))
    actions += cycle.advance(.transcript(1, text: "hello", result: ["text": "hello"]))
    #expect(events(actions) == ["listening", "transcript", "idle"])
    #expect(cycle.state == .idle)
  }

  @Test func aTextMayLastThroughSilence() {
    var cycle = quiet()
    _ = cycle.advance(.summoned(prompt: nil, .text(endsBySilence: false)))
    var actions = hear(&cycle, seconds: 1, speaking: true) + hear(&cycle, seconds: 6, speaking: false)
    #expect(!actions.contains(.finishRecognizer(1)))
    actions = cycle.advance(.dismissed(wantsResult: true))
    #expect(actions == [.finishRecognizer(1)])
  }

  @Test func aTextDoesNotLastForEver() {
    var cycle = quiet()
    _ = cycle.advance(.summoned(prompt: nil, .text(endsBySilence: false)))
    #expect(hear(&cycle, seconds: 13, speaking: false).contains(.finishRecognizer(1)))
  }

  @Test func aQuestionIsSaidBeforeItListens() {
    var cycle = quiet()
    let asked = cycle.advance(.summoned(prompt: "Which tea?", .command))
    #expect(asked.last == .ask(1, prompt: "Which tea?"))
    hear(&cycle, seconds: 1, speaking: false)
    let listening = cycle.advance(.asked(1, end: 32_000))
    #expect(listening.contains(.startRecognizer(2, from: 32_000)))
    hear(&cycle, seconds: 1, speaking: true)
    hear(&cycle, seconds: 1, speaking: false)
    #expect(cycle.advance(.transcript(2, text: "green", result: [:])).last == .understand(2, text: "green"))
  }

  @Test func whoHeedsAWakeIsGivenWhatWasSaidSince() {
    var cycle = quiet(listensAfterWake: false)
    let woken = cycle.advance(.woke(wake(at: 12_000)))
    #expect(events(woken) == ["wake", "idle"] && cycle.state == .idle)
    let listening = cycle.advance(.summoned(prompt: nil, .text(endsBySilence: true)))
    #expect(listening.contains(.startRecognizer(1, from: 12_000)))
    #expect(listening.last == .feed(1, range: 12_000..<16_000))
  }

  @Test func aLateSummonsBeginsWithItself() {
    var cycle = quiet(listensAfterWake: false)
    _ = cycle.advance(.woke(wake(at: 12_000)))
    hear(&cycle, seconds: 3, speaking: false)
    let listening = cycle.advance(.summoned(prompt: nil, .text(endsBySilence: true)))
    #expect(listening.contains(.startRecognizer(1, from: 64_000)))
  }

  /// As by a sender that publishes audio only within a session: the silence before is a gap when it begins.
  @Test(arguments: [true, false]) func aSummonsWhoseAudioComesAfterALongGapHearsAllOfIt(_ isLostBefore: Bool)
  {
    var cycle = quiet()
    if isLostBefore { _ = cycle.advance(.deviceLost) }
    _ = cycle.advance(.waited(until: 160_000))
    _ = cycle.advance(.summoned(prompt: nil, .command))
    if !isLostBefore { #expect(events(cycle.advance(.deviceLost)) == ["device"]) }
    #expect(cycle.advance(.waited(until: 176_000)).isEmpty)
    var actions = cycle.advance(.deviceRecovered) + cycle.advance(.gap(end: 178_000))
    #expect(actions.suffix(2) == [.cancelRecognizer(1), .startRecognizer(2, from: 178_000)])
    actions = hear(&cycle, seconds: 2, speaking: true) + hear(&cycle, seconds: 1, speaking: false)
    #expect(actions.first == .feed(2, range: 178_000..<178_160) && actions.contains(.finishRecognizer(2)))
    #expect(cycle.advance(.transcript(2, text: "on", result: [:])).last == .understand(2, text: "on"))
  }

  @Test func aSummonsWhileTheDeviceIsLostEnds() {
    var cycle = quiet()
    _ = cycle.advance(.deviceLost)
    _ = cycle.advance(.waited(until: 160_000))
    _ = cycle.advance(.summoned(prompt: nil, .text(endsBySilence: false)))
    #expect(cycle.advance(.waited(until: 160_000 + 3 * 16_000)).isEmpty)
    let actions = cycle.advance(.waited(until: 160_000 + 4 * 16_000))
    #expect(actions.first == .cancelRecognizer(1) && events(actions) == ["error", "idle"])
    // A question that nobody hears the answer to.
    _ = cycle.advance(.summoned(prompt: "Which tea?", .command))
    _ = cycle.advance(.asked(2, end: cycle.position))
    #expect(events(cycle.advance(.waited(until: 160_000 + 9 * 16_000))) == ["error", "idle"])
    // The deadline of a later conversation is by the stream again.
    _ = cycle.advance(.deviceRecovered)
    _ = cycle.advance(.summoned(prompt: "Which tea?", .command))
    #expect(events(hear(&cycle, seconds: 61, speaking: false)) == ["error", "idle"])
  }

  @Test func aSummonsDuringAConversationIsNotHeeded() {
    var cycle = quiet()
    _ = cycle.advance(.woke(wake(at: 12_000)))
    #expect(cycle.advance(.summoned(prompt: nil, .text(endsBySilence: true))).isEmpty)
    hear(&cycle, seconds: 1, speaking: true)
    hear(&cycle, seconds: 1, speaking: false)
    #expect(cycle.advance(.transcript(1, text: "on", result: [:])).last == .understand(1, text: "on"))
  }

  @Test func dismissalEndsWhateverItDoes() {
    for steps in 0..<4 {
      var cycle = quiet()
      #expect(cycle.advance(.dismissed(wantsResult: false)).isEmpty)
      _ = cycle.advance(.woke(wake(at: 12_000)))
      if steps > 0 {
        hear(&cycle, seconds: 1, speaking: true)
        hear(&cycle, seconds: 1, speaking: false)
      }
      if steps > 1 { _ = cycle.advance(.transcript(1, text: "on", result: [:])) }
      if steps > 2 { _ = cycle.advance(.understood(1, .ready, result: [:])) }
      let actions = cycle.advance(.dismissed(wantsResult: false))
      #expect(actions.first == (steps < 2 ? .cancelRecognizer(1) : .interrupt(1)))
      #expect(events(actions) == ["idle"] && cycle.state == .idle)
    }
  }
}
