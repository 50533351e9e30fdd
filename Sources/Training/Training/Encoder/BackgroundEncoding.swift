import AudioCapture
import Detection
import Evaluation
import PCM
import Platform

extension Background {
  /// Encodes the speech and noise of `corpus`.
  ///
  /// - Parameters:
  ///   - embedding: of the second stage, if it will be trained.
  ///   - settings: of the training; its front end and features are those of `encoder`.
  ///   - heldOutHours: the maximum hours of held-out speech; every other recording is in noise at 10 dB.
  /// - Throws: ``TrainingFault``, `FrontEndFault`, `DetectionFault`.
  package init(
    _ corpus: Corpus, _ encoder: PhonemeEncoder, _ embedding: SpeechEmbedding?, _ settings: TrainingSettings,
    heldOutHours: Double
  ) throws {
    var settings = settings
    settings.embedding = embedding.map { PackedEmbedding($0) }
    let network = encoder.network
    let bank = try FeatureBank(corpus, settings) { _ in }.encoded(by: network, threads: settings.threads)
    var streams = bank.streams
    let negatives = HeldOutNegatives(corpus, encoder, settings)
    negatives.each(hours: heldOutHours) { recording in
      var stream = FeatureStream(
        kind: .speech, features: recording.outputs,
        vectors: recording.outputs.count / network.shape.outputs, word: nil)
      stream.heldOut = .always
      stream.source = recording.source
      stream.embeddings = recording.embeddings
      streams.append(stream)
    }
    self.init(
      streams: streams, encoder: Self.identity(of: network),
      embedding: embedding.map { Self.identity(of: $0.tensors) } ?? "")
  }
}

/// The held-out speech without the phrase as a service hears it: every other recording in noise that has been running.
struct HeldOutNegatives {
  /// One recording.
  struct Recording: Sendable {
    let path: String
    /// The folder that contains it.
    let source: String
    let seconds: Double
    /// The outputs of the encoder during the recording.
    let outputs: [Float16]
    /// As of a ``FeatureStream``.
    let embeddings: [Float16]
  }

  private let paths: [String]
  private let noise: NoiseSource
  private let encoder: PhonemeEncoder
  private let settings: TrainingSettings

  private static let ratio: Float = 10
  private static let longest = 600.0
  private static let block = 64

  /// - Parameter settings: its front end and features are those of `encoder`.
  init(_ corpus: Corpus, _ encoder: PhonemeEncoder, _ settings: TrainingSettings) {
    paths = corpus.heldOutNegatives
    noise = NoiseSource(
      recordings: corpus.heldOutNoise.isEmpty ? corpus.noise : corpus.heldOutNoise, speech: corpus.speech)
    self.encoder = encoder
    self.settings = settings
  }

  /// Calls `use` with each recording, in order, up to `hours`, and before each block of them `progress` with the share of
  /// the files that is done.
  func each(hours: Double, progress: (Double) -> Void = { _ in }, use: (Recording) -> Void) {
    var left = hours * 3600
    for start in stride(from: 0, to: paths.count, by: Self.block) where left > 0 {
      progress(Double(start) / Double(paths.count))
      let found = Parallel.map(min(Self.block, paths.count - start), threads: settings.threads) {
        recording(start + $0)
      }
      for recording in found.compactMap({ $0 }) where left > 0 {
        use(recording)
        left -= recording.seconds
      }
    }
  }

  private func recording(_ index: Int) -> Recording? {
    let path = paths[index]
    guard var samples = try? FileSource(path).samples(AudioFormat.samples(Self.longest)),
      let renderer = try? FeatureRenderer(settings)
    else { return nil }
    let seconds = AudioFormat.seconds(samples.count)
    let isNoisy = index % 2 == 1
    if isNoisy {
      var random = RandomSource(seed: stableHash(path))
      let noise = noise.draw(RunningNoise.lead + samples.count, &random)
      samples = RunningNoise.mix(samples, noise, ratio: Self.ratio)
    }
    guard let features = try? renderer.render(samples) else { return nil }
    var outputs = NetworkScorer.logits(encoder.network, features: features).map { Float16($0) }
    var embeddings = renderer.embeddings
    if isNoisy {
      let steps = RunningNoise.lead / (encoder.network.shape.stride * AudioFormat.frameLength)
      outputs.removeFirst(min(outputs.count, steps * encoder.network.shape.outputs))
      let hops = RunningNoise.lead / (SpeechEmbedding.hop * AudioFormat.frameLength)
      embeddings.removeFirst(min(embeddings.count, hops * SpeechEmbedding.outputs))
    }
    guard !outputs.isEmpty else { return nil }
    return Recording(
      path: path, source: AudioFolder.folder(of: path), seconds: seconds, outputs: outputs,
      embeddings: embeddings)
  }
}
