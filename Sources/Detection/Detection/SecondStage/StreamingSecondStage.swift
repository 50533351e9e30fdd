/// The second stage of one model in one stream.
///
/// All memory is allocated in `init`; no other method allocates, locks or throws. One thread at a time.
final class StreamingSecondStage {
  /// Unmanaged, so that no step counts references.
  private let network: Unmanaged<StreamingNetwork>
  private let stream: Unmanaged<EmbeddingStream>
  private let embeddings: UnsafeMutableBufferPointer<Float>
  private let outputs: UnsafeBufferPointer<Float>
  private let limit: Float
  private let weight: Float
  /// The last result, and the frame at which its embeddings end.
  private var second: Float = 0
  private var end = -1
  /// The last logits of the first stage.
  private var proposals = SIMD8<Float>(repeating: -1e6)
  private var next = 0
  /// The steps since the proposal that the last result is of.
  private(set) var age = 0

  /// Allocates.
  ///
  /// - Parameter stream: shared by the models with the same embedding.
  init(_ settings: SecondStage, _ network: PackedNetwork, _ stream: EmbeddingStream) {
    let network = StreamingNetwork(network)
    outputs = network.outputs
    embeddings = stream.embeddings
    limit = settings.limit
    weight = settings.weight
    self.network = .passRetained(network)
    self.stream = .passRetained(stream)
  }

  deinit {
    network.release()
    stream.release()
  }

  /// Returns the logit of both stages at the step that ends `backlog` frames ago. Real-time safe.
  @_noAllocation @_noLocks
  func judge(_ logit: Float, backlog: Int) -> Float {
    proposals[next] = logit
    let proposed = proposals.max()
    age = 0
    while age < SecondStage.hold - 1,
      proposals[(next + SecondStage.hold - age) % SecondStage.hold] != proposed
    {
      age += 1
    }
    next = next + 1 == SecondStage.hold ? 0 : next + 1
    if proposed >= limit {
      let now = stream._withUnsafeGuaranteedRef { $0.advance(backlog: backlog) }
      if now != end {
        end = now
        second = result()
      }
    }
    return SecondStage.judged(proposed, second, limit: limit, weight: weight)
  }

  @_noAllocation @_noLocks
  private func result() -> Float {
    network._withUnsafeGuaranteedRef { $0.reset() }
    let first = embeddings.baseAddress.unsafelyUnwrapped
    var index = 0
    while index < SecondStage.window {
      let vector = UnsafeBufferPointer(
        start: first + index * SpeechEmbedding.outputs, count: SpeechEmbedding.outputs)
      _ = network._withUnsafeGuaranteedRef { $0.push(vector) }
      index += 1
    }
    return outputs.baseAddress.unsafelyUnwrapped.pointee
  }

  /// Starts a new stream. Real-time safe.
  @_noAllocation @_noLocks
  func reset() {
    end = -1
    proposals = SIMD8(repeating: -1e6)
    next = 0
    age = 0
  }
}
