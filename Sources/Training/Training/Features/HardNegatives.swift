import Detection
import Evaluation

/// Finds the audio that a network confuses with the phrase.
package enum HardNegatives {
  /// Returns the positions in the bank's negative streams with the highest scores of `weights`, highest
  /// first.
  ///
  /// - Parameters:
  ///   - evaluation: the number of the evaluation model, whose held-out streams are excluded; nil for the model itself.
  ///   - isJoined: whether the network learns from joined speech.
  ///   - count: the maximum number of positions; up to four per stream, 1.5 s apart.
  package static func mine(
    _ bank: FeatureBank, _ weights: NetworkWeights, evaluation: Int?, isJoined: Bool = false, count: Int,
    threads: Int
  ) -> [TrainingWindows.HardSpot] {
    let negatives = bank.streams.indices.filter {
      !bank.streams[$0].kind.isPhrase && (isJoined || bank.streams[$0].kind != .similar)
        && !bank.streams[$0].heldOut.isExcluded(from: evaluation)
    }
    let block = 64
    let found = Parallel.map((negatives.count + block - 1) / block, threads: threads) { part in
      let scorer = NetworkScorer(weights)
      var spots: [(value: Float, spot: TrainingWindows.HardSpot)] = []
      for index in negatives[part * block..<min(negatives.count, (part + 1) * block)] {
        var logits: [Float] = []
        scorer.reset()
        bank.streams[index].features.withUnsafeBufferPointer { scorer.score($0, into: &logits) }
        // No detection is possible before the end of the warm-up.
        for peak in ScorePeak.all(in: logits.smoothed(over: 4), gap: 75).prefix(4) where peak.step >= 12 {
          spots.append(
            (
              peak.value,
              TrainingWindows.HardSpot(stream: index, vector: (peak.step + 1) * weights.shape.stride)
            ))
        }
      }
      return spots
    }
    return found.joined().sorted {
      $0.value == $1.value
        ? ($0.spot.stream, $0.spot.vector) < ($1.spot.stream, $1.spot.vector) : $0.value > $1.value
    }.prefix(count).map(\.spot)
  }
}
