import PCM
import Platform

/// Finds near misses in one keyword's scores: peaks just below the threshold, to be reviewed by the user.
///
/// A near miss is a local maximum of the smoothed score, below the threshold and at least ``part`` of it, without a
/// higher score or a hit closer than ``gap``. No method allocates.
public struct NearMisses: Sendable {
  /// A peak below the threshold.
  public struct Peak: Sendable, Equatable {
    /// The end of the supposed phrase: ``KeywordSpotter/StepScore/end``.
    public var end: SampleIndex
    /// 0...1.
    public var score: Double
  }

  /// The fraction of the threshold from which on a peak counts.
  public static let part = 0.5
  /// The distance from a near miss to a higher score: one second, less than a repetition by the user takes.
  public static let gap = AudioFormat.sampleRate

  private let threshold: Double
  private var candidate: Peak?
  private var previous = 0.0
  /// No candidate is before this position, because the score after a hit falls slowly.
  private var quietUntil: SampleIndex = 0

  /// - Parameter threshold: ``KeywordSpotter/Keyword/threshold``.
  public init(threshold: Double) { self.threshold = threshold }

  /// Processes the next step's score, of a phrase that would end at `end`. Real-time safe.
  ///
  /// - Returns: a near miss, a second after its end.
  @_noAllocation @_noLocks
  public mutating func push(_ score: Double, at end: SampleIndex) -> Peak? {
    let isRising = score > previous
    previous = score
    if score >= threshold {
      candidate = nil
      quietUntil = end + NearMisses.gap
      return nil
    }
    if let peak = candidate {
      if score > peak.score {
        candidate = Peak(end: end, score: score)
      } else if end - peak.end >= NearMisses.gap {
        candidate = nil
        return peak
      }
    } else if isRising, score >= NearMisses.part * threshold, end >= quietUntil {
      candidate = Peak(end: end, score: score)
    }
    return nil
  }

  /// Ends the stream, or a part of it before a gap.
  ///
  /// - Returns: the near miss whose second has not passed yet.
  public mutating func finish() -> Peak? {
    defer {
      candidate = nil
      previous = 0
    }
    return candidate
  }
}
