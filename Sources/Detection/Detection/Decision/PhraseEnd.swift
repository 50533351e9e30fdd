import PCM

/// Corrects the end of a detected phrase: it is the end of the last sound nearest to the estimate.
///
/// The time from the end of a phrase to its detection varies with the speaker and with what follows. The encoder tells when
/// the last sound of the phrase ends, even if a command follows without a pause. A decision is held while its last sound
/// goes on, at most 100 ms from the hit. Without last sounds every decision is unchanged. No method allocates.
struct PhraseEnd {
  /// Encoder outputs that can be last sounds.
  static let outputLimit = 64
  /// Samples after a hit for which its decision is held at most: 100 ms.
  static let longestHold = 1_600
  /// The range of samples around the estimate in which the last sound is sought: −160…100 ms.
  private static let before = 2_560
  private static let after = 1_600
  /// A last sound is heard where its output is at most this far below the highest.
  private static let margin: Float = 2
  /// Samples before the estimate up to which the outputs must be known: 80 ms.
  private static let unknown = 1_280

  private let sounds: UInt64
  /// Samples by which the outputs are behind the raw stream.
  private let delay: Int
  /// Whether a last sound was heard at each of the last vectors, the newest in the lowest bit.
  private var history: UInt64 = 0
  private var newest: SampleIndex = 0
  /// Samples between two vectors.
  private var hop = AudioFormat.frameLength
  private var held: Decision?
  private var lastEnd: SampleIndex = 0

  /// - Parameter delay: samples by which the front end's output lags the raw stream.
  init(_ sounds: LastSounds?, delay: Int) {
    self.sounds = sounds.map { $0.outputs.reduce(0) { $0 | 1 << UInt64($1) } } ?? 0
    self.delay = delay + AudioFormat.samples(sounds?.lookAhead ?? 0)
  }

  /// Processes the encoder's outputs of the vector whose last sample is just before `position` in the raw stream.
  ///
  /// - Parameter highest: the highest of `outputs`.
  @_noAllocation @_noLocks
  mutating func push(_ outputs: UnsafeBufferPointer<Float>, highest: Float, at position: SampleIndex) {
    guard sounds != 0 else { return }
    var last = -Float.infinity
    var left = sounds
    while left != 0 {
      let index = left.trailingZeroBitCount
      if index < outputs.count { last = max(last, outputs[index]) }
      left &= left - 1
    }
    if position > newest { hop = position - newest }
    newest = position
    history = history << 1 | (last >= highest - Self.margin ? 1 : 0)
  }

  /// Holds `decision` until ``settled()`` returns it.
  ///
  /// - Returns: the decision that was held before.
  @_noAllocation @_noLocks
  mutating func hold(_ decision: Decision) -> Decision? {
    let earlier = release()
    held = decision
    return earlier
  }

  /// Returns the held decision with its corrected end as soon as this is known.
  @_noAllocation @_noLocks
  mutating func settled() -> Decision? {
    guard let held else { return nil }
    let goesOn = history & 1 == 1 || newest - delay < held.end - Self.unknown
    if sounds != 0, goesOn, newest - held.at < Self.longestHold { return nil }
    return release()
  }

  /// Returns the held decision at once, with the end as far as it is known.
  @_noAllocation @_noLocks
  mutating func release() -> Decision? {
    guard var decision = held else { return nil }
    held = nil
    let moved = end(near: decision.end) - decision.end
    decision.end = max(lastEnd, decision.end + moved)
    decision.start = min(decision.end, max(lastEnd, decision.start + moved))
    lastEnd = decision.end
    return decision
  }

  /// Resets at `position`, after lost samples. A held decision is dropped.
  @_noAllocation @_noLocks
  mutating func reset(at position: SampleIndex) {
    held = nil
    history = 0
    newest = position
    lastEnd = position == 0 ? 0 : max(lastEnd, position)
  }

  /// Returns the end of the last sound nearest to `estimate`, or `estimate` if none is near.
  @_noAllocation @_noLocks
  private func end(near estimate: SampleIndex) -> SampleIndex {
    var best = estimate
    var distance = Int.max
    var age = 0
    while age < UInt64.bitWidth {
      let end = newest - age * hop - delay
      if end < estimate - Self.before { break }
      let isEnd = age == 0 || history >> UInt64(age - 1) & 1 == 0
      if end <= estimate + Self.after, history >> UInt64(age) & 1 == 1, isEnd {
        var first = age
        while first + 1 < UInt64.bitWidth, history >> UInt64(first + 1) & 1 == 1 { first += 1 }
        let begin = newest - first * hop - delay
        let away = max(0, max(begin - estimate, estimate - end))
        if away < distance {
          distance = away
          best = end
        }
      }
      age += 1
    }
    return best
  }
}
