import Detection
import Glibc
import PCM

/// The spectrogram of a stream for a picture: a column of ``bands`` values, 0…255, for each ``step`` samples.
///
/// A value is the highest level of a band of the mel scale from 60 Hz to 8 kHz: 0 is ``lowest`` dB relative to a full-scale sine, 255 is
/// ``highest``. For one thread.
final class LiveSpectrogram {
  static let bands = 48
  /// 20 ms.
  static let step = 320
  static let lowest: Float = -100
  static let highest: Float = -20
  private static let size = 512

  private let transform = FourierTransform(size: LiveSpectrogram.size)
  private let window: [Float]
  /// The bins of each band.
  private let bins: [ClosedRange<Int>]
  private var past = [Float](repeating: 0, count: LiveSpectrogram.size)

  init() {
    let size = Self.size
    window = (0..<size).map { 0.5 - 0.5 * cosf(2 * .pi * (Float($0) + 0.5) / Float(size)) }
    func mel(_ hertz: Float) -> Float { 2595 * log10f(1 + hertz / 700) }
    let (from, to) = (mel(60), mel(8_000))
    let edges = (0...Self.bands).map { index in
      let hertz = 700 * (powf(10, (from + (to - from) * Float(index) / Float(Self.bands)) / 2595) - 1)
      return Int((hertz * Float(size) / Float(AudioFormat.sampleRate)).rounded())
    }
    bins = (0..<Self.bands).map { edges[$0]...max(edges[$0], edges[$0 + 1] - 1) }
  }

  /// The columns of `samples`, the lowest band first; samples beyond whole steps are not used.
  func columns(_ samples: [Int16]) -> [UInt8] {
    var columns: [UInt8] = []
    for start in stride(from: 0, through: samples.count - Self.step, by: Self.step) {
      past.removeFirst(Self.step)
      past += samples[start..<start + Self.step].lazy.map { Float($0) / 32_768 }
      column(into: &columns)
    }
    return columns
  }

  private func column(into columns: inout [UInt8]) {
    for index in 0..<Self.size { transform.samples[index] = past[index] * window[index] }
    transform.run()
    // A full-scale sine has the amplitude size / 4 behind this window.
    let scale = 16 / Float(Self.size * Self.size)
    for band in bins {
      var power: Float = 0
      for bin in band {
        let (real, imaginary) = (transform.spectrum[2 * bin], transform.spectrum[2 * bin + 1])
        power = max(power, real * real + imaginary * imaginary)
      }
      let level = 10 * log10f(max(power * scale, 1e-12))
      let part = (level - Self.lowest) / (Self.highest - Self.lowest)
      columns.append(UInt8(255 * min(1, max(0, part))))
    }
  }
}
