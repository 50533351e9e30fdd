import PCM
import Platform

/// The peaks of one stream's smoothed score, for evaluation at every threshold at once.
///
/// A peak is a local maximum at or above the floor without a higher peak closer than the gap: maxima are selected from
/// the highest down (of equals the earlier first), and each one excludes its surroundings.
public struct ScorePeaks: Sendable {
  /// A local maximum of the score.
  public struct Peak: Sendable, Equatable {
    /// The end of the phrase, as ``KeywordSpotter/StepScore/end``.
    public var at: SampleIndex
    /// 0...1.
    public var score: Double
  }

  public let floor: Double
  /// The smallest distance in samples from a peak to a higher one.
  public let gap: Int
  /// The highest score, even if below the floor; 0 before the first.
  public private(set) var highest = 0.0

  private var maxima: [Peak] = []
  private var last: Peak?
  private var rising = true

  public init(floor: Double = 0.01, gap: Double = 2) {
    self.floor = floor
    self.gap = max(0, AudioFormat.samples(gap))
  }

  /// Processes the next step's score.
  public mutating func push(_ score: Double, at position: SampleIndex) {
    highest = max(highest, score)
    if let last, rising, score < last.score { keep(last) }
    if let last, score == last.score { return }
    rising = last.map { score > $0.score } ?? true
    last = Peak(at: position, score: score)
  }

  private mutating func keep(_ peak: Peak) {
    if peak.score >= floor, peak.score > 0 { maxima.append(peak) }
  }

  /// The stream's peaks in chronological order.
  public func peaks() -> [Peak] {
    var copy = self
    if let last, rising { copy.keep(last) }
    guard gap > 0 else { return copy.maxima }
    let descending = copy.maxima.sorted { $0.score != $1.score ? $0.score > $1.score : $0.at < $1.at }
    // Each interval of one gap contains up to one peak.
    var kept: [Int: Peak] = [:]
    for peak in descending {
      let stretch = peak.at / gap
      let neighbours = [stretch - 1, stretch, stretch + 1].compactMap { kept[$0] }
      if neighbours.allSatisfy({ abs($0.at - peak.at) >= gap }) { kept[stretch] = peak }
    }
    return kept.values.sorted { $0.at < $1.at }
  }
}
