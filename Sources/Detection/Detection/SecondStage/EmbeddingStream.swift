import PCM
import Platform

/// The embeddings of a stream, computed only where they are asked for.
///
/// It keeps the last seconds of the stream. When embeddings are wanted, it computes those of the frames that came since, or, after a
/// longer pause, of as many as they depend on. So it costs nothing while no model proposes a phrase. Before a stream there is digital
/// silence. All memory is allocated in `init`; no other method allocates, locks or throws. One thread at a time.
final class EmbeddingStream {
  /// The frames on which the last embeddings depend: two more than their rows, because the first row of bands needs them.
  private let reach =
    SpeechEmbedding.reach + (SecondStage.window - 1) * SpeechEmbedding.hop + SpeechEmbedding.firstFrames
  /// The frames before the first one: the same, to a whole number of embeddings.
  private let before: Int

  /// Unmanaged, so that no frame counts references.
  private let bands: Unmanaged<EmbeddingBands>
  private let network: Unmanaged<StreamingEmbedding>
  private let row: UnsafeBufferPointer<Float>
  private let outputs: UnsafeBufferPointer<Float>
  private let samples: UnsafeMutableBufferPointer<Int16>
  private let frames: Int
  /// The last embeddings, the oldest first.
  let embeddings: UnsafeMutableBufferPointer<Float>
  /// Frames so far, and the next to be processed.
  private var count: Int
  private var next = 0
  /// The frame after the last embedding.
  private var end = 0

  /// Allocates.
  ///
  /// - Parameter backlog: the most frames by which ``advance(backlog:)`` may be asked to lag.
  init(_ embedding: PackedEmbedding, backlog: Int) {
    before = (reach / SpeechEmbedding.hop + 2) * SpeechEmbedding.hop
    count = before
    let bands = EmbeddingBands()
    let network = StreamingEmbedding(embedding)
    row = bands.row
    outputs = network.outputs
    self.bands = .passRetained(bands)
    self.network = .passRetained(network)
    frames = before + backlog
    samples = .allocate(capacity: frames * AudioFormat.frameLength)
    samples.initialize(repeating: 0)
    embeddings = .allocate(capacity: SecondStage.window * SpeechEmbedding.outputs)
    embeddings.initialize(repeating: 0)
  }

  deinit {
    bands.release()
    network.release()
    samples.deallocate()
    embeddings.deallocate()
  }

  /// Takes the next frame, 160 samples. Real-time safe.
  @_noAllocation @_noLocks
  func push(_ frame: UnsafeBufferPointer<Int16>) {
    let target = place(of: count)
    let source = frame.baseAddress.unsafelyUnwrapped
    var index = 0
    while index < AudioFormat.frameLength {
      target[index] = source[index]
      index += 1
    }
    count += 1
  }

  @_noAllocation @_noLocks
  private func place(of frame: Int) -> UnsafeMutablePointer<Int16> {
    samples.baseAddress.unsafelyUnwrapped + frame % frames * AudioFormat.frameLength
  }

  /// Computes ``embeddings`` of all but the last `backlog` frames. Real-time safe.
  ///
  /// - Returns: the frame after the last of them.
  @_noAllocation @_noLocks
  func advance(backlog: Int) -> Int {
    // Embeddings end at the same frames of a stream wherever the computation begins.
    let last = (count - backlog) / SpeechEmbedding.hop * SpeechEmbedding.hop
    if next <= last - reach {
      next = last - reach
      restart()
    }
    while next < last {
      process(UnsafeBufferPointer(start: place(of: next), count: AudioFormat.frameLength))
      next += 1
    }
    return end
  }

  @_noAllocation @_noLocks
  private func process(_ frame: UnsafeBufferPointer<Int16>) {
    guard bands._withUnsafeGuaranteedRef({ $0.push(frame) }) else { return }
    let input = row
    guard network._withUnsafeGuaranteedRef({ $0.push(input) }) else { return }
    let values = embeddings.baseAddress.unsafelyUnwrapped
    let kept = (SecondStage.window - 1) * SpeechEmbedding.outputs
    var index = 0
    while index < kept {
      values[index] = values[index + SpeechEmbedding.outputs]
      index += 1
    }
    let output = outputs.baseAddress.unsafelyUnwrapped
    index = 0
    while index < SpeechEmbedding.outputs {
      values[kept + index] = output[index]
      index += 1
    }
    end = next + 1
  }

  @_noAllocation @_noLocks
  private func restart() {
    bands._withUnsafeGuaranteedRef { $0.reset() }
    network._withUnsafeGuaranteedRef { $0.reset() }
  }

  /// Starts a new stream. Real-time safe.
  @_noAllocation @_noLocks
  func reset() {
    let first = samples.baseAddress.unsafelyUnwrapped
    var index = 0
    while index < samples.count {
      first[index] = 0
      index += 1
    }
    count = before
    next = 0
    end = 0
    restart()
  }
}
