import Platform
import SpeechSynthesis
import Synchronization
import WyomingServer

/// What a satellite plays: answers and signals on a loudspeaker, or nothing.
///
/// With media, which other code plays with the same output, answers and signals interrupt the media until that code resumes it.
final class SatellitePlayer: SatelliteOutput {
  /// nil if the satellite plays nothing.
  private let speech: SpeechOutput?
  private let hasSounds: Bool
  private let hasMedia: Bool
  /// Called when a ring has been played: media may play again if nothing else is.
  private let rest: @Sendable () -> Void
  /// The audio that is arriving.
  private let stream = Mutex<SpeechStream?>(nil)

  init(
    _ speech: SpeechOutput?, hasSounds: Bool, hasMedia: Bool = false,
    rest: @escaping @Sendable () -> Void = {}
  ) {
    self.rest = rest
    self.speech = speech
    self.hasSounds = hasSounds
    self.hasMedia = hasMedia
  }

  func begin(then: @escaping @Sendable () -> Void) {
    guard let speech else { return then() }
    let next = SpeechStream()
    let last = stream.withLock { stream in
      defer { stream = next }
      return stream
    }
    last?.finish()
    if hasMedia { speech.pause() }
    speech.play(next, isUrgent: hasMedia) { _ in then() }
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
    if hasMedia { speech?.stopUrgent() } else { speech?.stop() }
  }

  func signal(_ signal: SatelliteSession.Signal) {
    if hasMedia, signal != .closed { speech?.pause() }
    switch signal {
    case .opened: if hasSounds { speech?.play(.wake, isUrgent: true) }
    case .closed: if hasSounds { speech?.play(.end, isUrgent: true) }
    case .timer: speech?.play(.ring, isUrgent: true) { [rest] _ in rest() }
    }
  }
}
