import Glibc
import Platform

/// Multinomial logistic regression over sparse vectors, fitted by AdaGrad (Duchi, Hazan, Singer 2011).
///
/// The same samples in the same order give the same weights. Not for the audio thread.
struct LinearClassifier: Sendable {
  private let classes: Int
  private var weights: [Float]
  private var biases: [Float]

  struct Sample: Sendable {
    let vector: SentenceVector
    let kind: Int
    /// How often it counts.
    let weight: Float
  }

  /// - Parameter features: the length of the vectors.
  init(_ samples: [Sample], features: Int, classes: Int, epochs: Int = 12) {
    self.classes = classes
    weights = [Float](repeating: 0, count: features * classes)
    biases = [Float](repeating: 0, count: classes)
    var squares = [Float](repeating: 1e-3, count: features * classes)
    var biasSquares = [Float](repeating: 1e-3, count: classes)
    var random = RandomSource(seed: 7)
    var order = Array(samples.indices)
    for _ in 0..<epochs {
      order.shuffle(using: &random)
      for index in order { step(samples[index], &squares, &biasSquares) }
    }
  }

  /// The probability of each class.
  func probabilities(_ vector: SentenceVector) -> [Float] {
    var scores = self.scores(vector)
    Self.normalize(&scores)
    return scores
  }

  private func scores(_ vector: SentenceVector) -> [Float] {
    var scores = biases
    weights.withUnsafeBufferPointer { weights in
      scores.withUnsafeMutableBufferPointer { scores in
        for entry in vector.entries {
          let row = Int(entry.place) * classes
          for index in 0..<classes { scores[index] += weights[row + index] * entry.value }
        }
      }
    }
    return scores
  }

  private static func normalize(_ scores: inout [Float]) {
    let top = scores.max() ?? 0
    var sum: Float = 0
    for index in scores.indices {
      scores[index] = expf(scores[index] - top)
      sum += scores[index]
    }
    for index in scores.indices { scores[index] /= sum }
  }

  private mutating func step(_ sample: Sample, _ squares: inout [Float], _ biasSquares: inout [Float]) {
    var errors = scores(sample.vector)
    Self.normalize(&errors)
    errors[sample.kind] -= 1
    let rate = Float(0.5)
    let wrong = errors.indices.filter { abs(errors[$0]) > 0.003 }
    guard !wrong.isEmpty else { return }
    weights.withUnsafeMutableBufferPointer { weights in
      squares.withUnsafeMutableBufferPointer { squares in
        for entry in sample.vector.entries {
          let row = Int(entry.place) * classes
          for index in wrong {
            let slope = errors[index] * entry.value * sample.weight + 1e-6 * weights[row + index]
            squares[row + index] += slope * slope
            weights[row + index] -= rate * slope / squares[row + index].squareRoot()
          }
        }
      }
    }
    for index in wrong {
      let slope = errors[index] * sample.weight
      biasSquares[index] += slope * slope
      biases[index] -= 0.5 * rate * slope / biasSquares[index].squareRoot()
    }
  }
}
