import AudioCapture
import Detection
import Evaluation
import PCM
import Platform

/// The held-out speech without the phrase as a service hears it that has been running.
///
/// A few clips of a folder follow each other in one recording. Every other recording is in noise, which begins ``RunningNoise/lead``
/// before it.
struct HeldOutNegatives {
  /// Clips of a folder, one after the other.
  struct Recording: Sendable {
    let clips: [Clip]
    /// The folder that contains them.
    let source: String
    /// The outputs of the encoder during the clips.
    let outputs: [Float16]
    /// As of a ``FeatureStream``.
    let embeddings: [Float16]
    var seconds: Double { clips.reduce(0) { $0 + $1.seconds } }
  }

  struct Clip: Sendable {
    let path: String
    let seconds: Double
    /// Those of the encoder.
    let steps: Range<Int>
  }

  private var groups: [[String]] = []
  private let noise: NoiseSource
  private let encoder: PhonemeEncoder
  private let settings: TrainingSettings

  /// The most clips of a group, and the seconds after which a recording takes no more of them.
  private static let most = 8
  private static let enough = 60.0
  private static let longestClip = 600.0
  /// The level of the loudest speech above the noise, in dB.
  private static let ratio: Float = 10
  /// The groups that are read at once.
  private static let block = 16
  /// The samples to whose multiples clips are padded: as many as an embedding's hop, whole steps of the encoder.
  private static let unit = SpeechEmbedding.hop * AudioFormat.frameLength

  /// - Parameter settings: its front end and features are those of `encoder`.
  init(_ corpus: Corpus, _ encoder: PhonemeEncoder, _ settings: TrainingSettings) {
    noise = NoiseSource(
      recordings: corpus.heldOutNoise.isEmpty ? corpus.noise : corpus.heldOutNoise, speech: corpus.speech)
    self.encoder = encoder
    self.settings = settings
    var last: [String: Int] = [:]
    for path in corpus.heldOutNegatives {
      let folder = AudioFolder.folder(of: path)
      if let index = last[folder], groups[index].count < Self.most {
        groups[index].append(path)
      } else {
        last[folder] = groups.count
        groups.append([path])
      }
    }
  }

  /// Calls `use` with each recording, in order, up to `hours`, and before each block of them `progress` with the share of
  /// the files that is done.
  func each(hours: Double, progress: (Double) -> Void = { _ in }, use: (Recording) -> Void) {
    var left = hours * 3600
    for start in stride(from: 0, to: groups.count, by: Self.block) where left > 0 {
      progress(Double(start) / Double(groups.count))
      let found = Parallel.map(min(Self.block, groups.count - start), threads: settings.threads) {
        recordings(start + $0)
      }
      for recording in found.joined() where left > 0 {
        use(recording)
        left -= recording.seconds
      }
    }
  }

  /// Returns the recordings of a group: one, or if its clips are long, several.
  private func recordings(_ index: Int) -> [Recording] {
    let source = AudioFolder.folder(of: groups[index][0])
    let step = encoder.network.shape.stride * AudioFormat.frameLength
    var recordings: [Recording] = []
    var clips: [Clip] = []
    var samples: [Int16] = []
    func finish() {
      if let recording = recording(clips, samples, source, isNoisy: index % 2 == 1) {
        recordings.append(recording)
      }
      clips = []
      samples = []
    }
    for path in groups[index] {
      guard let clip = try? FileSource(path).samples(AudioFormat.samples(Self.longestClip)), !clip.isEmpty
      else { continue }
      let start = samples.count
      samples += clip
      samples += [Int16](repeating: 0, count: (Self.unit - clip.count % Self.unit) % Self.unit)
      clips.append(
        Clip(path: path, seconds: AudioFormat.seconds(clip.count), steps: start / step..<samples.count / step)
      )
      if AudioFormat.seconds(samples.count) >= Self.enough { finish() }
    }
    finish()
    return recordings
  }

  private func recording(_ clips: [Clip], _ samples: [Int16], _ source: String, isNoisy: Bool) -> Recording? {
    guard let first = clips.first, let renderer = try? FeatureRenderer(settings) else { return nil }
    var heard = samples
    if isNoisy {
      var random = RandomSource(seed: stableHash(first.path))
      let noise = noise.draw(RunningNoise.lead + samples.count, &random)
      heard = RunningNoise.mix(samples, noise, ratio: Self.ratio)
    }
    guard let features = try? renderer.render(heard) else { return nil }
    var outputs = NetworkScorer.logits(encoder.network, features: features).map { Float16($0) }
    var embeddings = renderer.embeddings
    if isNoisy {
      let shape = encoder.network.shape
      let steps = RunningNoise.lead / (shape.stride * AudioFormat.frameLength)
      outputs.removeFirst(min(outputs.count, steps * shape.outputs))
      embeddings.removeFirst(min(embeddings.count, RunningNoise.lead / Self.unit * SpeechEmbedding.outputs))
    }
    return Recording(clips: clips, source: source, outputs: outputs, embeddings: embeddings)
  }
}
