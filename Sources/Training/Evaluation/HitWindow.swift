import PCM
import Platform

/// Where in a recording of the phrase a hit may say that the phrase ended.
///
/// It begins where half of the sound's energy above the background has passed: before, the phrase cannot be complete,
/// and a detector that fires was not woken by it. It ends a second after all but 2 % has passed.
package struct HitWindow: Sendable, Equatable {
  package let range: Range<SampleIndex>

  /// Seconds after the end of the sound.
  private static let late = 1.0

  /// - Parameter samples: one utterance of the phrase, clean.
  package init(_ samples: [Int16]) {
    let frame = AudioFormat.frameLength
    var energies: [Double] = []
    for start in stride(from: 0, to: samples.count, by: frame) {
      let part = samples[start..<min(start + frame, samples.count)]
      energies.append(part.reduce(0) { $0 + Double($1) * Double($1) } / Double(part.count))
    }
    let sorted = energies.sorted()
    // A clip cut to the word has no background: its quietest frames are all that is taken off.
    let background = 2 * (sorted.isEmpty ? 0 : sorted[sorted.count / 10])
    let above = energies.map { max(0, $0 - background) }
    let total = above.reduce(0, +)
    var sum = 0.0
    var middle = 0
    var end = energies.count
    for (index, energy) in above.enumerated() {
      if sum < 0.5 * total { middle = index }
      sum += energy
      if sum < 0.98 * total { end = index + 2 }
    }
    range = middle * frame..<max(end, middle + 1) * frame + AudioFormat.samples(Self.late)
  }
}
