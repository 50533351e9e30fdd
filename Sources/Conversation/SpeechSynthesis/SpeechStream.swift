import Synchronization

/// 16 kHz samples to be played that arrive while they are played. Any thread may call any method.
public final class SpeechStream: Sendable {
  private struct State {
    var samples: [Int16] = []
    var isFinished = false
  }

  private let state = Mutex(State())

  public init() {}

  /// Appends samples; after ``finish()`` they are discarded.
  public func append(_ samples: [Int16]) {
    state.withLock { if !$0.isFinished { $0.samples += samples } }
  }

  /// Ends the stream.
  public func finish() { state.withLock { $0.isFinished = true } }

  /// Takes the samples that have arrived since the last call.
  func take() -> (samples: [Int16], isFinished: Bool) {
    state.withLock { state in
      defer { state.samples = [] }
      return (state.samples, state.isFinished)
    }
  }
}

extension SpeechStream: Equatable {
  public static func == (left: SpeechStream, right: SpeechStream) -> Bool { left === right }
}
