import Detection
import Glibc

extension Background {
  /// Rarer sounds, and those that the speech lacks, count as this frequent.
  private static let leastFrequency: Float = 0.002

  /// Returns the scores of an encoder's outputs, by how often each sound is said in the aligned speech, pauses included. Without
  /// aligned speech, all are as frequent.
  func sounds(outputs: Int) -> SoundScores {
    var counts = [Int](repeating: 0, count: outputs)
    for stream in streams {
      for sound in stream.sounds where sound != Target.unlabelled { counts[Int(sound)] += 1 }
    }
    let total = counts.reduce(0, +)
    guard total > 0 else { return SoundScores(offsets: [Float](repeating: 0, count: outputs)) }
    return SoundScores(offsets: counts.map { log(max(Self.leastFrequency, Float($0) / Float(total))) })
  }
}
