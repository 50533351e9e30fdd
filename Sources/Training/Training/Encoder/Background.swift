import Detection
import Evaluation
import Platform

/// Hours of speech and noise as encoder outputs, which every phrase is trained and evaluated against; one
/// file.
///
/// Phoneme posteriors and embeddings are not recordings: one may guess what was said, but it cannot be heard. See ``StreamFile``.
package struct Background: Sendable {
  /// The encoded streams. Held-out streams are not used in any training.
  package var streams: [FeatureStream]
  /// The hash of the encoder that computed them.
  package let encoder: String
  /// That of the embedding; empty without one.
  package let embedding: String

  package init(streams: [FeatureStream], encoder: String, embedding: String = "") {
    self.streams = streams
    self.encoder = encoder
    self.embedding = embedding
  }

  /// Returns the total seconds of the streams that are held out, or are not.
  package func seconds(heldOut: Bool, step: Double) -> Double {
    streams.reduce(0) { $0 + ($1.isHeldOut == heldOut ? Double($1.vectors) * step : 0) }
  }

  /// Returns the streams that are not held out as networks with `sounds` read them.
  package func trainingStreams(scoredBy sounds: SoundScores?) -> [FeatureStream] {
    streams.filter { !$0.isHeldOut }.map { $0.scored(by: sounds) }
  }

  /// Returns a hash that identifies an encoder.
  package static func identity(of encoder: NetworkWeights) -> String { identity(of: encoder.tensors) }

  /// Returns a hash that identifies the weights of an encoder or of an embedding.
  package static func identity(of tensors: [NetworkWeights.Tensor]) -> String {
    var hash: UInt64 = 14_695_981_039_346_656_037
    for tensor in tensors {
      for value in tensor.values { hash = (hash ^ UInt64(value.bitPattern)) &* 1_099_511_628_211 }
    }
    return String(hash, radix: 16)
  }
}

extension Background {
  /// Logits in halves.
  private static let coding = StreamFile.Coding(format: "hotword-background-4", perUnit: 2, range: -32...31)

  /// The contents of its file.
  package var encoded: [UInt8] {
    let labels = ["encoder": encoder, "embedding": embedding]
    return StreamFile(streams: streams, labels: labels).encoded(Self.coding)
  }

  /// Reads the file at `path`.
  ///
  /// - Throws: `SystemFault`, ``TrainingFault/badBackground(path:defect:)``.
  package init(reading path: String) throws {
    let file = try StreamFile(reading: path, Self.coding)
    guard let encoder = file.labels["encoder"], let embedding = file.labels["embedding"] else {
      throw TrainingFault.badBackground(path: path, defect: StreamFile.otherVersion)
    }
    self.init(streams: file.streams, encoder: encoder, embedding: embedding)
  }
}
