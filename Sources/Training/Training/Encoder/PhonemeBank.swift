import Evaluation
import Platform

/// Labelled speech rendered to features once, in several situations.
package struct PhonemeBank: Sendable {
  /// A rendered clip.
  package struct Stream: Sendable {
    package var features: [Float16]
    /// One a vector; ``Target/unlabelled`` where nothing is known.
    package var labels: [UInt8]
  }

  package private(set) var streams: [Stream] = []
  package let coefficients: Int

  /// Renders each of `clips` as often as `times` says; the result does not depend on the number of threads.
  package init(
    _ clips: [LabelledClip], times: (Int) -> Int, composer: Composer, settings: TrainingSettings, least: Int
  ) throws {
    coefficients = settings.features.coefficients
    _ = try FeatureRenderer(frontEnd: settings.frontEnd, features: settings.features)
    let random = RandomSource(seed: settings.seed).stream(5)
    let jobs = clips.indices.flatMap { [Int](repeating: $0, count: times($0)) }
    streams = Parallel.map(jobs.count, threads: settings.threads) { job -> Stream? in
      var random = random.stream(job)
      guard let renderer = try? FeatureRenderer(frontEnd: settings.frontEnd, features: settings.features)
      else { return nil }
      let take = composer.background(clips[jobs[job]], &random)
      let warp = FeatureBank.warps[Int(random.next() % UInt64(FeatureBank.warps.count))]
      return try? Self.stream(take, renderer, warp: warp, coefficients: settings.features.coefficients)
    }.compactMap { $0 }.filter { $0.labels.count >= least }
  }

  /// The features and labels of a clip as it is.
  package static func stream(
    _ clip: LabelledClip, _ renderer: FeatureRenderer, warp: Double = 1, coefficients: Int
  ) throws -> Stream {
    let features = try renderer.render(clip.samples, warp: warp)
    var labels = [UInt8](repeating: Target.unlabelled, count: features.count / coefficients)
    for span in clip.phonemes where !span.samples.isEmpty {
      for vector in renderer.vectors(of: span.samples).clamped(to: 0..<labels.count) {
        labels[vector] = span.phoneme.rawValue
      }
    }
    return Stream(features: features, labels: labels)
  }
}
