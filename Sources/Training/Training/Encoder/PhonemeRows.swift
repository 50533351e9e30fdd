import Evaluation
import Glibc
import PCM
import Platform

/// Labelled speech, augmented and rendered to features: an endless sequence of rows of clips.
///
/// Row `n` is always the same; the same clip has other surroundings in each row.
package struct PhonemeRows: Sendable {
  /// A rendered row.
  package struct Stream: Sendable {
    package var features: [Float16]
    /// One label per vector; ``Target/unlabelled`` if unknown.
    package var labels: [UInt8]
    /// As of a ``FeatureStream``.
    package var embeddings: [Float16] = []
  }

  private var clips = WeightedPool<LabelledClip>()
  private let augmenter: Augmenter
  private let settings: TrainingSettings
  private let seconds: Double
  private let least: Int
  private let random: RandomSource

  package var coefficients: Int { settings.features.coefficients }

  /// - Parameters:
  ///   - times: the relative number of times that each clip is drawn.
  ///   - seconds: the length of a row; 0 for rows of one clip.
  ///   - least: the number of vectors of the shortest row.
  /// - Throws: `FrontEndFault`, `DetectionFault` for settings that cannot be rendered.
  package init(
    _ clips: [LabelledClip], times: (Int) -> Int, augmenter: Augmenter, settings: TrainingSettings,
    seconds: Double, least: Int
  ) throws {
    precondition(!clips.isEmpty, "there is speech to draw")
    _ = try FeatureRenderer(settings)
    self.augmenter = augmenter
    self.settings = settings
    self.seconds = seconds
    self.least = least
    random = RandomSource(seed: settings.seed).stream(5)
    for (index, clip) in clips.enumerated() { self.clips.add(clip, weight: times(index)) }
  }

  /// Renders rows on several threads. The result does not depend on their number.
  package func render(_ numbers: [Int]) -> [Stream] {
    Parallel.map(numbers.count, threads: settings.threads) { stream(numbers[$0]) }
  }

  private func stream(_ number: Int) -> Stream {
    var random = random.stream(number)
    var row: [LabelledClip] = []
    var length = 0
    repeat {
      row.append(clips.draw(&random))
      length += row.last!.samples.count
    } while length < AudioFormat.samples(seconds)
    var take = augmenter.sequence(
      row.map { (Level.floats($0.samples), $0.phonemes.map(\.samples)) }, &random)
    let missing = take.warmUp + (least + 4) * AudioFormat.frameLength - take.samples.count
    if missing > 0 { take.samples += [Int16](repeating: 0, count: missing) }
    let warp = FeatureBank.warps[Int(random.next() % UInt64(FeatureBank.warps.count))]
    let renderer = try! FeatureRenderer(settings)
    let (features, spans) = try! renderer.render(take, warp: warp)
    var labels = [UInt8](repeating: Phoneme.silence.rawValue, count: features.count / coefficients)
    var first = 0
    for clip in row {
      Self.write(clip.phonemes, at: Array(spans[first..<first + clip.phonemes.count]), into: &labels)
      first += clip.phonemes.count
    }
    return Stream(features: features, labels: labels, embeddings: renderer.embeddings)
  }

  /// Returns the features and labels of a clip without augmentation.
  package static func stream(
    _ clip: LabelledClip, _ renderer: FeatureRenderer, coefficients: Int
  ) throws -> Stream {
    let features = try renderer.render(clip.samples)
    var labels = [UInt8](repeating: Target.unlabelled, count: features.count / coefficients)
    write(clip.phonemes, at: clip.phonemes.map { renderer.vectors(of: $0.samples) }, into: &labels)
    return Stream(features: features, labels: labels)
  }

  /// Labels the vectors of a clip. Those between its sounds are unlabelled.
  private static func write(_ phonemes: [Phoneme.Span], at spans: [Range<Int>], into labels: inout [UInt8]) {
    guard let first = spans.first, let last = spans.last else { return }
    let all = 0..<labels.count
    for vector in (first.lowerBound..<max(first.lowerBound, last.upperBound)).clamped(to: all) {
      labels[vector] = Target.unlabelled
    }
    for (phoneme, span) in zip(phonemes, spans) where !phoneme.samples.isEmpty {
      for vector in span.clamped(to: all) { labels[vector] = phoneme.phoneme.rawValue }
    }
  }
}

/// Speech with labelled sounds.
package struct LabelledClip: Sendable {
  package var samples: [Int16]
  /// In order; samples between them are not labelled.
  package var phonemes: [Phoneme.Span]

  package init(samples: [Int16], phonemes: [Phoneme.Span]) {
    self.samples = samples
    self.phonemes = phonemes
  }
}
