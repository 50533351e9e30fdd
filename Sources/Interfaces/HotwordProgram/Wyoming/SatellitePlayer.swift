import Platform
import SpeechSynthesis
import Synchronization
import WyomingServer

/// What a satellite plays: answers and signals on a loudspeaker, or nothing.
final class SatellitePlayer: SatelliteOutput {
  /// nil if the satellite plays nothing.
  private let speech: SpeechOutput?
  private let hasSounds: Bool
  /// The audio that is arriving.
  private let stream = Mutex<SpeechStream?>(nil)

  init(_ speech: SpeechOutput?, hasSounds: Bool) {
    self.speech = speech
    self.hasSounds = hasSounds
  }

  func begin(then: @escaping @Sendable () -> Void) {
    guard let speech else { return then() }
    let next = SpeechStream()
    let last = stream.withLock { stream in
      defer { stream = next }
      return stream
    }
    last?.finish()
    speech.play(next) { _ in then() }
  }

  func append(_ samples: [Int16]) { stream.withLock { $0 }?.append(samples) }

  func finish() {
    stream.withLock { stream in
      stream?.finish()
      stream = nil
    }
  }

  func stop() {
    stream.withLock { $0 = nil }
    speech?.stop()
  }

  func signal(_ signal: SatelliteSession.Signal) {
    switch signal {
    case .opened: if hasSounds { speech?.play(.wake, isUrgent: true) }
    case .closed: if hasSounds { speech?.play(.end, isUrgent: true) }
    case .timer: speech?.play(.ring, isUrgent: true)
    }
  }
}
