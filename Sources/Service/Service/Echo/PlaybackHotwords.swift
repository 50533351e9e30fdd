import Detection
import PCM
import Platform
import SpeechSynthesis

/// Finds what would wake the assistant in its own speech, before that is played.
///
/// One thread at a time may use it: the player's.
package struct PlaybackHotwords: @unchecked Sendable {
  private let spotter: KeywordSpotter

  /// What reaches so much of a model's threshold counts: the room changes what the microphone hears of it.
  private static let share = 0.5
  /// Seconds of silence before the speech, in which the models warm up.
  private static let lead = 1.5
  /// Seconds before a score's end that its word may have begun.
  private static let longestWord = 1.0

  /// - Parameter spotter: of the same models that listen, and of no other use.
  package init(_ spotter: KeywordSpotter) {
    self.spotter = spotter
    PlaybackSensitivity(spotter).raise(spotter)
  }

  /// The hotwords that `samples` hold, or what sounds like them.
  package func words(in samples: [Int16]) -> [PlaybackReference.Word] {
    spotter.reset()
    let lead = AudioFormat.samples(Self.lead)
    let silence = [Int16](repeating: 0, count: AudioFormat.frameLength)
    for _ in 0..<lead / AudioFormat.frameLength { silence.withUnsafeBufferPointer { _ = spotter.push($0) } }
    var words: [PlaybackReference.Word] = []
    var open: [Int: Range<Int>] = [:]
    func close(_ model: Int) {
      guard let range = open.removeValue(forKey: model) else { return }
      words.append(PlaybackReference.Word(keyword: model, range: range))
    }
    var start = 0
    let end = samples.count + spotter.tail * AudioFormat.frameLength
    while start < end {
      let rest = samples[min(start, samples.count)..<min(start + AudioFormat.frameLength, samples.count)]
      let frame = rest + silence.prefix(AudioFormat.frameLength - rest.count)
      frame.withUnsafeBufferPointer { _ = spotter.push($0) }
      for (model, keyword) in spotter.keywords.enumerated() {
        guard let step = spotter.score(of: model) else { continue }
        guard step.score >= keyword.threshold * Self.share else {
          close(model)
          continue
        }
        let upper = max(1, min(samples.count, step.end - lead))
        let lower = max(0, upper - AudioFormat.samples(Self.longestWord))
        open[model] = min(open[model]?.lowerBound ?? lower, lower, upper - 1)..<upper
      }
      start += AudioFormat.frameLength
    }
    for model in spotter.keywords.indices { close(model) }
    return words
  }
}
