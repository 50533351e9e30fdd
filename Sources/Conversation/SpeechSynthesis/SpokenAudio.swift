import PCM
import Platform
import Synchronization

/// What the loudspeaker plays and when it is heard: the echo canceller's reference, and the hotwords in it.
///
/// Times are those of ``MonotonicClock``. The player's thread writes, the listening loop reads; neither is the capture
/// thread, so that a lock may guard it.
public final class SpokenAudio: Sendable {
  /// A hotword that is heard in what is played.
  public struct Word: Sendable, Equatable {
    public let name: String
    /// The samples that hold it.
    public let range: Range<Int>

    public init(name: String, range: Range<Int>) {
      self.name = name
      self.range = range
    }
  }

  private struct Heard {
    let name: String
    let from: Double
    let to: Double
  }

  private struct State {
    var ring = [Int16](repeating: 0, count: SpokenAudio.capacity)
    /// Positions by the clock, in samples; what lies outside is silence.
    var range = 0..<0
    var words: [Heard] = []
  }

  /// Samples kept, four seconds.
  private static let capacity = 4 * AudioFormat.sampleRate
  /// Seconds for which words are remembered.
  private static let memory = 30.0

  private let state = Mutex(State())

  public init() {}

  /// Notes that `samples` are heard from `time` on; later ones than before.
  public func write(_ samples: ArraySlice<Int16>, at time: Double) {
    let first = AudioFormat.samples(time)
    state.withLock { state in
      if state.range.isEmpty || first > state.range.upperBound + Self.capacity {
        state.range = first..<first
      }
      // What was noted before ends here, or silence lies between.
      if first < state.range.upperBound {
        state.range = min(first, state.range.lowerBound)..<first
      }
      for position in state.range.upperBound..<first { state.ring[position % Self.capacity] = 0 }
      for (offset, sample) in samples.enumerated() { state.ring[(first + offset) % Self.capacity] = sample }
      let end = first + samples.count
      state.range = max(state.range.lowerBound, end - Self.capacity)..<end
    }
  }

  /// Notes that the loudspeaker fell silent at `time`.
  public func cut(at time: Double) {
    state.withLock { state in
      let end = AudioFormat.samples(time)
      guard end < state.range.upperBound else { return }
      state.range = min(end, state.range.lowerBound)..<end
      state.words.removeAll { $0.from > time }
    }
  }

  /// Copies what is heard from `time` on to `target`.
  ///
  /// - Returns: false, with `target` all zero, where that is silence.
  public func read(at time: Double, into target: UnsafeMutableBufferPointer<Int16>) -> Bool {
    let first = AudioFormat.samples(time)
    return state.withLock { state in
      let range = state.range.clamped(to: first..<first + target.count)
      for index in target.indices {
        let position = first + index
        target[index] = range.contains(position) ? state.ring[position % Self.capacity] : 0
      }
      return !range.isEmpty
    }
  }

  /// Notes that a hotword is heard in what is played, from `from` to `to`.
  public func note(_ name: String, from: Double, to: Double) {
    state.withLock { state in
      state.words.removeAll { $0.to < from - Self.memory }
      state.words.append(Heard(name: name, from: from, to: to))
    }
  }

  /// Whether a hotword was played within `tolerance` seconds of `from`…`to`.
  public func holds(_ name: String, from: Double, to: Double, tolerance: Double) -> Bool {
    state.withLock { state in
      state.words.contains { $0.name == name && $0.from - tolerance <= to && $0.to + tolerance >= from }
    }
  }
}
