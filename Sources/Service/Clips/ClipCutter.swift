import PCM
import Platform

/// Waits until all of a clip has been heard, and tells which part of the stream it is.
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

  /// Samples kept before the word's end: two seconds.
  public static let before = 2 * AudioFormat.sampleRate
  /// Samples kept after it: one second.
  public static let after = AudioFormat.sampleRate

  private var waiting: [Cut] = []
  /// Where the unbroken stream began.
  private var origin: SampleIndex = 0

  public init() {}

  /// Notes a word that ended, or seems to have ended, at `end`.
  public mutating func add(keyword: String, kind: Clip.Kind, score: Double, end: SampleIndex) {
    let range = max(origin, end - Self.before)..<(max(origin, end) + Self.after)
    waiting.append(Cut(keyword: keyword, kind: kind, score: score, end: end, range: range))
  }

  /// The clips that are whole now that the stream stands at `position`.
  public mutating func cuts(at position: SampleIndex) -> [Cut] {
    guard !waiting.isEmpty else { return [] }
    let due = waiting.filter { $0.range.upperBound <= position }
    waiting.removeAll { $0.range.upperBound <= position }
    return due
  }

  /// The clips that still waited when the stream ended or broke at `position`, as far as it went.
  ///
  /// - Parameter next: where it goes on: no clip reaches back before it.
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
