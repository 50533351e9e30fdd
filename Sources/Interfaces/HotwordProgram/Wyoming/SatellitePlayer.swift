import Platform
import SpeechSynthesis
import WyomingServer

/// What a satellite plays: answers and signals on a loudspeaker, or nothing.
struct SatellitePlayer: SatelliteOutput {
  /// nil if the satellite plays nothing.
  let speech: SpeechOutput?
  let hasSounds: Bool

  func play(_ samples: [Int16], then: @escaping @Sendable () -> Void) {
    guard let speech, !samples.isEmpty else { return then() }
    speech.play(samples) { _ in then() }
  }

  func stop() { speech?.stop() }

  func signal(_ signal: SatelliteSession.Signal) {
    switch signal {
    case .opened: if hasSounds { speech?.play(.wake, isUrgent: true) }
    case .closed: if hasSounds { speech?.play(.end, isUrgent: true) }
    case .timer: speech?.play(.ring, isUrgent: true)
    }
  }
}
