import Detection
import Glibc
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

/// Where the phrase lies in a recording of it.
package enum WordBoundary {
  /// Why a recording teaches nothing.
  package enum Flaw: String, Sendable, Error {
    case tooShort = "shorter than 0.2 s"
    case tooLong = "longer than 30 s"
    case silent = "silent"
    case clipped = "clipped throughout"
    case noWord = "no word stands out of its noise"
    case otherWord = "another word"
    case moreWords = "more than the phrase"
  }

  /// The samples of the phrase, by energy against the clip's own noise floor.
  ///
  /// Speech is where the level of 10 ms frames, smoothed over 30 ms, exceeds the floor (their 10th percentile)
  /// by a quarter of the range up to the 95th, at least 6 dB; pauses up to 0.35 s join it. Of several regions the one
  /// with the most energy is the phrase, so that clicks do not count. `longest` seconds bound its length.
  package static func find(_ samples: [Int16], longest: Double = 2.5) throws(Flaw) -> Range<Int> {
    let frame = AudioFormat.frameLength
    guard samples.count >= AudioFormat.samples(0.2) else { throw .tooShort }
    guard samples.count <= AudioFormat.samples(30) else { throw .tooLong }
    let count = samples.count / frame
    var levels = [Float](repeating: 0, count: count)
    var clipped = 0
    for index in 0..<count {
      // High-passed by a first difference's slow cousin: hum and wind are not speech.
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
      // A clip cut to the word has no floor: all of it is the phrase.
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
