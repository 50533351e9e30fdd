import Glibc

/// Resampling of whole clips by windowed-sinc interpolation.
///
/// Uses 32 taps with a Kaiser window (β = 8) from a table of 256 phases. The pass band ends at 0.9 of the
/// lower Nyquist frequency; aliases are below −70 dB. At the original sample rate, a clip resampled by `r` is
/// `r` times as long, with pitch and formants `1/r` times as high: a different speaker at little cost.
package enum SpeedChange {
  private static let half = 16
  private static let phases = 256

  /// Returns `samples` with `ratio` times as many samples, ratio 0.25…4.
  package static func resample(_ samples: [Float], by ratio: Double) -> [Float] {
    guard !samples.isEmpty, abs(ratio - 1) > 1e-6 else { return samples }
    let scale = min(1, ratio) * 0.95
    let table = kernel(cutoff: Float(scale))
    let width = 2 * half
    let count = Int((Double(samples.count) * ratio).rounded(.down))
    var result = [Float](repeating: 0, count: count)
    samples.withUnsafeBufferPointer { source in
      table.withUnsafeBufferPointer { table in
        for index in 0..<count {
          let position = Double(index) / ratio
          let whole = Int(position)
          let phase = Int((position - Double(whole)) * Double(phases) + 0.5)
          let taps = phase * width
          let start = whole - half + 1
          var sum: Float = 0
          let first = max(0, -start)
          let last = min(width, source.count - start)
          if first < last {
            for tap in first..<last { sum += source[start + tap] * table[taps + tap] }
          }
          result[index] = sum
        }
      }
    }
    return result
  }

  private static func kernel(cutoff: Float) -> [Float] {
    let width = 2 * half
    var table = [Float](repeating: 0, count: (phases + 1) * width)
    for phase in 0...phases {
      var sum: Float = 0
      for tap in 0..<width {
        let x = Float(tap - half + 1) - Float(phase) / Float(phases)
        let sinc = abs(x) < 1e-6 ? cutoff : sinf(.pi * cutoff * x) / (.pi * x)
        let u = x / Float(half)
        let window = abs(u) >= 1 ? 0 : bessel(8 * (1 - u * u).squareRoot()) / bessel(8)
        table[phase * width + tap] = sinc * window
        sum += sinc * window
      }
      for tap in 0..<width { table[phase * width + tap] /= sum }
    }
    return table
  }

  /// The modified Bessel function of order zero.
  private static func bessel(_ x: Float) -> Float {
    var sum: Float = 1
    var term: Float = 1
    for k in 1..<25 {
      term *= (x / 2 / Float(k)) * (x / 2 / Float(k))
      sum += term
    }
    return sum
  }
}
