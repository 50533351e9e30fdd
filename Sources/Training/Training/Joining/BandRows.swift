import Detection
import Glibc
import Platform

/// Rows of the bands of an embedding, one for every 10 ms, as other microphones in other rooms would record them.
///
/// The numbers are decimal logarithms of the power in a band.
struct BandRows {
  private(set) var values: [Float]
  private static let width = SpeechEmbedding.bands

  /// Takes `count` rows of 10 ms from row `start` of a stream of steps of 20 ms, whose first and last step are repeated where there are none.
  init(_ stream: FeatureStream, from start: Int, count: Int) {
    values = []
    values.reserveCapacity(count * Self.width)
    let last = stream.vectors - 1
    for row in start..<start + count {
      let place = max(0, min(last * SpeechBands.stride, row))
      let low = place / SpeechBands.stride
      let part = Float(place % SpeechBands.stride) / Float(SpeechBands.stride)
      for band in 0..<Self.width {
        let first = Float(stream.features[low * Self.width + band])
        let next = Float(stream.features[min(last, low + 1) * Self.width + band])
        values.append(first + part * (next - first))
      }
    }
  }

  private var rows: Range<Int> { 0..<values.count / Self.width }

  /// Adds a number to each band of all rows.
  mutating func add(_ spectrum: [Float]) {
    for index in values.indices { values[index] += spectrum[index % Self.width] }
  }

  /// Makes the vocal tract `factor` times as long.
  mutating func warp(by factor: Float) {
    if factor == 1 { return }
    let source = values
    for row in rows {
      for band in 0..<Self.width {
        let place = min(Float(Self.width - 1), Float(band) * factor)
        let low = min(Int(place), Self.width - 2)
        let (first, next) = (source[row * Self.width + low], source[row * Self.width + low + 1])
        values[row * Self.width + band] = first + (place - Float(low)) * (next - first)
      }
    }
  }

  /// Adds the exponential decay of a room with a reverberation time of 0.15 to 0.6 s, at one of many distances.
  mutating func reverberate(_ random: inout RandomSource) {
    let decay = powf(10, -0.06 / random.uniform(0.15...0.6))
    let gain = powf(10, random.uniform(-1.6 ... -0.3)) * (1 - decay) * 8
    var tail = [Float](repeating: 0, count: Self.width)
    for row in rows {
      for band in 0..<Self.width {
        let power = powf(10, values[row * Self.width + band])
        values[row * Self.width + band] = log10f(power + gain * tail[band])
        tail[band] = tail[band] * decay + power
      }
    }
  }

  /// Sets a random level, ±12 dB, and a smooth random filter.
  mutating func colour(_ random: inout RandomSource) {
    let level = random.uniform(-1.2...1.2)
    let points = (0..<6).map { _ in (0..<3).reduce(Float(0)) { sum, _ in sum + random.uniform(-0.35...0.35) }
    }
    add(
      (0..<Self.width).map { band in
        let place = Float(band) * Float(points.count - 1) / Float(Self.width - 1)
        let low = min(Int(place), points.count - 2)
        return level + points[low] + (place - Float(low)) * (points[low + 1] - points[low])
      })
  }

  /// Adds as many rows of noise.
  ///
  /// - Parameter ratio: the level of the loudest sixth of the rows `said` above that of the noise there, in dB.
  mutating func mix(_ noise: BandRows, ratio: Float, measuredIn said: Range<Int>) {
    let shift = loudness(in: said) - noise.loudness(in: said) - ratio / 10
    for index in values.indices {
      values[index] = log10f(powf(10, values[index]) + powf(10, noise.values[index] + shift))
    }
  }

  private func loudness(in said: Range<Int>) -> Float {
    let powers = said.clamped(to: rows).map { row in
      values[row * Self.width..<(row + 1) * Self.width].reduce(Float(0)) { $0 + powf(10, $1) }
    }.sorted(by: >)
    let count = max(3, powers.count / 6)
    return log10f(powers.prefix(count).reduce(1e-9, +) / Float(count))
  }

  /// Returns the embeddings, one for every ``SpeechEmbedding/hop`` rows.
  func embeddings(by embedding: PackedEmbedding) -> [Float16] {
    let network = StreamingEmbedding(embedding)
    var found: [Float16] = []
    var row = [Float](repeating: 0, count: Self.width)
    for index in rows {
      for band in 0..<Self.width {
        row[band] = max(EmbeddingBands.silence, values[index * Self.width + band])
      }
      guard row.withUnsafeBufferPointer({ network.push($0) }) else { continue }
      for value in network.outputs { found.append(Float16(value)) }
    }
    return found
  }
}
