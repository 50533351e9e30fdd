import Glibc
import Platform

/// Batches of windows drawn from labelled speech.
package struct PhonemeWindows: BatchSource {
  private let bank: PhonemeBank
  private let ends: [Int]
  private let random: RandomSource
  private let batchSize: Int
  private let stride: Int
  private let lookAhead: Int
  /// Vectors of a window.
  package let frames: Int

  /// - Parameter lookAhead: that of the encoder to be fitted; see `PhonemeEncoder`.
  package init(
    _ bank: PhonemeBank, batchSize: Int, frames: Int, stride: Int, lookAhead: Int, seed: UInt64
  ) {
    self.bank = bank
    self.lookAhead = lookAhead
    self.batchSize = batchSize
    self.frames = frames
    self.stride = stride
    random = RandomSource(seed: seed)
    var end = 0
    ends = bank.streams.map { stream in
      end += stream.labels.count
      return end
    }
  }

  package func batch(_ index: Int) -> Batch {
    var random = random.stream(index)
    let width = bank.coefficients
    var targets: [Target] = []
    var features = [Float](repeating: 0, count: batchSize * frames * width)
    features.withUnsafeMutableBufferPointer { features in
      for row in 0..<batchSize {
        targets.append(.classes(window(features.baseAddress! + row * frames * width, &random)))
      }
    }
    return Batch(
      count: batchSize, frames: frames, features: features, targets: targets,
      weights: [Float](repeating: 1, count: batchSize))
  }

  private func window(_ place: UnsafeMutablePointer<Float>, _ random: inout RandomSource) -> [UInt8] {
    let stream = bank.streams[draw(&random)]
    let vectors = stream.labels.count
    var pace = random.chance(0.6) ? exp(random.uniform(log(0.75)...log(1.35))) : 1
    if Int(Float(frames) / pace) + 1 >= vectors { pace = 1 }
    let span = Int(Float(frames) / pace)
    let start = Int(random.next() % UInt64(max(1, vectors - span)))
    Pace.stretch(
      stream.features, width: bank.coefficients, from: start, span: span, pace: pace, frames: frames,
      into: place)
    if random.chance(0.5) {
      for _ in 0..<2 {
        let length = Int(random.next() % 9)
        let first = Int(random.next() % UInt64(frames - length))
        (place + first * bank.coefficients).update(repeating: 0, count: length * bank.coefficients)
      }
    }
    return (0..<frames / stride).map { step in
      let vector = start + Int(Float((step + 1) * stride - 1 - lookAhead) / pace)
      return vector >= 0 && vector < vectors ? stream.labels[vector] : Target.unlabelled
    }
  }

  private func draw(_ random: inout RandomSource) -> Int {
    let place = Int(random.next() % UInt64(ends.last!))
    var low = 0
    var high = ends.count - 1
    while low < high {
      let middle = (low + high) / 2
      if ends[middle] > place { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
