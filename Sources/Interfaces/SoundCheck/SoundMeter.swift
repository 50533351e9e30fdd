import Glibc
import PCM
import Platform

/// Measures a stream of 16 kHz samples, in constant memory.
public struct SoundMeter: Sendable {
  /// The number of 10 ms frames at each level, in half decibels from -100 dBFS.
  private var levels = [Int](repeating: 0, count: 201)
  private var frames = 0
  private var clippedFrames = 0
  private var samples = 0
  private var sum = 0
  private var least = Int16.max
  private var greatest = Int16.min
  /// Samples of an incomplete frame.
  private var rest: [Int16] = []

  /// From this value on, a sample counts as full scale.
  private static let fullScale = 32_700
  /// A frame with this many full-scale samples is clipped.
  private static let clippedSamples = 3

  public init() {}

  /// Measures the next samples, any number.
  public mutating func push(_ samples: some Sequence<Int16>) {
    for sample in samples {
      rest.append(sample)
      if rest.count == AudioFormat.frameLength {
        take()
        rest.removeAll(keepingCapacity: true)
      }
    }
  }

  private mutating func take() {
    var total = 0
    var squares = 0
    var full = 0
    for sample in rest {
      let value = Int(sample)
      total += value
      squares += value * value
      if abs(value) >= Self.fullScale { full += 1 }
      least = min(least, sample)
      greatest = max(greatest, sample)
    }
    let count = Double(rest.count)
    let mean = Double(total) / count
    let power = max(0, Double(squares) / count - mean * mean)
    levels[Int(2 * (SoundMeasure.decibels(power.squareRoot() / 32_768) + 100))] += 1
    frames += 1
    samples += rest.count
    sum += total
    if full >= Self.clippedSamples { clippedFrames += 1 }
  }

  /// The measure of all complete frames so far.
  public var measure: SoundMeasure {
    guard frames > 0 else { return SoundMeasure() }
    let offset = Double(sum) / Double(samples)
    let extent = max(Double(greatest) - offset, offset - Double(least))
    return SoundMeasure(
      seconds: AudioFormat.seconds(samples), noiseFloor: level(below: 0.1), level: level(below: 0.95),
      peak: SoundMeasure.decibels(max(abs(Double(greatest)), abs(Double(least))) / 32_768),
      clipped: Double(clippedFrames) / Double(frames), offset: offset / 32_768, isDead: extent < 1)
  }

  /// The level in dBFS that `part` of the frames does not exceed.
  private func level(below part: Double) -> Double {
    let wanted = max(1, Int((part * Double(frames)).rounded(.up)))
    var count = 0
    for (index, frames) in levels.enumerated() {
      count += frames
      if count >= wanted { return Double(index) / 2 - 100 }
    }
    return 0
  }
}
