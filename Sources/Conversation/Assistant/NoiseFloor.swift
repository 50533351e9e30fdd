/// The level of the background, in dBFS: the minimum of the smoothed level over the last 1.2 to 1.6 seconds.
///
/// Speech falls to the background level several times a second, so it hardly raises the minimum, while a new steady noise
/// becomes the floor after 1.6 s at the latest (Martin, "Noise power spectral density estimation based on
/// optimal smoothing and minimum statistics", 2001, reduced to one band). Safe per frame: no allocation, no locks.
struct NoiseFloor: Sendable {
  /// Frames in one block; the minimum is taken over the running block and the last three.
  private static var block: Int { 40 }
  /// The level below which everything counts as silence, so that faint noise after digital zeros does not count as loud.
  static var lowest: Float {
    @_noAllocation @_noLocks
    get { -75 }
  }
  /// How far the minimum of a steady noise is below its mean, in dB.
  private static var bias: Float { 1.5 }

  private var minima: (Float, Float, Float) = (.infinity, .infinity, .infinity)
  private var running: Float = .infinity
  private var count = 0
  /// The mean of the last few levels, in dB.
  private(set) var smoothed: Float = .infinity

  /// The floor in dBFS; ``lowest`` before the first frame.
  var level: Float {
    @_noAllocation @_noLocks
    get {
      let least = min(min(minima.0, minima.1), min(minima.2, running))
      return least < 0 ? max(Self.lowest, least + Self.bias) : Self.lowest
    }
  }

  @_noAllocation @_noLocks
  mutating func push(_ level: Float) {
    smoothed = smoothed < 1 ? smoothed + 0.3 * (level - smoothed) : level
    running = min(running, smoothed)
    count += 1
    if count == Self.block {
      minima = (minima.1, minima.2, running)
      running = .infinity
      count = 0
    }
  }
}
