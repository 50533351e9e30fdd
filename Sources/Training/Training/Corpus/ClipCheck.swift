import Detection
import Glibc
import PCM
import Platform

/// Checks recordings of a phrase with an encoder: finds the phrase in each, and the recordings of something
/// else.
package struct ClipCheck: Sendable {
  private let encoder: PhonemeEncoder
  private let readings: [[[Phoneme]]]

  /// A readable recording.
  package struct Clip: Sendable {
    package let samples: [Int16]
    /// The samples of the phrase, found by energy or, if it matches well, by its sounds.
    package var word: Range<Int>
    /// The result of the phrase search; nil if the phrase is too long for the recording.
    package let search: PhraseSearch?
    package var isAligned = false

    package init(samples: [Int16], word: Range<Int>, search: PhraseSearch?) {
      self.samples = samples
      self.word = word
      self.search = search
    }
  }

  /// - Parameter readings: the pronunciations of the phrase, each as the sounds of its words.
  package init(_ encoder: PhonemeEncoder, readings: [[[Phoneme]]]) {
    self.encoder = encoder
    self.readings = readings
  }

  /// A recording with a score this far below the median of all contains another word; see `README.md` for the
  /// measurement.
  package static let belowMedian = 2.0
  /// A median below this means that the phrase is not pronounced as it is spelled.
  package static let doubtfulMedian = -2.9
  /// From this score on, the sounds locate the phrase better than energy does.
  package static let alignedScore = -2.0
  /// This many sounds outside the phrase indicate another word.
  package static let mostSounds = 5

  /// Finds the phrase in `samples`.
  ///
  /// - Throws: ``WordBoundary/Flaw`` if energy alone shows that there is no phrase, `DetectionFault`.
  package func clip(_ samples: [Int16]) throws -> Clip {
    let word = try WordBoundary.find(samples)
    let renderer = try FeatureRenderer(frontEnd: encoder.frontEnd, features: encoder.features)
    // The encoder outputs a sound some steps after it.
    let features = try renderer.render(samples + [Int16](repeating: 0, count: AudioFormat.samples(0.2)))
    let network = encoder.network
    let search = PhraseSearch(
      NetworkScorer.logits(network, features: features), outputs: network.shape.outputs, readings: readings)
    var clip = Clip(samples: samples, word: word, search: search)
    if let search, search.score >= Self.alignedScore {
      clip.word = self.samples(of: search.steps, renderer, count: samples.count)
      clip.isAligned = true
    }
    return clip
  }

  private func samples(
    of steps: Range<Int>, _ renderer: FeatureRenderer, count: Int
  ) -> Range<Int> {
    let margin = AudioFormat.samples(0.02)
    func end(_ step: Int) -> Int {
      renderer.end(ofVector: (step + 1) * encoder.network.shape.stride - 1 - encoder.lookAhead)
    }
    let first = max(0, min(count - 1, end(steps.lowerBound - 1) - margin))
    return first..<max(first + 1, min(count, end(steps.upperBound - 1) + margin))
  }

  /// The flaw of each clip. If most clips do not match the phrase, `note` says so, and none is excluded as
  /// another word.
  package struct Choice: Sendable {
    package var flaws: [WordBoundary.Flaw?]
    package var note: String?
  }

  /// Finds those of `clips` (nil for an unreadable one) that contain another word or more than the phrase.
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
        "did not check for other words: most of \(scores.count) recordings do not match the phrase as spelled; if it is "
        + "pronounced differently, add --pronunciation"
    }
    return choice
  }

  /// Returns `clips`, in which a region that was found by energy alone and is unusually long is shortened at
  /// its start.
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

/// Finds the phrase in a recording of it.
package enum WordBoundary {
  /// The reason why a recording is not usable.
  package enum Flaw: String, Sendable, Error {
    case tooShort = "shorter than 0.2 s"
    case tooLong = "longer than 30 s"
    case silent = "silent"
    case clipped = "clipped throughout"
    case noWord = "no word above the noise"
    case otherWord = "another word"
    case moreWords = "more than the phrase"
  }

  /// Returns the samples of the phrase, by energy relative to the clip's noise floor.
  ///
  /// Speech is where the level of 10 ms frames, smoothed over 30 ms, exceeds the floor (their 10th percentile) by
  /// 30 % of the range up to their 95th percentile, at least 6 dB, and is less than 35 dB below the latter. Pauses up to
  /// 0.35 s are included.
  /// The region with the most energy is the phrase, so clicks do not count. Its length is limited to
  /// `longest` seconds.
  package static func find(_ samples: [Int16], longest: Double = 2.5) throws(Flaw) -> Range<Int> {
    let frame = AudioFormat.frameLength
    guard samples.count >= AudioFormat.samples(0.2) else { throw .tooShort }
    guard samples.count <= AudioFormat.samples(30) else { throw .tooLong }
    let count = samples.count / frame
    var levels = [Float](repeating: 0, count: count)
    var clipped = 0
    for index in 0..<count {
      // A simple high-pass filter: hum and wind are not speech.
      var sum: Float = 0
      var last: Float = 0
      for sample in index * frame..<(index + 1) * frame {
        let value = Float(samples[sample])
        let passed = value - 0.9 * last
        last = value
        sum += passed * passed
        if abs(Int(samples[sample])) > 32_500 { clipped += 1 }
      }
      levels[index] = 10 * log10f(sum / Float(frame) + 1)
    }
    guard Double(clipped) < 0.2 * Double(samples.count) else { throw .clipped }
    let smooth = levels.indices.map { index in
      (levels[max(0, index - 1)] + levels[index] + levels[min(count - 1, index + 1)]) / 3
    }
    let sorted = smooth.sorted()
    let floor = sorted[count / 10]
    let top = sorted[min(count - 1, count * 19 / 20)]
    guard top > 14 else { throw .silent }
    let threshold = max(floor + max(6, 0.3 * (top - floor)), top - 35)
    var regions: [(start: Int, end: Int, energy: Float)] = []
    for index in 0..<count where smooth[index] > threshold {
      let energy = powf(10, smooth[index] / 10)
      if let last = regions.last, index - last.end <= 35 {
        regions[regions.count - 1].end = index + 1
        regions[regions.count - 1].energy += energy
      } else {
        regions.append((index, index + 1, energy))
      }
    }
    guard
      let word = regions.filter({ $0.end - $0.start >= 12 }).max(by: { $0.energy < $1.energy })
    else {
      // A clip cut to the word has no noise floor: all of it is the phrase.
      if AudioFormat.seconds(samples.count) <= longest, top - floor < 12, top > 30 {
        return 0..<samples.count
      }
      throw .noWord
    }
    let start = max(0, word.start - 2) * frame
    let end = min(samples.count, (word.end + 2) * frame)
    return max(start, end - AudioFormat.samples(longest))..<end
  }
}
