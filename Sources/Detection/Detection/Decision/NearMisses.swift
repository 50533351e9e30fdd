import PCM
import Platform

/// Finds in one keyword's scores what almost was the phrase: the peaks that a review should hear.
///
/// A near miss is a local maximum of the smoothed score, below the threshold and at least ``part`` of it, with no
/// higher score and none at the threshold closer than ``gap``. Nothing here allocates.
public struct NearMisses: Sendable {
  /// A peak below the threshold.
  public struct Peak: Sendable, Equatable {
    /// Where the phrase ended, if it was one: ``KeywordSpotter/StepScore/end``.
    public var end: SampleIndex
    /// 0...1.
    public var score: Double
  }

  /// The share of the threshold from which on a peak counts.
  public static let part = 0.5
  /// Samples that a near miss keeps from a higher score, a second: shorter than a person takes to say it again.
  public static let gap = AudioFormat.sampleRate

  private let threshold: Double
  private var candidate: Peak?
  private var previous = 0.0
  /// No candidate begins before this position: the hit before it still rings.
  private var quietUntil: SampleIndex = 0

  /// - Parameter threshold: ``KeywordSpotter/Keyword/threshold``.
  public init(threshold: Double) { self.threshold = threshold }

  /// Takes the next step's score, of a phrase that would end at `end`; safe on the audio thread.
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
  /// - Returns: the near miss that still waited for its second.
  public mutating func finish() -> Peak? {
    defer {
      candidate = nil
      previous = 0
    }
    return candidate
  }
}
