import Evaluation
import Glibc
import Platform

/// Labelled speech, augmented and rendered to features once.
package struct PhonemeBank: Sendable {
  /// A rendered clip.
  package struct Stream: Sendable {
    package var features: [Float16]
    /// One label per vector; ``Target/unlabelled`` if unknown.
    package var labels: [UInt8]
  }

  package private(set) var streams: [Stream] = []
  package let coefficients: Int

  /// Renders each of `clips` as often as `times` returns. The result does not depend on the number of
  /// threads.
  package init(
    _ clips: [LabelledClip], times: (Int) -> Int, augmenter: Augmenter, settings: TrainingSettings, least: Int
  ) throws {
    coefficients = settings.features.coefficients
    _ = try FeatureRenderer(frontEnd: settings.frontEnd, features: settings.features)
    let random = RandomSource(seed: settings.seed).stream(5)
    let jobs = clips.indices.flatMap { [Int](repeating: $0, count: times($0)) }
    streams = Parallel.map(jobs.count, threads: settings.threads) { job -> Stream? in
      var random = random.stream(job)
      guard let renderer = try? FeatureRenderer(frontEnd: settings.frontEnd, features: settings.features)
      else { return nil }
      let take = augmenter.background(clips[jobs[job]], &random)
      let warp = FeatureBank.warps[Int(random.next() % UInt64(FeatureBank.warps.count))]
      return try? Self.stream(take, renderer, warp: warp, coefficients: settings.features.coefficients)
    }.compactMap { $0 }.filter { $0.labels.count >= least }
  }

  /// Returns the features and labels of a clip without augmentation.
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

/// Batches of windows from labelled speech.
package struct PhonemeWindows: BatchSource {
  private let bank: PhonemeBank
  private let ends: [Int]
  private let random: RandomSource
  private let batchSize: Int
  private let stride: Int
  private let lookAhead: Int
  /// The number of vectors in a window.
  package let frames: Int

  /// - Parameter lookAhead: the look-ahead of the encoder that is trained; see `PhonemeEncoder`.
  package init(
    _ bank: PhonemeBank, batchSize: Int, frames: Int, stride: Int, lookAhead: Int, seed: UInt64
  ) {
    self.bank = bank
    self.lookAhead = lookAhead
    self.batchSize = batchSize
    self.frames = frames
    self.stride = stride
    random = RandomSource(seed: seed)
    var end = 0
    ends = bank.streams.map { stream in
      end += stream.labels.count
      return end
    }
  }

  package func batch(_ index: Int) -> Batch {
    var random = random.stream(index)
    let width = bank.coefficients
    var targets: [Target] = []
    var features = [Float](repeating: 0, count: batchSize * frames * width)
    features.withUnsafeMutableBufferPointer { features in
      for row in 0..<batchSize {
        targets.append(.classes(window(features.baseAddress! + row * frames * width, &random)))
      }
    }
    return Batch(
      count: batchSize, frames: frames, features: features, targets: targets,
      weights: [Float](repeating: 1, count: batchSize))
  }

  private func window(_ place: UnsafeMutablePointer<Float>, _ random: inout RandomSource) -> [UInt8] {
    let stream = bank.streams[draw(&random)]
    let vectors = stream.labels.count
    var pace = random.chance(0.6) ? exp(random.uniform(log(0.75)...log(1.35))) : 1
    if Int(Float(frames) / pace) + 1 >= vectors { pace = 1 }
    let span = Int(Float(frames) / pace)
    let start = Int(random.next() % UInt64(max(1, vectors - span)))
    TimeStretch.stretch(
      stream.features, width: bank.coefficients, from: start, span: span, pace: pace, frames: frames,
      into: place)
    if random.chance(0.5) {
      for _ in 0..<2 {
        let length = Int(random.next() % 9)
        let first = Int(random.next() % UInt64(frames - length))
        (place + first * bank.coefficients).update(repeating: 0, count: length * bank.coefficients)
      }
    }
    return (0..<frames / stride).map { step in
      let vector = start + Int(Float((step + 1) * stride - 1 - lookAhead) / pace)
      return vector >= 0 && vector < vectors ? stream.labels[vector] : Target.unlabelled
    }
  }

  private func draw(_ random: inout RandomSource) -> Int {
    let place = Int(random.next() % UInt64(ends.last!))
    var low = 0
    var high = ends.count - 1
    while low < high {
      let middle = (low + high) / 2
      if ends[middle] > place { high = middle } else { low = middle + 1 }
    }
    return low
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
