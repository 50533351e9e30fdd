import Detection
import Evaluation

extension FeatureBank {
  /// The bank as `encoder` hears it: its outputs take the place of the features.
  package func encoded(by encoder: NetworkWeights, threads: Int) -> FeatureBank {
    var bank = self
    let stride = encoder.shape.stride
    bank.hop = hop * stride
    bank.coefficients = encoder.shape.outputs
    bank.windowVectors = windowVectors / stride
    bank.streams = Parallel.map(streams.count, threads: threads) { streams[$0].encoded(by: encoder) }
    return bank
  }

  /// Adds streams that are encoded already, as far as they are long enough to draw windows from.
  mutating func add(_ others: [FeatureStream]) {
    streams += others.filter { $0.vectors >= windowVectors }
  }
}

extension FeatureStream {
  package func encoded(by encoder: NetworkWeights) -> FeatureStream {
    let outputs = NetworkScorer.logits(encoder, features: features).map { Float16($0) }
    let stride = encoder.shape.stride
    var stream = FeatureStream(
      kind: kind, features: outputs, vectors: vectors / stride,
      word: word.map { $0.lowerBound / stride..<max($0.lowerBound / stride + 1, $0.upperBound / stride) })
    stream.source = source
    stream.group = group
    stream.isHeldOut = isHeldOut
    return stream
  }
}
