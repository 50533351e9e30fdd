/// Speech at another pace, with the pitch and the formants that it has.
///
/// Waveform similarity overlap-add: windows of 32 ms overlap by half, and each is taken from where it continues the one
/// before it best (Verhelst and Roelands, ICASSP 1993).
package enum PaceChange {
  /// Half a window, and how far from its own place a window may begin, in samples at 16 kHz.
  private static let hop = 256
  private static let search = 160

  /// Returns `samples` with `ratio` times as many samples, ratio 0.5…2.
  package static func stretch(_ samples: [Float], by ratio: Double) -> [Float] {
    let count = Int(Double(samples.count) * ratio)
    guard !samples.isEmpty, abs(ratio - 1) > 1e-6 else { return samples }
    let source = samples + [Float](repeating: 0, count: 3 * hop + search)
    var result = [Float](repeating: 0, count: count + 2 * hop)
    var start = 0
    for target in stride(from: 0, to: count, by: hop) {
      if target > 0 {
        let wanted = min(Int(Double(target) / ratio), samples.count - 1)
        start = bestStart(in: source, near: wanted, continuing: start + hop)
      }
      for index in 0..<2 * hop where target + index < result.count {
        let fadeIn = target == 0 ? 1 : Float(index) / Float(hop)
        result[target + index] +=
          source[start + index] * (index < hop ? fadeIn : 2 - Float(index) / Float(hop))
      }
    }
    return Array(result.prefix(count))
  }

  /// Returns the start of the window that is most similar to the samples from `next` on.
  private static func bestStart(in source: [Float], near wanted: Int, continuing next: Int) -> Int {
    source.withUnsafeBufferPointer { source in
      var best = wanted
      var highest = -Float.infinity
      let next = min(next, source.count - hop)
      for start in max(0, wanted - search)...min(source.count - 2 * hop, wanted + search) {
        var product: Float = 0
        var energy: Float = 1e-6
        for index in stride(from: 0, to: hop, by: 2) {
          product += source[start + index] * source[next + index]
          energy += source[start + index] * source[start + index]
        }
        let similarity = product / energy.squareRoot()
        if similarity > highest { (best, highest) = (start, similarity) }
      }
      return best
    }
  }
}
