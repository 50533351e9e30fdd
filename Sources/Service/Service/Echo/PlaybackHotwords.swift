import Detection
import PCM
import Platform
import SpeechSynthesis

/// Finds the hotwords in speech while it is played, so that the service does not react to itself.
///
/// One thread at a time may use it: the player's. A hotword is found before the microphone can hear it: the speech is
/// searched before it is played, with a lower threshold.
package final class PlaybackHotwords: PlaybackWords, @unchecked Sendable {
  private let spotter: KeywordSpotter
  /// Samples that do not fill a frame yet.
  private var rest: [Int16] = []
  /// Samples of the speech so far.
  private var count = 0
  /// The words whose score is high now, by model.
  private var open: [Int: Range<Int>] = [:]
  private static let silence = [Int16](repeating: 0, count: AudioFormat.frameLength)

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

  package func reset() {
    spotter.reset()
    rest = []
    count = 0
    open = [:]
    for _ in 0..<AudioFormat.samples(Self.lead) / AudioFormat.frameLength {
      Self.silence.withUnsafeBufferPointer { _ = spotter.push($0) }
    }
  }

  package func push(_ samples: ArraySlice<Int16>) -> [PlaybackReference.Word] {
    count += samples.count
    rest += samples
    var words: [PlaybackReference.Word] = []
    var start = 0
    while start + AudioFormat.frameLength <= rest.count {
      words += step(rest[start..<start + AudioFormat.frameLength])
      start += AudioFormat.frameLength
    }
    rest.removeFirst(start)
    return words
  }

  package func finish() -> [PlaybackReference.Word] {
    let last = rest + Self.silence.prefix(AudioFormat.frameLength - rest.count)
    return step(last[...]) + (0..<spotter.tail).flatMap { _ in step(Self.silence[...]) }
      + open.map { PlaybackReference.Word(keyword: $0.key, range: $0.value) }
  }

  /// Takes a frame. A word is returned when its score becomes high, as far as it goes, and again with its end.
  private func step(_ frame: ArraySlice<Int16>) -> [PlaybackReference.Word] {
    frame.withUnsafeBufferPointer { _ = spotter.push($0) }
    var words: [PlaybackReference.Word] = []
    for (model, keyword) in spotter.keywords.enumerated() {
      guard let step = spotter.score(of: model) else { continue }
      let last = open[model]
      guard step.score >= keyword.threshold * Self.share else {
        if let last { words.append(PlaybackReference.Word(keyword: model, range: last)) }
        open[model] = nil
        continue
      }
      let upper = max(1, min(count, step.end - AudioFormat.samples(Self.lead)))
      let lower = max(0, upper - AudioFormat.samples(Self.longestWord))
      let range = min(last?.lowerBound ?? lower, lower, upper - 1)..<upper
      if last == nil { words.append(PlaybackReference.Word(keyword: model, range: range)) }
      open[model] = range
    }
    return words
  }
}
