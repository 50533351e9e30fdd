import Detection

extension Background {
  /// Encodes the speech and noise of `corpus`.
  ///
  /// - Parameters:
  ///   - embedding: of the second stage, if it will be trained.
  ///   - settings: of the training; its front end and features are those of `encoder`.
  ///   - heldOutHours: the maximum hours of held-out speech, half of it in noise; see ``HeldOutNegatives``.
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
