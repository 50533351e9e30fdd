import Glibc
import PCM
import Platform

/// A recording of a phrase, looked at: where the speech lies in it, and what is wrong with it.
///
/// Speech is where the level of 10 ms frames exceeds the noise floor (their 10th percentile) by a quarter of the
/// range up to the 95th, 6 dB at least, for 30 ms or longer.
public struct Take: Sendable, Equatable {
  /// The speech with some silence around it.
  public let samples: [Int16]
  /// Of the speech, in dBFS; -100 where there is none.
  public let level: Double
  /// Seconds of speech.
  public let seconds: Double
  /// The first thing wrong with it.
  public let flaw: TakeFlaw?

  /// Seconds of silence that are left on both sides.
  public static let margin = 0.3
  private static let shortest = 0.2
  private static let longest = 4.0
  private static let quietest = -42.0
  private static let leastProminence = 12.0
  private static let mostClipped = 0.02
  /// Frames from an edge within which speech is cut off, and the shortest speech in frames.
  private static let edge = 4
  private static let leastRun = 3

  /// - Parameter isWhole: whether no sample was lost in it.
  public init(_ recording: [Int16], isWhole: Bool = true) {
    let frame = AudioFormat.frameLength
    let levels = stride(from: 0, to: recording.count - frame + 1, by: frame).map {
      Self.level(recording[$0..<$0 + frame])
    }
    guard isWhole, let speech = Self.speech(levels) else {
      samples = []
      level = -100
      seconds = 0
      flaw = isWhole ? .noSpeech : .lost
      return
    }
    let range = speech.lowerBound * frame..<speech.upperBound * frame
    let margin = AudioFormat.samples(Self.margin)
    samples = Array(
      recording[max(0, range.lowerBound - margin)..<min(recording.count, range.upperBound + margin)])
    level = Self.percentile(levels[speech], 0.8)
    seconds = AudioFormat.seconds(range.count)
    let full = recording[range].count { abs(Int($0)) >= 32_700 }
    let clipped = Double(full) / Double(range.count)
    let prominence = level - Self.percentile(levels[...], 0.1)
    flaw =
      if level < Self.quietest {
        .quiet(level: level)
      } else if prominence < Self.leastProminence {
        .noisy(prominence: prominence)
      } else if speech.lowerBound < Self.edge {
        .early
      } else if levels.count - speech.upperBound < Self.edge {
        .late
      } else if clipped > Self.mostClipped {
        .clipped(part: clipped)
      } else if seconds < Self.shortest {
        .tooShort(seconds)
      } else if seconds > Self.longest {
        .tooLong(seconds)
      } else {
        nil
      }
  }

  /// The frames from the first speech to the last; nil where there is none.
  private static func speech(_ levels: [Double]) -> Range<Int>? {
    guard levels.count > 2 * edge else { return nil }
    let smooth = levels.indices.map { index in
      let near = levels[max(0, index - 1)...min(levels.count - 1, index + 1)]
      return near.reduce(0, +) / Double(near.count)
    }
    let floor = percentile(smooth[...], 0.1)
    let top = percentile(smooth[...], 0.95)
    guard top - floor > 6 else { return nil }
    let threshold = max(floor + max(6, 0.25 * (top - floor)), top - 35)
    var runs: [Range<Int>] = []
    for index in smooth.indices where smooth[index] > threshold {
      if let last = runs.last, last.upperBound == index {
        runs[runs.count - 1] = last.lowerBound..<index + 1
      } else {
        runs.append(index..<index + 1)
      }
    }
    runs.removeAll { $0.count < leastRun }
    guard let first = runs.first, let last = runs.last else { return nil }
    return first.lowerBound..<last.upperBound
  }

  /// In dBFS, without what is constant.
  private static func level(_ frame: ArraySlice<Int16>) -> Double {
    let count = Double(frame.count)
    let mean = frame.reduce(0.0) { $0 + Double($1) } / count
    let power = frame.reduce(0.0) { $0 + (Double($1) - mean) * (Double($1) - mean) } / count
    return SoundMeasure.decibels(power.squareRoot() / 32_768)
  }

  private static func percentile(_ values: ArraySlice<Double>, _ part: Double) -> Double {
    let sorted = values.sorted()
    return sorted.isEmpty ? -100 : sorted[min(sorted.count - 1, Int(part * Double(sorted.count)))]
  }
}
