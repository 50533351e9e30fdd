import Platform
import SpeechSynthesis
import WyomingServer

/// What a satellite is heard through: a loudspeaker, or nothing.
struct SatelliteVoice: SatelliteOutput {
  /// nil where nothing is played.
  let output: SpeechOutput?
  let hasSounds: Bool

  func play(_ samples: [Int16], then: @escaping @Sendable () -> Void) {
    guard let output, !samples.isEmpty else { return then() }
    output.play(samples) { _ in then() }
  }

  func stop() { output?.stop() }

  func signal(_ signal: SatelliteSession.Signal) {
    switch signal {
    case .opened: if hasSounds { output?.play(.wake, isUrgent: true) }
    case .closed: if hasSounds { output?.play(.end, isUrgent: true) }
    case .timer: output?.play(.ring, isUrgent: true)
    }
  }
}
