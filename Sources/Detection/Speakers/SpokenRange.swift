/// Finds the spoken part of a recording.
package enum SpokenRange {
  /// Vectors of silence that a phrase may contain.
  private static let longestPause = 18
  /// Vectors kept before and after the phrase.
  private static let margin = 3
  /// The bands that carry a voice's power.
  private static let voiceBands = 4..<30
  /// The threshold between the quiet level (0) and the loud level (1), in logarithms.
  private static let share: Float = 0.4
  /// The smallest difference of the loud from the quiet level, in natural logarithms of power.
  private static let leastContrast: Float = 1.5

  /// The range of vectors around the loudest one in `word` that belong to the same phrase.
  ///
  /// - Parameters:
  ///   - spectra: `[vector][band]`, logarithms of power.
  ///   - word: the vectors that contain the phrase.
  /// - Returns: nil without a part above the background.
  package static func find(_ spectra: [Float], bands: Int, word: Range<Int>) -> Range<Int>? {
    let levels = smoothed(
      (0..<spectra.count / bands).map { vector in
        voiceBands.reduce(Float(0)) { $0 + spectra[vector * bands + $1] } / Float(voiceBands.count)
      })
    let word = word.clamped(to: 0..<levels.count)
    guard let peak = word.max(by: { levels[$0] < levels[$1] }) else { return nil }
    let quiet = percentile(0.1, of: levels[...])
    let loud = percentile(0.97, of: levels[word])
    guard loud - quiet >= leastContrast else { return nil }
    let threshold = quiet + share * (loud - quiet)
    let first = edge(from: peak, in: word.reversed().drop { $0 >= peak }, levels, threshold)
    let last = edge(from: peak, in: word.drop { $0 <= peak }, levels, threshold)
    return (first - margin..<last + margin + 1).clamped(to: 0..<levels.count)
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
