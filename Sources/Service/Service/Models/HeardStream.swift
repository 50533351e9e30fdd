import Assistant
import Detection
import PCM
import Platform
import Speakers

/// The last seconds of a stream, for speaker identification.
package final class HeardStream {
  private var history = AudioHistory(seconds: HeardStream.seconds)

  /// Seconds kept: for the longest phrase, the audio before it and the time until it is detected.
  private static let seconds = 15.0

  package init() {}

  package func append(_ frame: UnsafeBufferPointer<Int16>) { history.append(frame) }
  package func lose(_ count: Int) { history.appendGap(count) }

  /// Starts a new stream.
  package func reset() { history = AudioHistory(seconds: Self.seconds) }

  /// The number of samples so far.
  package var end: SampleIndex { history.end }

  /// What is kept of `range`.
  package func samples(in range: Range<SampleIndex>) -> [Int16] {
    let kept = range.clamped(to: history.start..<history.end)
    return history.read(from: kept.lowerBound, to: kept.upperBound) ?? []
  }

  /// The samples around `word`, and the range of the word in them.
  package func around(_ word: Range<SampleIndex>) -> (samples: [Int16], word: Range<Int>) {
    let range = Self.range(around: word, until: history.end).clamped(to: history.start..<history.end)
    return (samples(in: range), Self.place(of: word, in: range))
  }

  /// Who spoke `hit`; nil if no voice is enrolled with its keyword.
  package func judge(_ hit: Hit, by voices: EnrolledVoices) -> EnrolledVoices.Judgement? {
    guard voices.know(hit.keyword) else { return nil }
    let (samples, word) = around(hit.start..<hit.end)
    return voices.judge(samples, word: word, keyword: hit.keyword)
  }

  /// The part of a stream that identifies the speaker of `word`, up to `position`.
  package static func range(around word: Range<SampleIndex>, until position: SampleIndex) -> Range<
    SampleIndex
  > {
    let start = max(0, word.lowerBound - AudioFormat.samples(EnrolledVoices.lead))
    return start..<max(start, min(position, word.upperBound + AudioFormat.samples(EnrolledVoices.slack)))
  }

  /// The range of `word` in the samples of `range`.
  package static func place(of word: Range<SampleIndex>, in range: Range<SampleIndex>) -> Range<Int> {
    let inside = word.clamped(to: range)
    return inside.lowerBound - range.lowerBound..<inside.upperBound - range.lowerBound
  }
}
