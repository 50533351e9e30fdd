import Detection
import Evaluation
import Glibc
import Platform

/// Phrases joined from pieces of ``SpeechBands``, as embeddings, for the training of a second stage.
///
/// Pieces are joined without the mean spectrum of their recording. The whole then gets that of one of the recordings, another vocal tract and level, and often a room
/// and noise: all in the bands, so nothing is computed again but the embeddings.
struct JoinedBands: Sendable {
  /// The embeddings around the end of a phrase or of something similar: any ``SecondStage/window`` in a row end while a proposal is held.
  struct Utterance: Sendable {
    let isPhrase: Bool
    let embeddings: [Float16]
  }

  private let speech: JoinedSpeech
  /// The mean spectrum of each recording.
  private let spectra: [[Float]]
  private let noise: [FeatureStream]

  /// The rows of 10 ms after the end of what is said at which the first and the last window may end.
  private static let ends = 4...30
  private static let width = SpeechEmbedding.bands

  /// - Parameter bands: consumed, because it takes a hundred megabytes.
  init(_ bands: consuming SpeechBands) {
    noise = bands.streams.filter { $0.kind == .noise }
    bands.streams.removeAll { $0.sounds.isEmpty }
    spectra = bands.streams.map(Self.spectrum)
    for index in bands.streams.indices {
      for place in bands.streams[index].features.indices {
        bands.streams[index].features[place] -= Float16(spectra[index][place % Self.width])
      }
    }
    speech = JoinedSpeech(bands: bands.streams)
  }
}

extension JoinedBands {
  /// Returns phrases, and as many parts of it and similar phrases; none if they cannot be joined.
  ///
  /// - Parameter readings: the pronunciations of the phrase, each as the sounds of its words.
  func utterances(of readings: [[[Phoneme]]], _ settings: TrainingSettings) -> [Utterance] {
    guard let embedding = settings.embedding else { return [] }
    let count = settings.joinedBands
    let root = RandomSource(seed: settings.seed).stream(9)
    return Parallel.map(2 * count, threads: settings.threads) { index in
      var random = root.stream(index)
      return utterance(of: readings, isPhrase: index < count, embedding, &random)
    }.compactMap { $0 }
  }

  private func utterance(
    of readings: [[[Phoneme]]], isPhrase: Bool, _ embedding: PackedEmbedding, _ random: inout RandomSource
  ) -> Utterance? {
    let reach = SpeechEmbedding.reach + (SecondStage.window - 1) * SpeechEmbedding.hop
    let count = reach + Self.ends.count - 1
    let joined = speech.utterance(
      of: readings, isPhrase: isPhrase, least: (reach + Self.ends.upperBound) / SpeechBands.stride, &random)
    guard let joined, !spectra.isEmpty else { return nil }
    let end = joined.said.upperBound * SpeechBands.stride
    let first = end + Self.ends.lowerBound - reach
    var rows = BandRows(joined.stream, from: first, count: count)
    let said = max(0, joined.said.lowerBound * SpeechBands.stride - first)..<end - first
    rows.add(spectra[Int(random.next() % UInt64(spectra.count))])
    rows.warp(by: Float(FeatureBank.warps[Int(random.next() % UInt64(FeatureBank.warps.count))]))
    if random.chance(0.5) { rows.reverberate(&random) }
    rows.colour(&random)
    if !noise.isEmpty, random.chance(0.75) {
      let source = noise[Int(random.next() % UInt64(noise.count))]
      let most = max(1, source.vectors * SpeechBands.stride - count)
      let start = Int(random.next() % UInt64(most))
      rows.mix(
        BandRows(source, from: start, count: count), ratio: random.uniform(-2...25), measuredIn: said)
    }
    return Utterance(isPhrase: isPhrase, embeddings: rows.embeddings(by: embedding))
  }

  /// Returns the mean of the loudest rows of a stream.
  static func spectrum(of stream: FeatureStream) -> [Float] {
    let levels = (0..<stream.vectors).map { level(of: $0, stream) }.sorted()
    guard !levels.isEmpty else { return [Float](repeating: 0, count: width) }
    let limit = levels[levels.count * 6 / 10]
    var sum = [Float](repeating: 0, count: width)
    var count: Float = 0
    for row in 0..<stream.vectors where level(of: row, stream) >= limit {
      for band in 0..<width { sum[band] += Float(stream.features[row * width + band]) }
      count += 1
    }
    return sum.map { $0 / count }
  }

  private static func level(of row: Int, _ stream: FeatureStream) -> Float {
    stream.features[row * width..<(row + 1) * width].reduce(0) { $0 + Float($1) }
  }
}
