/// A seeded random number generator: one seed always gives one sequence, and so one model.
///
/// SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014).
public struct RandomSource: RandomNumberGenerator, Sendable {
  private var state: UInt64

  public init(seed: UInt64) { state = seed }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number in 0..<1 with 24 random bits.
  public mutating func uniform() -> Float { Float(next() >> 40) * 0x1p-24 }

  /// A number in `range`; rounding may reach both ends.
  public mutating func uniform(_ range: ClosedRange<Float>) -> Float {
    range.lowerBound + (range.upperBound - range.lowerBound) * uniform()
  }

  /// True with the given probability.
  public mutating func chance(_ probability: Float) -> Bool { uniform() < probability }

  /// An independent generator for the job numbered `index`: the same for any number of threads.
  public func stream(_ index: Int) -> RandomSource {
    var seeded = RandomSource(seed: state ^ (UInt64(truncatingIfNeeded: index) &* 0xD1B5_4A32_D192_ED03))
    return RandomSource(seed: seeded.next())
  }
}
