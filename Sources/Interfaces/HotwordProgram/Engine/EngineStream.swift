import Detection
import Glibc
import Hotword
import PCM
import Platform

/// One model's scores for chunks of raw bytes, in the convention of the engines of Mycroft Precise.
///
/// A score depends on all audio so far, not on the chunk sizes.
struct EngineStream {
  /// Seconds for which a score is held: Precise's clients wait for four chunks of 64 ms above the threshold.
  private static let hold = 0.32

  private let detector: HotwordDetector
  private let thresholdLogit: Double
  private var samples: [Int16] = []
  private var oddByte: UInt8?
  private var position: SampleIndex = 0
  /// The scores of the last ``hold`` seconds that are higher than all later ones.
  private var peaks: [(end: SampleIndex, score: Double)] = []

  /// - Throws: `DetectionFault`.
  init(_ model: String) throws(DetectionFault) {
    detector = try HotwordDetector([model])
    thresholdLogit = Self.logit(detector.keywords[0].threshold)
  }

  /// Scores the next chunk; half a sample at its end is completed by the next chunk.
  ///
  /// - Returns: 0…1, at least 0.5 if the phrase was detected.
  mutating func push(_ chunk: [UInt8]) -> Double {
    samples.removeAll(keepingCapacity: true)
    for byte in chunk {
      if let low = oddByte {
        samples.append(Int16(bitPattern: UInt16(low) | UInt16(byte) << 8))
        oddByte = nil
      } else {
        oddByte = byte
      }
    }
    let begin = position
    samples.withUnsafeBufferPointer { samples in
      var start = 0
      while start < samples.count {
        let toFrame = AudioFormat.frameLength - position % AudioFormat.frameLength
        let end = min(samples.count, start + toFrame)
        _ = detector.process(UnsafeBufferPointer(rebasing: samples[start..<end]))
        position += end - start
        start = end
        note(detector.score(of: 0))
      }
    }
    while detector.nextHit() != nil {}
    let since = min(begin, position - AudioFormat.samples(Self.hold))
    peaks.removeAll { $0.end < since }
    return relative(peaks.first?.score ?? 0)
  }

  private mutating func note(_ score: Double) {
    while let last = peaks.last, last.score <= score { peaks.removeLast() }
    peaks.append((position, score))
  }

  /// `score` shifted so that the threshold is 0.5.
  private func relative(_ score: Double) -> Double {
    score <= 0 ? 0 : 1 / (1 + exp(thresholdLogit - Self.logit(score)))
  }

  private static func logit(_ score: Double) -> Double {
    let inside = min(max(score, 1e-9), 1 - 1e-9)
    return log(inside / (1 - inside))
  }
}
