import Detection

/// Recordings with the sound of each step, as encoder outputs: the part of the background that phrases are joined from.
enum AlignedStreams {
  /// Returns hours of `recordings` in rows, augmented like a phrase, with speakers weighted as for the encoder.
  ///
  /// - Throws: `SystemFault`, ``TrainingFault``, `FrontEndFault`, `DetectionFault`.
  static func encoded(
    _ recordings: [AlignedSpeech.Recording], _ corpus: Corpus, _ encoder: PhonemeEncoder,
    _ settings: EncoderSettings
  ) throws -> [FeatureStream] {
    guard !recordings.isEmpty else { return [] }
    var training = settings.training
    training.frontEnd = encoder.frontEnd
    training.features = encoder.features
    training.embedding = settings.embedding.map { PackedEmbedding($0) }
    // Other rows than those of the encoder's training.
    training.seed &+= 2
    let augmenter = Augmenter(
      noise: NoiseSource(recordings: corpus.noise, speech: corpus.speech), speech: corpus.speech,
      rooms: try settings.measuredRooms())
    let weights = EncoderTrainer.weights([], recordings)
    let rows = try PhonemeRows(
      recordings.map(\.clip), times: { weights[$0] }, augmenter: augmenter, settings: training,
      seconds: EncoderTrainer.rowSeconds, least: EncoderTrainer.windows(settings).frames + 10)
    let count = Int(settings.alignedHours * 3600 / EncoderTrainer.rowSeconds)
    return rows.render(Array(0..<count)).map { stream($0, encoder) }
  }

  private static func stream(_ row: PhonemeRows.Stream, _ encoder: PhonemeEncoder) -> FeatureStream {
    let stride = encoder.network.shape.stride
    var stream = FeatureStream(
      kind: .speech, features: row.features, vectors: row.labels.count, word: nil
    ).encoded(by: encoder.network)
    stream.embeddings = row.embeddings
    stream.sounds = (0..<stream.vectors).map { step in
      let vector = (step + 1) * stride - 1 - encoder.lookAhead
      return vector < 0 ? Target.unlabelled : row.labels[vector]
    }
    return stream
  }
}
