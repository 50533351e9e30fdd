import Detection
import Glibc

extension Background {
  /// The part of the logarithm of a sound's frequency that is subtracted.
  private static let share: Float = 0.5
  private static let leastFrequency: Float = 0.002

  /// Returns `PhrasePathSettings.offsets`: half the logarithm of how often each of the encoder's outputs is right in the
  /// aligned speech.
  ///
  /// With the whole logarithm, the outputs would be scaled likelihoods (Bourlard and Morgan, 1994). Silence is as frequent as
  /// the most frequent sound. All are 0 without aligned speech.
  func soundOffsets(outputs: Int) -> [Float] {
    var counts = [Int](repeating: 0, count: outputs)
    for stream in streams {
      for sound in stream.sounds where sound != Target.unlabelled { counts[Int(sound)] += 1 }
    }
    let total = counts.reduce(0, +)
    let silence = Int(Phoneme.silence.rawValue)
    counts[silence] = 0
    counts[silence] = counts.max()!
    guard total > 0 else { return [Float](repeating: 0, count: outputs) }
    return counts.map { Self.share * log(max(Self.leastFrequency, Float($0) / Float(total))) }
  }
}
