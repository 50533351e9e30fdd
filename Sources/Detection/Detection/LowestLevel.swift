/// The smoothed power of a stream of frames, and the lowest mean power of one of its last eight seconds: the steady noise.
///
/// After R. Martin, "Noise power spectral density estimation based on optimal smoothing and minimum statistics", 2001.
struct LowestLevel {
  /// Frames of a second.
  private static let second = 100

  /// The power of about the last three frames.
  private(set) var current: Float = 0
  /// Infinite in the first second of a stream.
  private(set) var lowest = Float.infinity
  /// The sum of the second so far, and its frames.
  private var sum: Float = 0
  private var filled = 0
  /// The mean power of each of the last seconds.
  private var means = SIMD8<Float>(repeating: .infinity)
  private var next = 0

  /// Takes the power of the next frame. Real-time safe.
  @_noAllocation @_noLocks
  mutating func push(_ power: Float) {
    current += (power - current) / 3
    sum += power
    filled += 1
    guard filled == Self.second else { return }
    means[next] = sum / Float(Self.second)
    next = next == 7 ? 0 : next + 1
    sum = 0
    filled = 0
    lowest = means.min()
  }
}
