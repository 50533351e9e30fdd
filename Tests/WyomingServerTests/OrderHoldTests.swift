import Networking
import PCM
import Synchronization
import TestServers
import Testing

@testable import WyomingServer

/// Orders that must be by the voice that said the hotword.
@Suite(.limited) struct OrderHoldTests {
  private typealias Action = SatelliteSession.Action

  /// A session after the hotword by ann, which ended at 16,000.
  private static func session(isCompared: Bool = true) -> SatelliteSession {
    var session = SatelliteSession()
    _ = session.advance(.connected)
    _ = session.advance(.received(WyomingEvent("run-satellite")))
    _ = frames(&session, from: 0, seconds: 1, voiced: false)
    _ = session.advance(.detected(name: "a", end: 16_000, speaker: "ann", isCompared: isCompared))
    return session
  }

  private static func frames(
    _ session: inout SatelliteSession, from: Int, seconds: Double, voiced: Bool
  ) -> [Action] {
    stride(from: from + 160, through: from + AudioFormat.samples(seconds), by: 160).flatMap {
      // A steady level would be taken for noise.
      let isLoud = voiced && ($0 - from) % 8_000 > 1_600
      return session.advance(.frame(end: $0, voiced: voiced, level: isLoud ? -30 : -70))
    }
  }

  private static func sent(_ actions: [Action]) -> Int? {
    actions.compactMap { if case .stream(let range, _) = $0 { range.upperBound } else { nil } }.last
  }

  private static func comparisons(_ actions: [Action]) -> [Range<Int>] {
    actions.compactMap {
      if case .compare(let range, let name) = $0, name == "ann" { range } else { nil }
    }
  }

  private static func types(_ actions: [Action]) -> [String] {
    actions.compactMap { if case .send(let event) = $0 { event.type } else { nil } }
  }

  @Test func thePauseAfterAnOrderIsSentOnceItsVoiceIsKnown() throws {
    var session = Self.session()
    let spoken = Self.frames(&session, from: 16_000, seconds: 1, voiced: true)
    #expect(Self.types(spoken) == ["run-pipeline"] && Self.comparisons(spoken).isEmpty)
    #expect(try #require(Self.sent(spoken)) > 30_000, "speech is sent at once")
    let pause = Self.frames(&session, from: 32_000, seconds: 0.5, voiced: false)
    let order = try #require(Self.comparisons(pause).first)
    #expect(Self.comparisons(pause).count == 1 && order.lowerBound == 16_000)
    // The flag of the voice is smoothed, so the end of the speech is known within some frames.
    #expect((36_600...38_000).contains(order.upperBound), "\(order)")
    #expect(try #require(Self.sent(pause)) <= order.upperBound - 3_200)
    let rest = session.advance(.compared(end: order.upperBound, isAccepted: true))
    #expect(try #require(Self.sent(rest)) > 39_000, "all of the stream is sent")
    let silence = Self.frames(&session, from: 40_000, seconds: 3, voiced: false)
    #expect(Self.comparisons(silence).isEmpty && Self.types(silence) == ["audio-stop"])
  }

  @Test func anOrderByAnotherVoiceIsWithdrawnBeforeItsEndIsSent() throws {
    var session = Self.session()
    _ = Self.frames(&session, from: 16_000, seconds: 1, voiced: true)
    let pause = Self.frames(&session, from: 32_000, seconds: 0.5, voiced: false)
    let order = try #require(Self.comparisons(pause).first)
    #expect(
      session.advance(.compared(end: order.upperBound, isAccepted: false)) == [.withdraw, .signal(.closed)])
    #expect(Self.frames(&session, from: 40_000, seconds: 1, voiced: true).isEmpty)
    #expect(!session.advance(.detected(name: "a", end: 56_000)).isEmpty, "it listens")
  }

  @Test func speechAfterAPauseIsComparedToo() throws {
    var session = Self.session()
    _ = Self.frames(&session, from: 16_000, seconds: 1, voiced: true)
    let first = try #require(
      Self.comparisons(Self.frames(&session, from: 32_000, seconds: 0.5, voiced: false)).first)
    _ = session.advance(.compared(end: first.upperBound, isAccepted: true))
    _ = Self.frames(&session, from: 40_000, seconds: 1, voiced: true)
    let pause = Self.frames(&session, from: 56_000, seconds: 0.5, voiced: false)
    #expect(Self.comparisons(pause).first?.lowerBound == 16_000, "the whole order")
    #expect(try #require(Self.sent(pause)) < 61_000)
  }

  @Test func speechWithoutAPauseIsComparedEveryTwoSeconds() {
    var session = Self.session()
    let actions = Self.frames(&session, from: 16_000, seconds: 5, voiced: true)
    #expect(Self.comparisons(actions) == [16_000..<48_000, 16_000..<80_000])
  }

  @Test(arguments: [true, false]) func theEndOfTheStreamWaitsForTheComparison(_ isAccepted: Bool) throws {
    var session = Self.session()
    _ = Self.frames(&session, from: 16_000, seconds: 1, voiced: true)
    let end = session.advance(.ended)
    #expect(end == [.compare(16_000..<32_000, with: "ann")])
    let rest = session.advance(.compared(end: 32_000, isAccepted: isAccepted))
    #expect(Self.types(rest) == (isAccepted ? ["audio-stop"] : []))
    #expect(rest.contains(.withdraw) != isAccepted && rest.contains(.signal(.closed)))
    if isAccepted { #expect(Self.sent(rest) == 32_000) }
  }

  @Test func otherOrdersAreSentWithoutAComparison() {
    var session = Self.session(isCompared: false)
    let actions =
      Self.frames(&session, from: 16_000, seconds: 1, voiced: true)
      + Self.frames(&session, from: 32_000, seconds: 0.5, voiced: false)
    #expect(Self.comparisons(actions).isEmpty)
    #expect(Self.sent(actions) ?? 0 > 38_900)
    #expect(session.advance(.compared(end: 40_000, isAccepted: false)).isEmpty, "nothing was asked")
  }

  @Test func aComparisonThatComesAfterTheOrderDoesNotEndTheNext() {
    var session = Self.session()
    _ = Self.frames(&session, from: 16_000, seconds: 1, voiced: true)
    _ = session.advance(.received(WyomingEvent("voice-stopped")))
    _ = session.advance(.detected(name: "a", end: 32_000, speaker: "ann", isCompared: true))
    _ = Self.frames(&session, from: 32_000, seconds: 0.5, voiced: true)
    #expect(session.advance(.compared(end: 31_000, isAccepted: false)).isEmpty)
  }

  /// An owner that counts.
  private final class Owner: SatelliteOwner {
    let counts = Mutex((samples: 0, withdrawals: 0))
    let peer = "test"
    func send(_ event: WyomingEvent) {}
    func send(_ samples: [Int16], at milliseconds: Int) { counts.withLock { $0.samples += samples.count } }
    func withdraw() { counts.withLock { $0.withdrawals += 1 } }
    func close() {}
  }

  private final class Silent: SatelliteOutput {
    func begin(then: @escaping @Sendable () -> Void) { then() }
    func append(_ samples: [Int16]) {}
    func finish() {}
    func stop() {}
    func signal(_ signal: SatelliteSession.Signal) {}
  }

  @Test(arguments: [true, false]) func theLinkComparesTheOrdersOwnSamples(_ isBy: Bool) throws {
    let compared = Mutex<[[Int16]]>([])
    let told = Mutex<[SatelliteEvent]>([])
    let link = SatelliteLink(
      SatelliteSession.Settings(), speaker: Silent(),
      isBy: { order, name in
        compared.withLock { $0.append(order) }
        return isBy && name == "ann"
      },
      tell: { event, _ in told.withLock { $0.append(event) } }, log: { _ in })
    let owner = Owner()
    #expect(link.claim(by: owner))
    link.handle(.received(WyomingEvent("run-satellite")))
    func run(_ value: Int16, seconds: Double) {
      let frame = [Int16](repeating: value, count: 160)
      for _ in 0..<Int(seconds * 100) {
        frame.withUnsafeBufferPointer { link.append($0, voiced: value > 0, level: value > 0 ? -30 : -70) }
      }
    }
    run(0, seconds: 1)
    #expect(link.wake("a", end: 16_000, speaker: "ann"))
    run(1, seconds: 1)
    run(0, seconds: 0.5)
    let order = try #require(compared.withLock { $0.first })
    #expect(order.prefix(16_000).allSatisfy { $0 == 1 } && order.dropFirst(16_000).allSatisfy { $0 == 0 })
    #expect(compared.withLock { $0.count } == 1)
    let counts = owner.counts.withLock { $0 }
    #expect(counts.withdrawals == (isBy ? 0 : 1) && (counts.samples > 23_000) == isBy, "\(counts)")
    let events = told.withLock { $0 }
    let refused: [SatelliteEvent] = [.error(OrderCheck.refusal), .idle]
    #expect(Array(events.suffix(2)) == (isBy ? [.wake(name: "a", speaker: "ann"), .listening] : refused))
  }
}
