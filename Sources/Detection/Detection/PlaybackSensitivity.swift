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

  package typealias Level = (sensitivity: Sensitivity, threshold: Double)

  private var usual: [Level]
  private var raised: [Level]
  private var end: SampleIndex?

  /// - Parameter spotter: with its sensitivities for silence.
  package init(_ spotter: KeywordSpotter) {
    usual = spotter.keywords.map { ($0.sensitivity, $0.threshold) }
    raised = spotter.keywords.enumerated().map { model, keyword in
      Self.raised(keyword.sensitivity, of: model, spotter)
    }
  }

  /// The level of a model during playback, from its level in silence.
  package static func raised(_ usual: Sensitivity, of model: Int, _ spotter: KeywordSpotter) -> Level {
    let sensitivity = (try? Sensitivity(min(1, usual.value + Self.increase))) ?? usual
    return (sensitivity, spotter.threshold(for: sensitivity, of: model))
  }

  /// Changes the levels of a model, and sets the one that counts now. Neither allocates nor locks.
  package mutating func change(_ model: Int, usual: Level, raised: Level, _ spotter: KeywordSpotter) {
    guard self.usual.indices.contains(model) else { return }
    self.usual[model] = usual
    self.raised[model] = raised
    let level = end == nil ? usual : raised
    spotter.setSensitivity(level.sensitivity, threshold: level.threshold, of: model)
  }

  /// Sets the sensitivities of `spotter` at `position`. Neither allocates nor locks.
  package mutating func update(isPlaying: Bool, at position: SampleIndex, _ spotter: KeywordSpotter) {
    if isPlaying {
      if end == nil { raise(spotter) }
      end = position + Self.duration
    } else if let last = end, position > last {
      end = nil
      set(usual, spotter)
    }
  }

  /// Sets the sensitivities of `spotter` as during playback.
  package func raise(_ spotter: KeywordSpotter) { set(raised, spotter) }

  private func set(_ levels: [Level], _ spotter: KeywordSpotter) {
    var model = 0
    while model < levels.count {
      spotter.setSensitivity(levels[model].sensitivity, threshold: levels[model].threshold, of: model)
      model += 1
    }
  }
}
