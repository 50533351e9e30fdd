import Glibc
import Platform

/// Multinomial logistic regression over sparse vectors, trained by AdaGrad (Duchi, Hazan, Singer 2011).
///
/// Deterministic: the same samples in the same order give the same weights. Not for the audio thread.
struct LinearClassifier: Sendable {
  private let classes: Int
  private var weights: [Float]
  private var biases: [Float]

  struct Sample: Sendable {
    let vector: SentenceVector
    let kind: Int
    /// Its factor in the loss.
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

/// Trains a classifier on the samples of a file, and sets its threshold by cross-validation on heldOut-out samples.
struct ClassifierTraining {
  /// The features of a sample and, where it has rare words, the same with these hidden.
  struct Sample {
    let vectors: [SentenceVector]
    let kind: Int
  }

  /// A classifier and the minimum probability of an accepted intent.
  struct Outcome {
    let classifier: LinearClassifier
    let threshold: Float
  }

  let samples: [Sample]
  let features: Int
  /// The number of classes; the last one is "no intent".
  let classes: Int

  private static let folds = 3
  private static let epochs = 12
  /// The share of heldOut-out chatter that must be rejected; that chatter is harder than most.
  private static let rejectedShare = 0.9
  /// The maximum number of multiplications; larger sets are trained for fewer epochs.
  private static let workLimit = 300_000_000

  func fit() -> Outcome {
    let entries = samples.reduce(0) { $0 + $1.vectors.reduce(0) { $0 + $1.entries.count } }
    let work = max(1, entries * classes)
    let epochs = max(2, min(Self.epochs, Self.workLimit / work))
    var heldOut: [(probabilities: [Float], kind: Int)] = []
    if work * epochs * Self.folds < Self.workLimit {
      for fold in 0..<Self.folds {
        let classifier = LinearClassifier(
          training { $0 % Self.folds != fold }, features: features, classes: classes, epochs: epochs)
        for index in samples.indices where index % Self.folds == fold {
          heldOut.append((classifier.probabilities(samples[index].vectors[0]), samples[index].kind))
        }
      }
    }
    let classifier = LinearClassifier(
      training { _ in true }, features: features, classes: classes, epochs: epochs)
    return Outcome(classifier: classifier, threshold: threshold(heldOut))
  }

  private func training(_ isIn: (Int) -> Bool) -> [LinearClassifier.Sample] {
    let weights = self.weights
    return samples.indices.filter(isIn).flatMap { index in
      samples[index].vectors.map {
        LinearClassifier.Sample(
          vector: $0, kind: samples[index].kind,
          weight: weights[samples[index].kind] / Float(samples[index].vectors.count))
      }
    }
  }

  /// The weight of the samples of each class: up to 3 for rare classes.
  private var weights: [Float] {
    var counts = [Float](repeating: 0, count: classes)
    for sample in samples { counts[sample.kind] += 1 }
    let mean = Float(samples.count) / Float(classes)
    var weights = counts.map { $0 > 0 ? min(3, max(0.5, (mean / $0).squareRoot())) : 1 }
    weights[classes - 1] = 0.5
    return weights
  }

  /// The probability above which nearly all heldOut-out chatter is rejected.
  private func threshold(_ heldOut: [(probabilities: [Float], kind: Int)]) -> Float {
    let chatter = heldOut.filter { $0.kind == classes - 1 }.map { 1 - $0.probabilities[classes - 1] }.sorted()
    guard chatter.count >= 20 else { return 0.5 }
    return min(0.7, max(0.2, chatter[Int(Double(chatter.count) * Self.rejectedShare)]))
  }
}
