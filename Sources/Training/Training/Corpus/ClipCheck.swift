import Detection
import PCM
import Platform

/// Looks at recordings of a phrase with an encoder: where it lies in each, and which hold something else.
package struct ClipCheck: Sendable {
  private let encoder: PhonemeEncoder
  private let readings: [[[Phoneme]]]

  /// A recording that can be heard.
  package struct Clip: Sendable {
    package let samples: [Int16]
    /// The phrase, by energy or, where it fits, by its sounds.
    package var word: Range<Int>
    /// What the encoder says of it; nil where the phrase is too long for the recording.
    package let search: PhraseSearch?
    package var isAligned = false

    package init(samples: [Int16], word: Range<Int>, search: PhraseSearch?) {
      self.samples = samples
      self.word = word
      self.search = search
    }
  }

  /// - Parameter readings: ways in which the phrase is said, each as the sounds of its words.
  package init(_ encoder: PhonemeEncoder, readings: [[[Phoneme]]]) {
    self.encoder = encoder
    self.readings = readings
  }

  /// This far below the median of all recordings one holds another word: see `README.md` for what was measured.
  package static let belowMedian = 2.0
  /// A median below this says that the phrase is not said as it is written.
  package static let doubtfulMedian = -2.9
  /// At or above this, the sounds tell better than energy where the phrase lies.
  package static let alignedScore = -2.0
  /// This many sounds outside of the phrase are another word.
  package static let mostSounds = 5

  /// Finds the phrase in `samples`.
  ///
  /// - Throws: ``WordBoundary/Flaw`` where energy alone shows that there is none, `DetectionFault`.
  package func clip(_ samples: [Int16]) throws -> Clip {
    let word = try WordBoundary.find(samples)
    let renderer = try FeatureRenderer(frontEnd: encoder.frontEnd, features: encoder.features)
    // The encoder tells of a sound some steps after it.
    let features = try renderer.render(samples + [Int16](repeating: 0, count: AudioFormat.samples(0.2)))
    let network = encoder.network
    let search = PhraseSearch(
      NetworkScorer.logits(network, features: features), outputs: network.shape.outputs, readings: readings)
    var clip = Clip(samples: samples, word: word, search: search)
    if let search, search.score >= Self.alignedScore {
      clip.word = Self.samples(of: search.steps, stride: network.shape.stride, renderer, count: samples.count)
      clip.isAligned = true
    }
    return clip
  }

  private static func samples(
    of steps: Range<Int>, stride: Int, _ renderer: FeatureRenderer, count: Int
  ) -> Range<Int> {
    let margin = AudioFormat.samples(0.02)
    func end(_ step: Int) -> Int {
      renderer.end(ofVector: (step + 1) * stride - 1 - PhonemeEncoder.standardLookAhead)
    }
    let first = max(0, min(count - 1, end(steps.lowerBound - 1) - margin))
    return first..<max(first + 1, min(count, end(steps.upperBound - 1) + margin))
  }

  /// What is wrong with each of the clips; `note` says where most sound unlike the phrase, so that none is left out as
  /// another word.
  package struct Choice: Sendable {
    package var flaws: [WordBoundary.Flaw?]
    package var note: String?
  }

  /// Tells which of `clips`, nil where there is none, hold another word or more than the phrase.
  package static func choose(_ clips: [Clip?]) -> Choice {
    let scores = clips.compactMap { clip in clip.map { $0.search?.score ?? -.infinity } }.sorted()
    guard !scores.isEmpty else { return Choice(flaws: clips.map { _ in nil }) }
    let median = scores[scores.count / 2]
    let isDoubtful = median < doubtfulMedian
    var choice = Choice(
      flaws: clips.map { clip -> WordBoundary.Flaw? in
        guard let clip else { return nil }
        guard let search = clip.search else { return isDoubtful ? nil : .otherWord }
        guard isDoubtful || search.score >= median - belowMedian else { return .otherWord }
        return max(search.soundsBefore, search.soundsAfter) >= mostSounds ? .moreWords : nil
      })
    if isDoubtful {
      choice.note =
        "no other words looked for: most of \(scores.count) recordings sound unlike the phrase; is it said as it is "
        + "written? --pronunciation tells otherwise"
    }
    return choice
  }

  /// `clips` without what is much longer than usual before the phrase's end, where energy alone told its place.
  package static func trimmed(_ clips: [Clip]) -> [Clip] {
    let lengths = clips.map(\.word.count).sorted()
    guard !lengths.isEmpty else { return [] }
    let longest = max(lengths[lengths.count / 2] * 17 / 10, AudioFormat.samples(0.4))
    return clips.map { clip in
      var clip = clip
      if !clip.isAligned, clip.word.count > longest {
        clip.word = clip.word.upperBound - longest..<clip.word.upperBound
      }
      return clip
    }
  }
}
