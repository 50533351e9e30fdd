import Detection
import PCM
import Platform
import SpeechSynthesis

/// Finds the hotwords in speech before it is played, so that the service does not react to itself.
///
/// One thread at a time may use it: the player's.
package struct PlaybackHotwords: @unchecked Sendable {
  private let spotter: KeywordSpotter

  /// The share of a model's threshold that counts: the room changes the signal on its way to the microphone.
  private static let share = 0.5
  /// Seconds of silence before the speech, for the models to warm up.
  private static let lead = 1.5
  /// The longest time from a word's start to its score's end, in seconds.
  private static let longestWord = 1.0

  /// - Parameter spotter: of the models that the service listens with; used for nothing else.
  package init(_ spotter: KeywordSpotter) {
    self.spotter = spotter
    PlaybackSensitivity(spotter).raise(spotter)
  }

  /// The hotwords in `samples`, and what sounds like them.
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
