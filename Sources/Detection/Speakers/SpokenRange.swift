import Glibc

/// Finds the spoken part of a recording, in noise too.
package enum SpokenRange {
  /// Vectors of silence that a phrase may contain.
  private static let longestPause = 18
  /// Vectors kept before and after the phrase.
  private static let margin = 3
  /// The bands that carry a voice's power.
  private static let voiceBands = 4..<30
  /// Decibels below the loud part of a phrase down to which its sounds are sought.
  private static let depth: Float = 30
  /// Decibels below the loud part of a recording down to which a vector is a sound.
  private static let soundDepth: Float = 25
  /// Decibels from the noise to the quietest sound that is told from it.
  private static let leastContrast: Float = -3

  /// The range of vectors around the loudest one in `word` that belong to the same phrase.
  ///
  /// - Parameters:
  ///   - sounds: `[vector][band]`, the power above that of the noise.
  ///   - noise: `[band]`, the power of the noise.
  ///   - word: the vectors that contain the phrase.
  /// - Returns: nil without a part above the noise.
  package static func find(_ sounds: [Float], noise: [Float], word: Range<Int>) -> Range<Int>? {
    let levels = levels(sounds, bands: noise.count)
    let word = word.clamped(to: 0..<levels.count)
    guard let peak = word.max(by: { levels[$0] < levels[$1] }) else { return nil }
    let loud = percentile(0.9, of: levels[word])
    let quiet = decibels(voiceBands.reduce(0) { $0 + noise[$1] }) + leastContrast
    guard loud >= quiet else { return nil }
    let threshold = max(loud - depth, quiet)
    let first = edge(from: peak, in: word.reversed().drop { $0 >= peak }, levels, threshold)
    let last = edge(from: peak, in: word.drop { $0 <= peak }, levels, threshold)
    return (first - margin..<last + margin + 1).clamped(to: 0..<levels.count)
  }

  /// Whether each vector belongs to a sound, of any phrase.
  ///
  /// - Parameter contrast: decibels by which the loud part must be above the noise; otherwise nothing is spoken.
  package static func spoken(_ sounds: [Float], noise: [Float], contrast: Float) -> [Bool] {
    let levels = levels(sounds, bands: noise.count)
    guard !levels.isEmpty else { return [] }
    let quiet = decibels(voiceBands.reduce(0) { $0 + noise[$1] })
    let loud = percentile(0.95, of: levels[...])
    let threshold = max(loud - soundDepth, quiet)
    return levels.map { loud >= quiet + contrast && $0 > threshold }
  }

  /// The level of each vector in decibels, smoothed.
  private static func levels(_ sounds: [Float], bands: Int) -> [Float] {
    smoothed(
      (0..<sounds.count / bands).map { vector in
        voiceBands.reduce(0) { $0 + sounds[vector * bands + $1] }
      }
    ).map(decibels)
  }

  /// The last vector at or above `threshold` before a pause that is too long.
  private static func edge(
    from peak: Int, in vectors: some Sequence<Int>, _ levels: [Float], _ threshold: Float
  ) -> Int {
    var edge = peak
    for vector in vectors {
      if levels[vector] > threshold {
        edge = vector
      } else if abs(vector - edge) >= longestPause {
        break
      }
    }
    return edge
  }

  private static func decibels(_ power: Float) -> Float { 10 * log10f(power + 1e-9) }

  private static func smoothed(_ values: [Float]) -> [Float] {
    values.indices.map { index in
      let span = max(0, index - 2)...min(values.count - 1, index + 2)
      return span.reduce(0) { $0 + values[$1] } / Float(span.count)
    }
  }

  private static func percentile(_ part: Double, of values: ArraySlice<Float>) -> Float {
    values.sorted()[Int(part * Double(values.count - 1))]
  }
}
