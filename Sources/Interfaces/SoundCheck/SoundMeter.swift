import Glibc
import PCM
import Platform

/// Takes the measure of a stream of 16 kHz samples as they come, in memory that does not grow.
public struct SoundMeter: Sendable {
  /// How many frames of 10 ms had each level, in half decibels from -100 dBFS up.
  private var levels = [Int](repeating: 0, count: 201)
  private var frames = 0
  private var clippedFrames = 0
  private var samples = 0
  private var sum = 0
  private var least = Int16.max
  private var greatest = Int16.min
  /// Samples of a frame that is not full yet.
  private var rest: [Int16] = []

  /// Samples from here on are as loud as a converter gets.
  private static let fullScale = 32_700
  /// So many of them within 10 ms are cut off, not just loud.
  private static let cutOff = 3

  public init() {}

  /// Takes the next samples, any number.
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
    if full >= Self.cutOff { clippedFrames += 1 }
  }

  /// What was heard so far; a frame that is not full does not count.
  public var measure: SoundMeasure {
    guard frames > 0 else { return SoundMeasure() }
    let offset = Double(sum) / Double(samples)
    let extent = max(Double(greatest) - offset, offset - Double(least))
    return SoundMeasure(
      seconds: AudioFormat.seconds(samples), noiseFloor: level(below: 0.1), level: level(below: 0.95),
      peak: SoundMeasure.decibels(max(abs(Double(greatest)), abs(Double(least))) / 32_768),
      clipped: Double(clippedFrames) / Double(frames), offset: offset / 32_768, isDead: extent < 1)
  }

  /// The level that this part of the frames does not exceed.
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
