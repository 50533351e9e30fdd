import Detection
import PCM

/// Where the embeddings of a ``FeatureStream`` lie.
///
/// Embedding `n` ends with vector `8 n + 7 - 56` of 10 ms, so the first ones end before the stream, and for each vector there are
/// as many before it as a second stage reads.
package enum EmbeddingPlaces {
  /// The embeddings that end before the first one within the stream.
  static let before = SecondStage.window - 1

  /// Returns the embeddings that a second stage has read at the end of the first `vectors` of 10 ms, which are in the stream if any are.
  static func window(at vectors: Int, of count: Int) -> Range<Int> {
    let end = max(before + 1, min(count, vectors / SpeechEmbedding.hop + before))
    return end - SecondStage.window..<end
  }
}

/// Renders the embeddings of audio for a ``FeatureStream``, beside its features. Use each instance on one thread only.
final class EmbeddingRenderer {
  private let network: StreamingEmbedding
  private var bandsByWarp: [Double: EmbeddingBands] = [:]
  private var bands = EmbeddingBands()
  /// The frames until the first embedding begins.
  private var waiting = 0
  private(set) var embeddings: [Float16] = []

  init(_ embedding: PackedEmbedding) { network = StreamingEmbedding(embedding) }

  /// Begins an audio stream whose features begin at frame `firstVector`. Before it there is digital silence.
  func begin(firstVector: Int, warp: Double) {
    if let known = bandsByWarp[warp] {
      bands = known
    } else {
      bands = EmbeddingBands(warp: warp)
      bandsByWarp[warp] = bands
    }
    bands.reset()
    network.reset()
    embeddings = []
    let firstEnd = firstVector + SpeechEmbedding.hop - EmbeddingPlaces.before * SpeechEmbedding.hop
    waiting = firstEnd - SpeechEmbedding.reach - SpeechEmbedding.firstFrames
    let silence = [Int16](repeating: 0, count: AudioFormat.frameLength)
    silence.withUnsafeBufferPointer {
      while waiting < 0 {
        process($0)
        waiting += 1
      }
    }
  }

  /// Takes the next frame, 160 samples.
  func push(_ frame: UnsafeBufferPointer<Int16>) {
    guard waiting == 0 else {
      waiting -= 1
      return
    }
    process(frame)
  }

  private func process(_ frame: UnsafeBufferPointer<Int16>) {
    guard bands.push(frame), network.push(bands.row) else { return }
    for value in network.outputs { embeddings.append(Float16(value)) }
  }
}
