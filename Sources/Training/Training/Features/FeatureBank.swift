import AudioCapture
import Detection
import Evaluation
import Glibc
import PCM
import Platform

/// All recordings, augmented and rendered to features once. Training draws windows from it and processes no
/// audio.
package struct FeatureBank: Sendable {
  package var streams: [FeatureStream] = []
  package var coefficients: Int
  /// The distance between vectors, in frames of 10 ms.
  package var hop = 1
  /// The number of vectors in a window: the phrase, the audio before it, and time to decide.
  package var windowVectors: Int
  /// The seconds of recordings that were used as negatives, before augmentation.
  package var negativeSeconds = 0.0
  /// The files that could not be read.
  package var leftOut: [String] = []

  /// Creates a bank of rendered and encoded streams.
  package init(streams: [FeatureStream], coefficients: Int, hop: Int, windowVectors: Int) {
    self.streams = streams
    self.coefficients = coefficients
    self.hop = hop
    self.windowVectors = windowVectors
  }

  /// Returns the number of vectors of windows that contain the phrases of `utterances` with a margin.
  package static func window(for utterances: [Corpus.Utterance]) -> Int {
    let lengths = utterances.map(\.word.count).sorted()
    let long = lengths.isEmpty ? 0 : lengths[lengths.count * 9 / 10]
    return max(200, long / AudioFormat.frameLength + 110) / 2 * 2
  }

  package static let warps: [Double] = [1, 1, 1, 0.88, 0.92, 0.96, 1.04, 1.08, 1.13]

  /// The share of changed recordings that sound like children. Synthetic voices are varied when they speak.
  private static let childShare: Float = 0.5

  /// Renders `corpus` on several threads. The result does not depend on their number.
  package init(
    _ corpus: Corpus, _ settings: TrainingSettings, progress: (TrainingProgress) -> Void
  ) throws {
    coefficients = settings.features.coefficients
    windowVectors = Self.window(
      for: corpus.positives + corpus.heldOutPositives + corpus.syntheticPositives
        + corpus.missed.map(\.utterance))
    let augmenter = Augmenter(
      noise: NoiseSource(recordings: corpus.noise, speech: corpus.speech), speech: corpus.speech,
      childShare: corpus.heldOutPositives.isEmpty ? 0 : Self.childShare)
    let renderer = JobRenderer(
      augmenter: augmenter, settings: settings, window: windowVectors,
      random: RandomSource(seed: settings.seed).stream(2))
    // A renderer created here reports errors in the settings before the threads start.
    _ = try FeatureRenderer(settings)
    var jobs: [Job] = []
    let real = settings.keywordRenderings
    let recorded =
      corpus.positives.map { ($0, HeldOut.no) } + corpus.heldOutPositives.map { ($0, HeldOut.always) }
      + corpus.missed.map { ($0.utterance, $0.heldOut) }
    if !recorded.isEmpty {
      let times = max(1, min(24, real * 3 / 4 / recorded.count))
      for (utterance, heldOut) in recorded {
        for _ in 0..<times { jobs.append(.keyword(utterance, .keyword, heldOut)) }
        for _ in 0..<max(1, times / 4) { jobs.append(.part(utterance, heldOut)) }
      }
    }
    if !corpus.syntheticPositives.isEmpty {
      let count = recorded.count >= 100 ? real / 3 : real
      let times = max(1, count / corpus.syntheticPositives.count)
      for utterance in corpus.syntheticPositives {
        for _ in 0..<times { jobs.append(.keyword(utterance, .syntheticKeyword, .no)) }
        jobs.append(.part(utterance, .no))
      }
    }
    for start in stride(from: 0, to: corpus.syntheticNegatives.count, by: 5) {
      let row = Array(corpus.syntheticNegatives[start..<min(start + 5, corpus.syntheticNegatives.count)])
      jobs.append(.synthetic(row))
      if corpus.negatives.count < 1000 { jobs.append(.synthetic(row)) }
    }
    if !corpus.falseAlarms.isEmpty {
      let times = max(8, min(32, 640 / corpus.falseAlarms.count))
      for clip in corpus.falseAlarms {
        for index in 0..<times { jobs.append(.falseAlarm(clip, rendering: index)) }
      }
    }
    for _ in 0..<settings.noiseRenderings { jobs.append(.noise) }
    let budget = Int(settings.negativeHours * 360_000)
    let perJob = 6
    var used = 0
    var files: [Job] = []
    for start in stride(from: 0, to: corpus.negatives.count, by: perJob) {
      let row = Array(corpus.negatives[start..<min(start + perJob, corpus.negatives.count)])
      files.append(.files(row, .no))
    }
    let known = corpus.measuredSpeakers
    for start in stride(from: 0, to: known.count, by: perJob) {
      jobs.append(.files(Array(known[start..<min(start + perJob, known.count)]), .always))
    }
    let total = Double(jobs.count + files.count)
    var done = 0
    func render(_ batch: ArraySlice<Job>) {
      let batch = Array(batch)
      let first = done
      let results = Parallel.map(batch.count, threads: settings.threads) {
        renderer.render(batch[$0], first + $0)
      }
      done += batch.count
      for result in results {
        streams += result.streams
        negativeSeconds += result.seconds
        leftOut += result.leftOut
        if result.seconds > 0 { used += result.streams.reduce(0) { $0 + $1.vectors } }
      }
      progress(TrainingProgress(activity: "rendering features", part: Double(done) / total))
    }
    for start in stride(from: 0, to: jobs.count, by: 64) { render(jobs[start..<min(start + 64, jobs.count)]) }
    for start in stride(from: 0, to: files.count, by: 32) where used < budget {
      render(files[start..<min(start + 32, files.count)])
    }
    streams.removeAll { $0.vectors < windowVectors }
  }

  private enum Job: Sendable {
    case keyword(Corpus.Utterance, FeatureStream.Kind, HeldOut)
    case part(Corpus.Utterance, HeldOut)
    case synthetic([[Int16]])
    case files([String], HeldOut)
    case falseAlarm(FieldClip, rendering: Int)
    case noise
  }

  private struct RenderedJob: Sendable {
    var streams: [FeatureStream] = []
    var seconds = 0.0
    var leftOut: [String] = []
  }

  /// Renders jobs; safe on several threads.
  private struct JobRenderer: Sendable {
    let augmenter: Augmenter
    let settings: TrainingSettings
    let window: Int
    let random: RandomSource

    func render(_ job: Job, _ index: Int) -> RenderedJob {
      var random = random.stream(index)
      var result = RenderedJob()
      guard let renderer = try? FeatureRenderer(settings) else { return result }
      let least = (window * 4 / 3 + 8) * AudioFormat.frameLength
      func add(_ clip: Augmenter.AugmentedClip, _ kind: FeatureStream.Kind, hasWord: Bool = false) {
        var clip = clip
        let missing = least + clip.warmUp - clip.samples.count
        if missing > 0 { clip.samples += [Int16](repeating: 0, count: missing) }
        let warp = FeatureBank.warps[Int(random.next() % UInt64(FeatureBank.warps.count))]
        guard let (features, spans) = try? renderer.render(clip, warp: warp) else { return }
        result.streams.append(
          FeatureStream(
            kind: kind, features: features, vectors: features.count / settings.features.coefficients,
            word: hasWord ? spans[0] : nil))
        result.streams[result.streams.count - 1].embeddings = renderer.embeddings
      }
      func mark(_ utterance: Corpus.Utterance, _ heldOut: HeldOut) {
        guard !result.streams.isEmpty else { return }
        result.streams[result.streams.count - 1].group = stableHash(utterance.group)
        result.streams[result.streams.count - 1].heldOut = heldOut
      }
      switch job {
      case .keyword(let utterance, let kind, let heldOut):
        add(
          augmenter.keyword(
            Level.floats(utterance.samples), word: utterance.word, least: least, &random),
          kind, hasWord: true)
        mark(utterance, heldOut)
      case .part(let utterance, let heldOut):
        let word = utterance.word
        let isBeginning = random.chance(0.6)
        let cut =
          word.lowerBound + Int(Float(word.count) * random.uniform(isBeginning ? 0.25...0.62 : 0.45...0.75))
        let part = isBeginning ? word.lowerBound..<cut : cut..<word.upperBound
        let samples = Array(Level.floats(utterance.samples)[part])
        guard samples.count > 800 else { break }
        add(augmenter.keyword(samples, word: 0..<samples.count, least: least, &random), .part)
        mark(utterance, heldOut)
      case .synthetic(let clips):
        add(
          augmenter.background(Augmenter.row(clips.map(Level.floats), &random), &random), .syntheticSpeech)
      case .falseAlarm(let clip, let rendering):
        // As recorded, with other acoustics, and augmented like the phrase, so that only the words
        // distinguish them.
        let samples = Level.floats(clip.trained)
        let augmented =
          if rendering == 0 {
            Augmenter.AugmentedClip(samples: clip.trained, warmUp: 0, spans: [clip.word])
          } else if rendering % 2 == 0 {
            augmenter.background(samples, spans: [clip.word], &random)
          } else {
            augmenter.keyword(samples, word: clip.word, least: least, &random)
          }
        add(augmented, .falseAlarm, hasWord: true)
        for index in result.streams.indices { result.streams[index].heldOut = clip.heldOut }
      case .noise:
        add(augmenter.noise(seconds: 12, &random), .noise)
      case .files(let paths, let heldOut):
        var row: [[Float]] = []
        for path in paths {
          do {
            let source = try FileSource(path)
            var isFirst = true
            while true {
              let length = AudioFormat.samples(Double(random.uniform(8...20)))
              let piece = try source.samples(length)
              result.seconds += AudioFormat.seconds(piece.count)
              if isFirst, piece.count < AudioFormat.samples(3) {
                if piece.count > 1600 { row.append(Level.floats(piece)) }
              } else if piece.count > AudioFormat.samples(1) {
                add(augmenter.background(Level.floats(piece), &random), .speech)
              }
              isFirst = false
              if piece.count < length || result.seconds > settings.negativeHours * 3600 { break }
            }
          } catch {
            result.leftOut.append("\(error)")
          }
        }
        if !row.isEmpty {
          add(augmenter.background(Augmenter.row(row, &random), &random), .word)
        }
        for index in result.streams.indices {
          result.streams[index].heldOut = heldOut
          result.streams[index].source = AudioFolder.folder(of: paths[0])
        }
      }
      return result
    }
  }
}

extension FeatureBank {
  /// Returns the bank with the outputs of `encoder`, or their scores, in place of the features.
  package func encoded(
    by encoder: NetworkWeights, sounds: SoundScores? = nil, threads: Int
  ) -> FeatureBank {
    var bank = self
    let stride = encoder.shape.stride
    bank.hop = hop * stride
    bank.coefficients = encoder.shape.outputs
    bank.windowVectors = windowVectors / stride
    bank.streams = Parallel.map(streams.count, threads: threads) {
      streams[$0].encoded(by: encoder).scored(by: sounds)
    }
    return bank
  }

  /// Adds encoded streams that are long enough for windows.
  mutating func add(_ others: [FeatureStream]) {
    streams += others.filter { $0.vectors >= windowVectors }
  }
}

extension FeatureStream {
  package func encoded(by encoder: NetworkWeights) -> FeatureStream {
    let outputs = NetworkScorer.logits(encoder, features: features).map { Float16($0) }
    let stride = encoder.shape.stride
    var stream = FeatureStream(
      kind: kind, features: outputs, vectors: vectors / stride,
      word: word.map { $0.lowerBound / stride..<max($0.lowerBound / stride + 1, $0.upperBound / stride) })
    stream.source = source
    stream.embeddings = embeddings
    stream.group = group
    stream.heldOut = heldOut
    return stream
  }

  /// Returns the stream of an encoder's outputs with their scores in place of these.
  func scored(by sounds: SoundScores?) -> FeatureStream {
    guard let sounds else { return self }
    var stream = self
    stream.features = sounds.scores(of: features.map { Float($0) }).map { Float16($0) }
    return stream
  }
}
