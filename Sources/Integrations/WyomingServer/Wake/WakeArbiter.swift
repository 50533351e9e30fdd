/// Chooses one of the streams that hear the same hotword at nearly the same time: the one whose microphone is nearest.
///
/// A state machine without clock, threads and audio. The first claim of a hotword opens a round; claims of other streams within
/// ``Settings/window`` belong to it. The round is decided after ``Settings/hold``, or as soon as no other stream can claim.
///
/// | round | input | to | verdicts |
/// |---|---|---|---|
/// | none, or older than `window` | claim | open | |
/// | open | claim | open | |
/// | open | every listening stream has claimed; `hold` is over; the stream of a claim ends | decided | report the highest score, drop the others |
/// | decided | claim of another stream | decided | drop it |
struct WakeArbiter: Sendable {
  struct Settings: Sendable {
    /// Seconds in which claims are awaited.
    var hold = 0.2
    /// Seconds from the first claim in which another one is about the same wake.
    var window = 0.5
  }

  struct Claim: Sendable, Equatable {
    let stream: Int
    /// The index of the model in the ``WakeCatalog``.
    let hotword: Int
    /// How near the speaker is by ``SpeakerDistance``: higher is nearer.
    let nearness: Float
  }

  struct Verdict: Sendable, Equatable {
    let stream: Int
    let hotword: Int
    /// Whether the stream may report the hotword; else another one is nearer.
    let isReported: Bool
  }

  private struct Round {
    let opened: Double
    var claims: [Claim]
    var isDecided = false
  }

  private let settings: Settings
  private var rounds: [Int: Round] = [:]

  init(_ settings: Settings = Settings()) { self.settings = settings }

  /// When ``advance(to:)`` must be called at the latest; nil if nothing is open.
  var due: Double? { rounds.values.filter { !$0.isDecided }.map { $0.opened + settings.hold }.min() }

  /// A stream has heard a hotword.
  ///
  /// - Parameters:
  ///   - time: in seconds of a steady clock.
  ///   - listening: how many streams listen for the hotword, this one included.
  mutating func claim(_ claim: Claim, at time: Double, listening: Int) -> [Verdict] {
    var verdicts = advance(to: time)
    var round = Round(opened: time, claims: [])
    if let last = rounds[claim.hotword], time - last.opened <= settings.window,
      !last.claims.contains(where: { $0.stream == claim.stream })
    {
      round = last
    }
    round.claims.append(claim)
    if round.isDecided {
      verdicts.append(Verdict(stream: claim.stream, hotword: claim.hotword, isReported: false))
    }
    rounds[claim.hotword] = round
    if round.claims.count >= listening { verdicts += decide(claim.hotword) }
    return verdicts
  }

  /// The rounds that are over at `time`.
  mutating func advance(to time: Double) -> [Verdict] {
    rounds.keys.sorted().flatMap { hotword in
      time >= (rounds[hotword]?.opened ?? time) + settings.hold ? decide(hotword) : []
    }
  }

  /// The stream has ended: its claims are decided.
  mutating func end(_ stream: Int) -> [Verdict] {
    rounds.keys.sorted().flatMap { hotword in
      rounds[hotword]?.claims.contains { $0.stream == stream } ?? false ? decide(hotword) : []
    }
  }

  private mutating func decide(_ hotword: Int) -> [Verdict] {
    guard var round = rounds[hotword], !round.isDecided else { return [] }
    round.isDecided = true
    rounds[hotword] = round
    let nearest = round.claims.max { $0.nearness < $1.nearness }
    return round.claims.map {
      Verdict(stream: $0.stream, hotword: hotword, isReported: $0.stream == nearest?.stream)
    }
  }
}
