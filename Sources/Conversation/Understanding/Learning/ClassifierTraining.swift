/// Fits a classifier to the samples of a file, and how sure it must be to what it makes of samples kept aside.
struct ClassifierTraining {
  /// A sample and, where there is one, the same with its rare words hidden.
  struct Sample {
    let vectors: [SentenceVector]
    let kind: Int
  }

  /// A classifier and the probability from which its answer counts.
  struct Outcome {
    let classifier: LinearClassifier
    let threshold: Float
  }

  let samples: [Sample]
  let features: Int
  /// The number of classes; the last is none of the others.
  let classes: Int

  private static let folds = 3
  private static let epochs = 12
  /// The share of talk kept aside that is turned down; that talk is harder than most.
  private static let turnedDown = 0.9
  /// Multiplications beyond which fewer rounds are made.
  private static let workLimit = 300_000_000

  func fit() -> Outcome {
    let entries = samples.reduce(0) { $0 + $1.vectors.reduce(0) { $0 + $1.entries.count } }
    let work = max(1, entries * classes)
    let epochs = max(2, min(Self.epochs, Self.workLimit / work))
    var held: [(probabilities: [Float], kind: Int)] = []
    if work * epochs * Self.folds < Self.workLimit {
      for fold in 0..<Self.folds {
        let classifier = LinearClassifier(
          training { $0 % Self.folds != fold }, features: features, classes: classes, epochs: epochs)
        for index in samples.indices where index % Self.folds == fold {
          held.append((classifier.probabilities(samples[index].vectors[0]), samples[index].kind))
        }
      }
    }
    let classifier = LinearClassifier(
      training { _ in true }, features: features, classes: classes, epochs: epochs)
    return Outcome(classifier: classifier, threshold: threshold(held))
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

  /// How often samples of a class count: rare classes more, up to three times.
  private var weights: [Float] {
    var counts = [Float](repeating: 0, count: classes)
    for sample in samples { counts[sample.kind] += 1 }
    let mean = Float(samples.count) / Float(classes)
    var weights = counts.map { $0 > 0 ? min(3, max(0.5, (mean / $0).squareRoot())) : 1 }
    weights[classes - 1] = 0.5
    return weights
  }

  /// The least probability at which nearly all talk that was kept aside is none of the intents.
  private func threshold(_ held: [(probabilities: [Float], kind: Int)]) -> Float {
    let talk = held.filter { $0.kind == classes - 1 }.map { 1 - $0.probabilities[classes - 1] }.sorted()
    guard talk.count >= 20 else { return 0.5 }
    return min(0.7, max(0.2, talk[Int(Double(talk.count) * Self.turnedDown)]))
  }
}
