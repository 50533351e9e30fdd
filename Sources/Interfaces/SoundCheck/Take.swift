import Glibc
import PCM
import Platform

/// A recording of a phrase, with the position of its speech and its flaw.
///
/// Speech is where the level of 10 ms frames exceeds the noise floor (their 10th percentile) by a quarter of the
/// range up to the loudest (their 95th percentile, or what 150 ms exceed, if that is louder: a short word may end a long wait), but at
/// least 6 dB, for 30 ms or longer.
public struct Take: Sendable, Equatable {
  /// The speech with up to ``margin`` around it.
  public let samples: [Int16]
  /// The level of the speech in dBFS; -100 without speech.
  public let level: Double
  /// Seconds of speech.
  public let seconds: Double
  /// The first flaw; nil for a good take.
  public let flaw: TakeFlaw?

  /// Seconds of audio that are kept before and after the speech.
  public static let margin = 0.3
  private static let shortest = 0.2
  private static let longest = 4.0
  private static let quietest = -42.0
  private static let leastSignalToNoise = 12.0
  private static let mostClipped = 0.02
  /// The frames at both ends in which speech counts as cut off, and the shortest run of speech in frames.
  private static let edge = 4
  private static let leastRun = 3
  private static let loudestFrames = 15

  /// - Parameter isWhole: whether no samples were lost during the recording.
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
    let signalToNoise = level - Self.percentile(levels[...], 0.1)
    flaw =
      if level < Self.quietest {
        .quiet(level: level)
      } else if signalToNoise < Self.leastSignalToNoise {
        .noisy(signalToNoise: signalToNoise)
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

  /// The frames from the first speech to the last; nil without speech.
  private static func speech(_ levels: [Double]) -> Range<Int>? {
    guard levels.count > 2 * edge else { return nil }
    let smooth = levels.indices.map { index in
      let near = levels[max(0, index - 1)...min(levels.count - 1, index + 1)]
      return near.reduce(0, +) / Double(near.count)
    }
    let floor = percentile(smooth[...], 0.1)
    let top = percentile(smooth[...], max(0.95, 1 - Double(loudestFrames) / Double(smooth.count)))
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

  /// The level in dBFS, without the DC offset.
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

/// Why a recording of a phrase should be repeated.
public enum TakeFlaw: Sendable, Equatable {
  /// There is no speech.
  case noSpeech
  /// The level of the speech in dBFS.
  case quiet(level: Double)
  /// The decibels of the speech above the noise.
  case noisy(signalToNoise: Double)
  /// This part of the speech is clipped.
  case clipped(part: Double)
  /// The speech began before the recording.
  case early
  /// The speech continued after the recording.
  case late
  /// Seconds of speech.
  case tooShort(Double)
  case tooLong(Double)
  /// Samples were lost during the recording.
  case lost

  /// What is wrong, and the suggested fix.
  public var message: String {
    switch self {
    case .noSpeech: "no speech; speak after the prompt"
    case .quiet(let level):
      "too quiet, \(SoundFlaw.decibels(level)) dBFS; speak closer, or raise the capture gain ('alsamixer', F4)"
    case .noisy(let signalToNoise):
      "only \(SoundFlaw.decibels(signalToNoise)) dB above the noise; speak closer, or find a quieter place"
    case .clipped: "too loud, clipped; speak from farther away, or lower the capture gain"
    case .early: "the beginning is cut off; speak after the prompt"
    case .late: "the end is cut off; speak the phrase alone"
    case .tooShort(let seconds):
      "\(JSON.rounded(seconds, digits: 1)) s is too short for the phrase; say the whole phrase"
    case .tooLong(let seconds):
      "\(JSON.rounded(seconds, digits: 1)) s is too long; say only the phrase, without a pause"
    case .lost: "some audio was lost; repeat it"
    }
  }
}
