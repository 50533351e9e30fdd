import Glibc
import Platform

/// Recordings as if other people spoke.
package struct VoiceChange: Sendable {
  /// The share of changed recordings that sound like children. Others are up to 15 % slower and lower, or faster and higher.
  package let childShare: Float

  /// By how much a child's pitch and formants are higher, in octaves.
  private static let childHeight: ClosedRange<Float> = 0.2...0.45
  /// How many times as long a child's clip is.
  private static let childDuration: ClosedRange<Float> = 0.85...1.25

  package init(childShare: Float) { self.childShare = childShare }

  /// Returns `samples`, −1…1, at 16 kHz with a random change, and how many times as long they are.
  package func apply(_ samples: [Float], _ random: inout RandomSource) -> (samples: [Float], ratio: Double) {
    guard childShare > 0, random.chance(childShare) else {
      let ratio = Double(exp2f(random.uniform(-0.2...0.2)))
      return (SpeedChange.resample(samples, by: ratio), ratio)
    }
    let length = Double(exp2f(random.uniform(-Self.childHeight.upperBound ... -Self.childHeight.lowerBound)))
    let ratio = Double(random.uniform(Self.childDuration))
    return (PaceChange.stretch(SpeedChange.resample(samples, by: length), by: ratio / length), ratio)
  }
}
