import Glibc
import PCM
import Platform

/// Triangular filters over a power spectrum, evenly spaced on the HTK mel scale, stored without zeros.
///
/// Each filter's weights sum to one, so that a band is the mean density of the spectrum in it.
struct MelBank {
  /// The weights of all bands, one band after the other.
  let weights: [Float]
  /// Each band's first bin.
  let first: [Int32]
  /// The index of each band's first weight, and the end of the last one's.
  let offset: [Int32]
  /// Each band's peak in Hz.
  let centers: [Double]

  /// - Parameter warp: scales all frequencies, as a shorter (> 1) vocal tract does; above the point where
  ///   the scaled band would exceed the top, frequencies continue linearly to the top.
  init(_ settings: FeatureSettings, warp: Double) {
    let lowest = Self.mel(settings.lowFrequency)
    let step = (Self.mel(settings.highFrequency) - lowest) / Double(settings.melBands + 1)
    let edges = (0...settings.melBands + 1).map {
      Self.warped(Self.hertz(lowest + step * Double($0)), by: warp, top: settings.highFrequency)
    }
    let width = Double(AudioFormat.sampleRate) / Double(settings.fft)
    let bins = settings.fft / 2
    var weights: [Float] = []
    var first: [Int32] = []
    var offset: [Int32] = [0]
    for band in 0..<settings.melBands {
      let (low, center, high) = (edges[band], edges[band + 1], edges[band + 2])
      var start = Int((low / width).rounded(.down)) + 1
      var values: [Double] = []
      while start + values.count <= bins, Double(start + values.count) * width < high {
        let frequency = Double(start + values.count) * width
        values.append(min((frequency - low) / (center - low), (high - frequency) / (high - center)))
      }
      if values.isEmpty {
        start = min(bins, Int((center / width).rounded()))
        values = [1]
      }
      let sum = values.reduce(0, +)
      weights += values.map { Float($0 / sum) }
      first.append(Int32(start))
      offset.append(Int32(weights.count))
    }
    self.weights = weights
    self.first = first
    self.offset = offset
    centers = Array(edges[1...settings.melBands])
  }

  private static func mel(_ hertz: Double) -> Double { 2595 * log10(1 + hertz / 700) }
  private static func hertz(_ mel: Double) -> Double { 700 * (pow(10, mel / 2595) - 1) }

  private static func warped(_ frequency: Double, by warp: Double, top: Double) -> Double {
    let knee = 0.85 * top / max(warp, 1)
    guard frequency > knee else { return frequency * warp }
    return knee * warp + (frequency - knee) * (top - knee * warp) / (top - knee)
  }
}
