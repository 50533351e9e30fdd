import CFFTW

/// A Fourier transform of real samples, of one size and direction, with its own buffers; FFTW in single precision.
///
/// FFTW_ESTIMATE measures nothing, so one machine gets the same plan, and the same bits, each time. Transforms may be made
/// and released on several threads; one transform is used by one thread at a time.
package final class FourierTransform {
  package enum Direction: Sendable {
    /// From samples to their spectrum.
    case forward
    /// From a spectrum to its samples, each multiplied by the size.
    case inverse
  }

  /// `size` real numbers.
  package let samples: UnsafeMutablePointer<Float>
  /// `size` / 2 + 1 complex numbers, real and imaginary parts interleaved. An inverse transform overwrites them.
  package let spectrum: UnsafeMutablePointer<Float>
  /// For `fftwf_run`, which is safe on the audio thread if the size is a power of two.
  package let plan: OpaquePointer

  /// Makes a transform with buffers of zeros.
  ///
  /// - Parameter size: the number of samples, at least 1.
  package init(size: Int, direction: Direction = .forward) {
    let bins = size / 2 + 1
    let real = fftwf_alloc_real(size)!
    let complex = fftwf_alloc_complex(bins)!
    plan =
      switch direction {
      case .forward: fftwf_plan_dft_r2c_1d(Int32(size), real, complex, FFTW_ESTIMATE)
      case .inverse: fftwf_plan_dft_c2r_1d(Int32(size), complex, real, FFTW_ESTIMATE)
      }
    samples = real
    samples.initialize(repeating: 0, count: size)
    spectrum = UnsafeMutableRawPointer(complex).assumingMemoryBound(to: Float.self)
    spectrum.initialize(repeating: 0, count: 2 * bins)
  }

  deinit {
    fftwf_destroy_plan(plan)
    fftwf_free(samples)
    fftwf_free(spectrum)
  }

  /// Transforms the one buffer into the other.
  package func run() { fftwf_run(plan) }
}
