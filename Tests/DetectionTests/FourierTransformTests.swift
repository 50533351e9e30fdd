import CFFTW
import Detection
import Glibc
import Platform
import TestServers
import Testing

@Suite(.limited) struct FourierTransformTests {
  private static let size = 16

  @Test func forwardIsTheDefinition() {
    let transform = FourierTransform(size: Self.size)
    var source = RandomSource(seed: 1)
    for index in 0..<Self.size { transform.samples[index] = source.uniform(-1...1) }
    transform.run()
    for bin in 0...Self.size / 2 {
      var (real, imaginary) = (0.0, 0.0)
      for index in 0..<Self.size {
        let angle = -2 * Double.pi * Double(bin * index) / Double(Self.size)
        real += Double(transform.samples[index]) * cos(angle)
        imaginary += Double(transform.samples[index]) * sin(angle)
      }
      #expect(abs(Double(transform.spectrum[2 * bin]) - real) < 1e-5)
      #expect(abs(Double(transform.spectrum[2 * bin + 1]) - imaginary) < 1e-5)
    }
  }

  @Test func inverseRestoresTheSamplesTimesTheSize() {
    let forward = FourierTransform(size: Self.size)
    let inverse = FourierTransform(size: Self.size, direction: .inverse)
    for index in 0..<Self.size { forward.samples[index] = Float(index * index % 7) }
    forward.run()
    inverse.spectrum.update(from: forward.spectrum, count: Self.size + 2)
    inverse.run()
    for index in 0..<Self.size {
      #expect(abs(inverse.samples[index] - Float(Self.size) * forward.samples[index]) < 1e-3)
    }
  }

  /// The host of libhotword uses the same FFTW as the library, and no lock of the library.
  @Test func theHostMayPlanOnAnotherThreadAtTheSameTime() throws {
    let finished = JobQueue<Void>()
    try DetachedThread.start {
      for round in 0..<2_000 {
        let size = 8 + round * 7 % 1000
        let samples = fftwf_alloc_real(size)!
        let spectrum = fftwf_alloc_complex(size)!
        fftwf_destroy_plan(fftwf_plan_dft_r2c_1d(Int32(size), samples, spectrum, FFTW_ESTIMATE))
        fftwf_free(samples)
        fftwf_free(spectrum)
      }
      finished.append(())
    }
    for round in 0..<2_000 { _ = FourierTransform(size: 8 + round * 11 % 1000) }
    #expect(finished.take(within: 60) != nil)
  }
}
