import PCM
import Platform

/// Makes the hotwords easier to trigger while the assistant speaks: its echo hides a part of what is said over it.
///
/// The assistant's own words come nearer to a hotword so, too: whoever looks for hotwords in them must do so with the
/// same attention.
package struct Attention {
  /// What is added to each sensitivity: false alarms come thirteen times as often, in the seconds of speech.
  package static let more = 0.4
  /// Samples after the speech for which it lasts: a hotword that began in it is found later.
  package static let linger = AudioFormat.samples(1)

  private let usual: [Sensitivity]
  private var until: SampleIndex?

  /// - Parameter spotter: with the sensitivities as they are without speech.
  package init(_ spotter: KeywordSpotter) { usual = spotter.keywords.map(\.sensitivity) }

  /// Notes whether the loudspeaker plays as the stream stands at `position`. Not for the audio thread.
  package mutating func heed(isPlaying: Bool, at position: SampleIndex, _ spotter: KeywordSpotter) {
    if isPlaying {
      if until == nil { raise(spotter) }
      until = position + Self.linger
    } else if let end = until, position > end {
      until = nil
      set(spotter, usual)
    }
  }

  /// Gives `spotter` as much attention as there ever is.
  package func raise(_ spotter: KeywordSpotter) {
    set(spotter, usual.map { (try? Sensitivity(min(1, $0.value + Self.more))) ?? $0 })
  }

  private func set(_ spotter: KeywordSpotter, _ sensitivities: [Sensitivity]) {
    for (model, sensitivity) in sensitivities.enumerated() {
      spotter.setSensitivity(sensitivity, of: model)
    }
  }
}
