import PCM
import Platform

/// Raises the sensitivity of all models while the loudspeaker plays: the echo of the assistant's speech hides part of
/// what the user says over it.
///
/// A search for hotwords in the assistant's own speech must use the same sensitivity: see ``raise(_:)``.
package struct PlaybackSensitivity {
  /// Added to each sensitivity. False alarms per hour rise by a factor of 13 while it lasts.
  package static let increase = 0.4
  /// Samples after the end of playback for which it lasts: a hotword that began during playback is found later.
  package static let duration = AudioFormat.samples(1)

  private let usual: [Sensitivity]
  private var end: SampleIndex?

  /// - Parameter spotter: with its sensitivities for silence.
  package init(_ spotter: KeywordSpotter) { usual = spotter.keywords.map(\.sensitivity) }

  /// Sets the sensitivities of `spotter` at `position`. Cheap without a change; a change may allocate.
  package mutating func update(isPlaying: Bool, at position: SampleIndex, _ spotter: KeywordSpotter) {
    if isPlaying {
      if end == nil { raise(spotter) }
      end = position + Self.duration
    } else if let last = end, position > last {
      end = nil
      set(spotter, usual)
    }
  }

  /// Sets the sensitivities of `spotter` as during playback.
  package func raise(_ spotter: KeywordSpotter) {
    set(spotter, usual.map { (try? Sensitivity(min(1, $0.value + Self.increase))) ?? $0 })
  }

  private func set(_ spotter: KeywordSpotter, _ sensitivities: [Sensitivity]) {
    for (model, sensitivity) in sensitivities.enumerated() {
      spotter.setSensitivity(sensitivity, of: model)
    }
  }
}
