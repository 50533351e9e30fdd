import PCM
import Platform

/// Finds which part of the stream a clip is, and when all of it has come.
///
/// A state machine without clock, audio or I/O.
public struct ClipCutter: Sendable {
  /// A clip and its place in the stream.
  public struct Cut: Sendable, Equatable {
    public let keyword: String
    public let kind: Clip.Kind
    public let score: Double
    /// Where the word ended.
    public let end: SampleIndex
    /// The samples to keep; never empty.
    public fileprivate(set) var range: Range<SampleIndex>
  }

  /// Samples kept before the word's end: five seconds, after which a detector has nearly settled. Scores of clips differ from
  /// those in use by 0.01 on average, and by 0.05 with two seconds.
  public static let before = 5 * AudioFormat.sampleRate
  /// Samples kept after it: one second.
  public static let after = AudioFormat.sampleRate

  private var waiting: [Cut] = []
  /// Where the unbroken stream began.
  private var origin: SampleIndex = 0

  public init() {}

  /// Adds a word that ended, or seems to have ended, at `end`.
  public mutating func add(keyword: String, kind: Clip.Kind, score: Double, end: SampleIndex) {
    let range = max(origin, end - Self.before)..<(max(origin, end) + Self.after)
    waiting.append(Cut(keyword: keyword, kind: kind, score: score, end: end, range: range))
  }

  /// The clips that are complete when the stream is at `position`.
  public mutating func cuts(at position: SampleIndex) -> [Cut] {
    guard !waiting.isEmpty else { return [] }
    let due = waiting.filter { $0.range.upperBound <= position }
    waiting.removeAll { $0.range.upperBound <= position }
    return due
  }

  /// The incomplete clips when the stream ends or breaks at `position`, up to there.
  ///
  /// - Parameter next: where the stream continues; no later clip begins before it.
  public mutating func finish(at position: SampleIndex, goingOnAt next: SampleIndex? = nil) -> [Cut] {
    defer {
      waiting = []
      origin = next ?? position
    }
    return waiting.compactMap { cut in
      guard cut.range.lowerBound < position else { return nil }
      var cut = cut
      cut.range = cut.range.lowerBound..<min(cut.range.upperBound, position)
      return cut
    }
  }
}
