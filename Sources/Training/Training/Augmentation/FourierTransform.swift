import Glibc

/// A complex radix-2 FFT for convolutions off the audio path.
///
/// Cooley and Tukey, 1965; in place, decimation in time.
struct FourierTransform {
  let size: Int
  private let cosines: [Float]
  private let sines: [Float]

  /// - Parameter size: a power of two.
  init(size: Int) {
    precondition(size > 1 && size & (size - 1) == 0)
    self.size = size
    cosines = (0..<size / 2).map { Float(cos(2 * Double.pi * Double($0) / Double(size))) }
    sines = (0..<size / 2).map { Float(-sin(2 * Double.pi * Double($0) / Double(size))) }
  }

  func forward(_ real: inout [Float], _ imaginary: inout [Float]) {
    let n = size
    real.withUnsafeMutableBufferPointer { re in
      imaginary.withUnsafeMutableBufferPointer { im in
        var j = 0
        for i in 1..<n {
          var bit = n >> 1
          while j & bit != 0 {
            j ^= bit
            bit >>= 1
          }
          j |= bit
          if i < j {
            re.swapAt(i, j)
            im.swapAt(i, j)
          }
        }
        cosines.withUnsafeBufferPointer { cosines in
          sines.withUnsafeBufferPointer { sines in
            var length = 2
            while length <= n {
              let half = length / 2
              let step = n / length
              var start = 0
              while start < n {
                for k in 0..<half {
                  let c = cosines[k * step]
                  let s = sines[k * step]
                  let a = start + k
                  let b = a + half
                  let tr = re[b] * c - im[b] * s
                  let ti = re[b] * s + im[b] * c
                  re[b] = re[a] - tr
                  im[b] = im[a] - ti
                  re[a] += tr
                  im[a] += ti
                }
                start += length
              }
              length *= 2
            }
          }
        }
      }
    }
  }

  /// `signal` convolved with `response`, `signal.count` samples from the first.
  static func convolve(_ signal: [Float], _ response: [Float]) -> [Float] {
    guard !signal.isEmpty, !response.isEmpty else { return signal }
    var size = 1024
    while size < 2 * response.count { size *= 2 }
    let block = size - response.count + 1
    let transform = FourierTransform(size: size)
    var hr = response + [Float](repeating: 0, count: size - response.count)
    var hi = [Float](repeating: 0, count: size)
    transform.forward(&hr, &hi)
    var result = [Float](repeating: 0, count: signal.count)
    var start = 0
    while start < signal.count {
      // Two blocks at once, one as the real and one as the imaginary part.
      var xr = [Float](repeating: 0, count: size)
      var xi = [Float](repeating: 0, count: size)
      let first = min(block, signal.count - start)
      let second = max(0, min(block, signal.count - start - block))
      for i in 0..<first { xr[i] = signal[start + i] }
      for i in 0..<second { xi[i] = signal[start + block + i] }
      transform.forward(&xr, &xi)
      // The inverse by conjugation: conjugate, transform, conjugate, divide.
      for i in 0..<size {
        let a = xr[i]
        let b = xi[i]
        xr[i] = a * hr[i] - b * hi[i]
        xi[i] = -(a * hi[i] + b * hr[i])
      }
      transform.forward(&xr, &xi)
      let scale = 1 / Float(size)
      for i in 0..<min(size, signal.count - start) { result[start + i] += xr[i] * scale }
      if second > 0 {
        for i in 0..<min(size, signal.count - start - block) {
          result[start + block + i] -= xi[i] * scale
        }
      }
      start += 2 * block
    }
    return result
  }
}
