import Detection
import Evaluation
import Glibc
import PCM
import Platform

/// Recorded speech with the sound of each step of 20 ms, and noise, as the bands that an embedding reads.
///
/// A second stage learns a phrase also from pieces of this speech: see ``JoinedBands``. The numbers are decimal logarithms of the power in a band,
/// in steps of 0.3 (3 dB): the file is coded like the background.
package struct SpeechBands: Sendable {
  /// Rows of ``SpeechEmbedding/bands``. Speech has sounds, noise has none.
  package var streams: [FeatureStream]

  /// The frames of 10 ms in a step.
  static let stride = 2
  /// The most hours of speech.
  private static let hours = 11.0
  /// Recordings of single words repeat few pairs of sounds.
  private static let leastWords = 4

  package init(streams: [FeatureStream]) { self.streams = streams }

  /// Takes recordings of sentences, those of speakers with less speech more often, and pieces of noise, −1…1.
  init(_ recordings: [AlignedSpeech.Recording], noise: [[Float]], seed: UInt64, threads: Int) {
    var random = RandomSource(seed: seed)
    let sentences = recordings.filter { $0.line.words.count >= Self.leastWords }
    let weights = EncoderTrainer.weights([], sentences)
    // A. Efraimidis and P. Spirakis, "Weighted random sampling with a reservoir", 2006.
    let order = sentences.indices.map { (logf(random.uniform() + 1e-9) / Float(weights[$0]), $0) }
      .sorted { $0 > $1 }.map(\.1)
    var left = AudioFormat.samples(Self.hours * 3600)
    let speech = order.map { sentences[$0].clip }.prefix {
      left -= $0.samples.count
      return left >= 0
    }
    streams =
      Parallel.map(speech.count, threads: threads) { Self.stream(speech[$0]) }
      + Parallel.map(noise.count, threads: threads) {
        Self.stream(LabelledClip(samples: Level.integers(noise[$0]), phonemes: []), kind: .noise)
      }
  }

  /// Returns every second row of a clip; its label is that of the middle of its window.
  private static func stream(_ clip: LabelledClip, kind: FeatureStream.Kind = .speech) -> FeatureStream {
    let bands = EmbeddingBands()
    let length = AudioFormat.frameLength
    var features: [Float16] = []
    var sounds: [UInt8] = []
    var rows = 0
    var span = 0
    clip.samples.withUnsafeBufferPointer { samples in
      for frame in 0..<samples.count / length {
        let isRow = bands.push(
          UnsafeBufferPointer(rebasing: samples[frame * length..<(frame + 1) * length]))
        guard isRow else { continue }
        rows += 1
        guard rows % stride == 1 else { continue }
        for value in bands.row { features.append(Float16(value)) }
        let middle = (frame + 1) * length - AudioFormat.samples(0.0125)
        while span < clip.phonemes.count, clip.phonemes[span].samples.upperBound <= middle { span += 1 }
        let isLabelled = span < clip.phonemes.count && clip.phonemes[span].samples.contains(middle)
        sounds.append(isLabelled ? clip.phonemes[span].phoneme.rawValue : Target.unlabelled)
      }
    }
    var stream = FeatureStream(
      kind: kind, features: features, vectors: features.count / SpeechEmbedding.bands, word: nil)
    if kind == .speech { stream.sounds = sounds }
    return stream
  }
}

extension SpeechBands {
  private static let coding = StreamFile.Coding(format: "hotword-bands-1", perUnit: 1 / 0.3, range: 0...63)

  /// The contents of its file.
  var encoded: [UInt8] { StreamFile(streams: streams).encoded(Self.coding) }

  /// Reads the file at `path`.
  ///
  /// - Throws: `SystemFault`, ``TrainingFault/badBackground(path:defect:)``.
  package init(reading path: String) throws {
    let file = try StreamFile(reading: path, Self.coding)
    guard (file.streams.allSatisfy { $0.features.count == $0.vectors * SpeechEmbedding.bands }) else {
      throw TrainingFault.badBackground(path: path, defect: StreamFile.otherVersion)
    }
    streams = file.streams
  }
}
