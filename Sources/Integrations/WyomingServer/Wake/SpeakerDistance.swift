import Glibc
import PCM

/// Measures how near the microphone of a stream is to the person who says a hotword, compared with other microphones.
///
/// The measure is the level of the hotword above 3 kHz, less the noise before it. Walls, doors and the way through the air take
/// most from the high frequencies, so a microphone in the room of the speaker gets more of them than a louder one next door.
/// `Benchmarks/README.md` compares it with other measures. One thread at a time uses it.
final class SpeakerDistance {
  /// Samples over which the power is averaged: 20 ms.
  private static let span = AudioFormat.sampleRate / 50
  /// Spans kept: 6 s.
  private static let kept = 300
  /// The noise is measured in four seconds that end 0.2 s before the hotword.
  private static let noise = (from: 210, to: 10)
  /// Power of the quantization noise of 16 bits, the least that is told apart.
  private static let floor = 1e-10

  private var filter = HighPass()
  private var powers: [Double] = []
  private var sum = 0.0
  private var count = 0
  /// The number of spans since the stream began.
  private var spans = 0

  func reset() {
    filter = HighPass()
    powers.removeAll(keepingCapacity: true)
    (sum, count, spans) = (0, 0, 0)
  }

  /// The next samples of the stream.
  func append(_ samples: UnsafeBufferPointer<Int16>) {
    for sample in samples {
      let value = filter.push(Double(sample) / 32_768)
      sum += value * value
      count += 1
      guard count == Self.span else { continue }
      if powers.count == Self.kept { powers.removeFirst() }
      powers.append(sum / Double(Self.span))
      (sum, count) = (0, 0)
      spans += 1
    }
  }

  /// Higher is nearer: the level in dB of the hotword at `range` of the samples so far.
  func nearness(of range: Range<SampleIndex>) -> Float {
    let start = range.lowerBound / Self.span
    let word = mean(start..<max(start + 1, range.upperBound / Self.span))
    let noise = mean(start - Self.noise.from..<start - Self.noise.to)
    return Float(10 * log10(max((word ?? 0) - (noise ?? 0), Self.floor)))
  }

  /// The mean power of spans counted from the beginning of the stream; nil if none of them is kept.
  private func mean(_ range: Range<Int>) -> Double? {
    let first = spans - powers.count
    let kept = range.clamped(to: first..<spans)
    guard !kept.isEmpty else { return nil }
    return kept.reduce(0) { $0 + powers[$1 - first] } / Double(kept.count)
  }
}

/// A second-order Butterworth high-pass filter at 3 kHz.
private struct HighPass {
  private let gain: Double
  private let feedback: (Double, Double)
  private var input = (0.0, 0.0)
  private var output = (0.0, 0.0)

  init() {
    let k = tan(Double.pi * 3_000 / Double(AudioFormat.sampleRate))
    gain = 1 / (1 + k * 2.0.squareRoot() + k * k)
    feedback = (2 * (k * k - 1) * gain, (1 - k * 2.0.squareRoot() + k * k) * gain)
  }

  mutating func push(_ value: Double) -> Double {
    let result =
      gain * (value - 2 * input.0 + input.1) - feedback.0 * output.0 - feedback.1 * output.1
    input = (value, input.0)
    output = (result, output.0)
    return result
  }
}
