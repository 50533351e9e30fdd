import CKernels
import PCM
import Platform

/// A detected phrase.
public struct Decision: Sendable, Equatable {
  /// The smoothed score of the step at ``at``, 0...1.
  public var score: Double
  /// The position of the hit in the raw stream: the rising edge, or a higher score just after it.
  public var at: SampleIndex
  /// The estimated start of the phrase, not before the end of the previous one.
  public var start: SampleIndex
  /// The estimated end of the phrase: ``at`` less the model's latency and the front end's delay, moved to
  /// the end of the phrase's last sound where this is known.
  public var end: SampleIndex
}

/// Computes scores and hits from one model's logits.
///
/// The score is a sigmoid of the mean of the last logits. It is 0 during the warm-up after a start, a reset or a gap. A hit
/// is a rise to the threshold, at least the refractory time after the last hit and with a score below the threshold in
/// between. It is reported at the first fall of the score, up to 60 ms after the rise, with the score and the time of the
/// peak. No method allocates.
public struct Decider: Sendable {
  public let settings: DecisionSettings
  /// Scores from this one on are hits.
  public var threshold: Double
  /// The last step's smoothed score, 0...1; 0 while warming up.
  public private(set) var score = 0.0

  private let warmUp: Int
  private let refractory: Int
  private let wordDuration: Int
  private let lag: Int
  private var logits = SIMD32<Float>()
  private var filled = 0
  private var next = 0
  private var origin: SampleIndex
  private var lastEnd: SampleIndex
  private var lastRise: SampleIndex?
  private var armed = true
  private var pending: Peak?

  private struct Peak {
    var rise: SampleIndex
    var at: SampleIndex
    var heard: SampleIndex
    var score: Double
  }

  /// Samples after the rise in which the peak is expected: 60 ms.
  static let hold = 960

  /// Creates a decider at the start of a stream.
  ///
  /// - Parameters:
  ///   - threshold: see ``OperatingCurve/threshold(for:calibrated:)``.
  ///   - delay: samples by which the front end's output lags the raw stream.
  /// - Throws: ``DetectionFault/badSetting(name:allowed:)`` for settings out of range.
  public init(_ settings: DecisionSettings, threshold: Double, delay: Int = 0) throws(DetectionFault) {
    try settings.validate()
    self.settings = settings
    self.threshold = threshold
    warmUp = AudioFormat.samples(settings.warmUp)
    refractory = AudioFormat.samples(settings.refractory)
    wordDuration = AudioFormat.samples(settings.wordDuration)
    lag = AudioFormat.samples(settings.latency) + delay
    origin = 0
    lastEnd = 0
  }

  /// Processes the logit of the step whose last sample is just before `position` in the raw stream. Real-time safe.
  @_noAllocation @_noLocks
  public mutating func push(_ logit: Float, at position: SampleIndex) -> Decision? {
    decide(smoothed(logit), at: position, heard: position)
  }

  /// Decides by a smoothed logit. Real-time safe.
  ///
  /// - Parameter heard: the position of the step that tells when the phrase ends.
  @_noAllocation @_noLocks
  mutating func decide(_ logit: Double, at position: SampleIndex, heard: SampleIndex) -> Decision? {
    score = hotword_sigmoid(settings.scale * logit + settings.offset)
    if position - origin < warmUp { score = 0 }
    if var peak = pending {
      let falls = score <= peak.score
      if !falls {
        peak.score = score
        peak.at = position
        peak.heard = heard
      }
      pending = peak
      if score < threshold { armed = true }
      return falls || position - peak.rise >= Decider.hold ? report(peak) : nil
    }
    guard score >= threshold else {
      armed = true
      return nil
    }
    guard armed else { return nil }
    armed = false
    if let lastRise, position - lastRise < refractory { return nil }
    lastRise = position
    pending = Peak(rise: position, at: position, heard: heard, score: score)
    return nil
  }

  /// Returns the hit whose peak was not reached before the end of the stream. Real-time safe.
  @_noAllocation @_noLocks
  public mutating func finish() -> Decision? {
    guard let peak = pending else { return nil }
    return report(peak)
  }

  /// Restarts at `position`, after lost samples or a muted microphone; the refractory time continues. Real-time safe.
  @_noAllocation @_noLocks
  public mutating func reset(at position: SampleIndex) {
    filled = 0
    next = 0
    score = 0
    armed = true
    pending = nil
    origin = position
    lastEnd = position > lastEnd ? position : lastEnd
  }

  /// A copy at the start of a stream.
  var fresh: Decider {
    var copy = self
    copy.reset(at: 0)
    copy.lastEnd = 0
    copy.lastRise = nil
    return copy
  }

  /// The end of a phrase that is detected at the step before `position`; not before the stream's start. Real-time safe.
  @_noAllocation @_noLocks
  public func wordEnd(at position: SampleIndex) -> SampleIndex {
    let end = position - lag
    if end > position { return position }
    return end < origin ? origin : end
  }

  /// Returns the mean of the last logits with the next one. Real-time safe.
  @_noAllocation @_noLocks
  mutating func smoothed(_ logit: Float) -> Double {
    logits[next] = logit
    next += 1
    if next == settings.smoothing { next = 0 }
    if filled < settings.smoothing { filled += 1 }
    var sum = 0.0
    var index = 0
    while index < filled {
      sum += Double(logits[index])
      index += 1
    }
    return sum / Double(filled)
  }

  @_noAllocation @_noLocks
  private mutating func report(_ peak: Peak) -> Decision {
    pending = nil
    var end = wordEnd(at: peak.heard)
    if end < lastEnd { end = lastEnd }
    var start = end - wordDuration
    if start < lastEnd { start = lastEnd }
    lastEnd = end
    return Decision(score: peak.score, at: peak.at, start: start, end: end)
  }
}
