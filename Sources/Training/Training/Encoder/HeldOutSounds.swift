import Detection
import Evaluation
import Platform

/// Measures how many sounds of held-out speakers an encoder classifies correctly.
package struct HeldOutSounds: Sendable {
  /// The shares of steps with the correct sound, without silence.
  package struct Accuracy: Sendable, Equatable {
    package var clean: Double
    /// Augmented as for the training: rooms, noise, levels, tempos.
    package var augmented: Double
  }

  private let clean: [PhonemeRows.Stream]
  private let augmented: [PhonemeRows.Stream]
  private let windows: PhonemeWindows.Settings
  private let coefficients: Int
  private let threads: Int

  /// The number of augmented rows.
  private static let count = 120
  /// The batches that measure a network's statistics.
  private static let batches = 8

  /// - Throws: `FrontEndFault`, `DetectionFault` for settings that cannot be rendered.
  package init(
    _ clips: [LabelledClip], augmenter: Augmenter, settings: TrainingSettings,
    windows: PhonemeWindows.Settings, seconds: Double
  ) throws {
    let rows = try PhonemeRows(
      clips, times: { _ in 1 }, augmenter: augmenter, settings: settings, seconds: seconds,
      least: windows.frames + 10)
    clean = Parallel.map(clips.count, threads: settings.threads) { index -> PhonemeRows.Stream? in
      guard let renderer = try? FeatureRenderer(frontEnd: settings.frontEnd, features: settings.features)
      else { return nil }
      return try? PhonemeRows.stream(
        clips[index], renderer, coefficients: settings.features.coefficients)
    }.compactMap { $0 }
    augmented = rows.render(Array(0..<Self.count))
    self.windows = windows
    coefficients = settings.features.coefficients
    threads = settings.threads
  }

  /// Measures a network in training, with the averaged weights of its fit.
  package func accuracy(_ state: FitState) -> Accuracy {
    var network = state.network
    network.parameters = state.optimizer.averaged
    let source = PhonemeWindows(augmented, coefficients: coefficients, windows)
    let sharded = ShardedPass(network.shape, shards: FitSettings().shards, threads: threads)
    var index = 0
    network.statistics = sharded.measure(network, normalizing: .byShard, count: Self.batches) {
      defer { index += 1 }
      return source.batch(index)
    }
    return accuracy(network.folded())
  }

  package func accuracy(_ network: NetworkWeights) -> Accuracy {
    Accuracy(clean: share(network, clean), augmented: share(network, augmented))
  }

  private func share(_ network: NetworkWeights, _ streams: [PhonemeRows.Stream]) -> Double {
    let counts = Parallel.map(streams.count, threads: threads) { index in
      let stream = streams[index]
      let outputs = network.shape.outputs
      let logits = NetworkScorer.logits(network, features: stream.features)
      var right = 0
      var spoken = 0
      for step in 0..<logits.count / outputs {
        let vector = (step + 1) * network.shape.stride - 1 - windows.lookAhead
        guard vector >= 0, ![Target.unlabelled, Phoneme.silence.rawValue].contains(stream.labels[vector])
        else { continue }
        let row = logits[step * outputs..<(step + 1) * outputs]
        spoken += 1
        if row.indices.max(by: { row[$0] < row[$1] })! - row.startIndex == Int(stream.labels[vector]) {
          right += 1
        }
      }
      return (right, spoken)
    }
    let right = counts.reduce(0) { $0 + $1.0 }
    return Double(right) / Double(max(1, counts.reduce(0) { $0 + $1.1 }))
  }
}
