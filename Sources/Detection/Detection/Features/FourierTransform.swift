import CFFTW
import Synchronization

/// A real Fourier transform of one size with its own buffers, FFTW in single precision.
///
/// FFTW's planner is not safe on several threads, so plans are made and ended one at a time; FFTW_ESTIMATE
/// measures nothing and so gives one machine the same plan, and the same bits, each time.
final class FourierTransform {
  /// `size` samples; overwritten only by the user.
  let input: UnsafeMutablePointer<Float>
  /// `size` / 2 + 1 complex numbers, real and imaginary parts interleaved.
  let output: UnsafeMutablePointer<Float>
  /// For `fftwf_run`, which transforms `input` into `output` and is safe on the audio thread.
  let plan: OpaquePointer

  private static let planner = Mutex(())

  init(size: Int) {
    let bins = size / 2 + 1
    let samples = fftwf_alloc_real(size)!
    let spectrum = fftwf_alloc_complex(bins)!
    nonisolated(unsafe) let buffers = (samples, spectrum)
    nonisolated(unsafe) var made: OpaquePointer?
    Self.planner.withLock { _ in
      made = fftwf_plan_dft_r2c_1d(Int32(size), buffers.0, buffers.1, FFTW_ESTIMATE)
    }
    plan = made!
    input = samples
    input.initialize(repeating: 0, count: size)
    output = UnsafeMutableRawPointer(spectrum).assumingMemoryBound(to: Float.self)
    output.initialize(repeating: 0, count: 2 * bins)
  }

  deinit {
    nonisolated(unsafe) let ended = plan
    Self.planner.withLock { _ in fftwf_destroy_plan(ended) }
    fftwf_free(input)
    fftwf_free(output)
  }
}
