import PCM

/// A recording as a service hears it that has been running: after seconds of silence or of the same noise.
///
/// The front end's noise estimate and the features' slow mean (time constant 2 s) have settled when the recording begins.
package enum RunningNoise {
  /// The samples before the recording: 6 s.
  package static let lead = AudioFormat.samples(6)

  /// Returns silence and the recording.
  package static func clean(_ samples: [Int16]) -> [Int16] { [Int16](repeating: 0, count: lead) + samples }

  /// Returns the noise and, from ``lead`` on, the recording in it.
  ///
  /// - Parameters:
  ///   - noise: ``lead`` samples more than `samples`.
  ///   - ratio: the level of the recording above the noise in dB, each by its loudest 128 ms during the recording.
  package static func mix(_ samples: [Int16], _ noise: [Float], ratio: Float) -> [Int16] {
    let speech = Level.floats(samples)
    let level = Level.loudest(noise[lead..<lead + samples.count])
    guard level > 1e-7 else { return clean(samples) }
    let gain = Level.loudest(speech[...]) / level / Level.factor(ratio)
    var mixed = noise.map { $0 * gain }
    for index in speech.indices { mixed[lead + index] += speech[index] }
    return Level.integers(mixed)
  }
}
