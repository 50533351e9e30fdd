import AudioCapture
import Detection
import Evaluation
import PCM
import Platform

/// A trained encoder with its background, not yet written.
public struct TrainedEncoder: Sendable {
  public let encoder: PhonemeEncoder
  let background: Background
  let accuracy: HeldOutSounds.Accuracy

  /// The shares of steps with the correct sound in recordings of held-out speakers, in one line.
  public var summary: String {
    "\(Int(accuracy.clean * 100)) % of the sounds of held-out speakers are classified correctly, "
      + "\(Int(accuracy.augmented * 100)) % with noise and rooms"
  }

  /// Writes both into `folder`, each by rename.
  public func write(to folder: String) throws {
    try Files.write(encoder.encoded, to: "\(folder)/\(PretrainedEncoder.encoderFile)")
    try Files.write(background.encoded, to: "\(folder)/\(PretrainedEncoder.backgroundFile)")
  }
}

/// Trains the encoder for all hotwords on synthetic speech, whose sounds the synthesizers label, and on recordings, whose
/// sounds an encoder aligns: a given one, or a first one that is trained on the synthetic speech alone.
public enum EncoderTrainer {
  /// - Parameters:
  ///   - folder: where checkpoints and the curve of the accuracy are written.
  ///   - continues: whether to continue from the checkpoint in `folder`.
  /// - Throws: ``TrainingFault``, `SystemFault`, `DetectionFault`.
  public static func train(
    _ settings: EncoderSettings, in folder: String, continues: Bool,
    progress: @escaping (TrainingProgress) -> Void = { _ in }
  ) throws -> TrainedEncoder {
    let training = settings.training
    let lines = try settings.lines()
    var journal = EncoderJournal(folder: folder, settings: settings.json(lines: lines.count))
    let checkpoint =
      continues ? try journal.checkpoint(shape: settings.shape) : EncoderCheckpoint()
    let surroundings = settings.surroundings
    let corpus = try Corpus(background: surroundings)
    progress(TrainingProgress(activity: "synthesizing speech", part: 0))
    let synthetic = try SyntheticSpeech.clips(settings.utterances, seed: settings.seed)
    let augmenter = Augmenter(
      noise: NoiseSource(recordings: corpus.noise, speech: corpus.speech), speech: corpus.speech,
      noisyShare: 0.75, loudShare: 0.4, rooms: try settings.measuredRooms())
    func rows(_ clips: [LabelledClip], times: (Int) -> Int) throws -> PhonemeRows {
      try PhonemeRows(
        clips, times: times, augmenter: augmenter, settings: training, seconds: rowSeconds,
        least: windows(settings).frames + 10)
    }
    var teacher = checkpoint.teacher
    if teacher == nil, settings.aligner == nil {
      let first = try rows(synthetic) { _ in 1 }
      teacher =
        fit(
          first, settings, from: nil, checkpoint.fit, steps: settings.firstSteps, "a first encoder", progress
        ) { now, state in
          journal.note(now, EncoderCheckpoint(fit: state))
        }.network
      journal.save(EncoderCheckpoint(teacher: teacher))
    }
    func encoder(_ network: NetworkWeights, _ training: JSON = [:]) throws -> PhonemeEncoder {
      try PhonemeEncoder(
        frontEnd: surroundings.frontEnd, features: surroundings.features, network: network,
        phonemes: Phoneme.allCases.map { "\($0)" }, training: training)
    }
    let aligner = try settings.aligner ?? encoder(teacher!.folded())
    progress(TrainingProgress(activity: "aligning recordings", part: 0))
    let speech = try AlignedSpeech(lines, aligner, threads: settings.threads)
    let isHeldOut = { (recording: AlignedSpeech.Recording) in
      Split.isHeldOut(recording.line.speaker, share: settings.heldOutSpeakers)
    }
    let kept = speech.recordings.filter { !isHeldOut($0) }
    let heldOut = try HeldOutSounds(
      speech.recordings.filter { isHeldOut($0) && $0.line.words.count > 3 }.map(\.clip),
      augmenter: augmenter, settings: training, windows: windows(settings), seconds: rowSeconds)
    let times = Self.weights(synthetic, kept)
    let all = try rows(synthetic + kept.map(\.clip)) { times[$0] }
    let isContinued = checkpoint.teacher != nil || settings.aligner != nil
    let start = settings.start.map { TrainableNetwork($0.network) } ?? teacher
    let last = fit(
      all, settings, from: start, isContinued ? checkpoint.fit : nil, steps: settings.steps, "the encoder",
      progress
    ) { now, state in
      journal.note(now, EncoderCheckpoint(teacher: teacher, fit: state), heldOut)
    }
    let network = last.weights.inHalfPrecision.inEightBits
    let accuracy = heldOut.accuracy(network)
    let result = try encoder(
      network,
      [
        "synthetic": .number(Double(synthetic.count)), "recordings": .number(Double(kept.count)),
        "steps": .number(Double((settings.aligner == nil ? settings.firstSteps : 0) + settings.steps)),
        "from": settings.start?.training ?? .null,
        "seed": .number(Double(settings.seed)), "heldOutAccuracy": .rounded(accuracy.clean, digits: 3),
        "heldOutAccuracyAugmented": .rounded(accuracy.augmented, digits: 3),
      ])
    progress(TrainingProgress(activity: "encoding the background", part: 0))
    var background = try Background(
      corpus, result, settings.embedding, surroundings, heldOutHours: settings.heldOutHours)
    background.streams += try AlignedStreams.encoded(speech.recordings, corpus, result, settings)
    return TrainedEncoder(encoder: result, background: background, accuracy: accuracy)
  }

  /// Returns how often each clip is drawn, in relation to the others.
  ///
  /// The share of a speaker is the square root of the seconds that were recorded of them, because more of the same voice
  /// teaches little. Single words, which many recordings share, count a fifth. A quarter is synthetic.
  static func weights(_ synthetic: [LabelledClip], _ recordings: [AlignedSpeech.Recording]) -> [Int] {
    var seconds: [String: Double] = [:]
    for recording in recordings {
      seconds[recording.line.speaker, default: 0] += AudioFormat.seconds(recording.clip.samples.count)
    }
    let scale = 10_000.0
    let real = recordings.map { recording in
      scale * (recording.line.words.count > 3 ? 1 : 0.2) / seconds[recording.line.speaker]!.squareRoot()
    }
    let share = zip(real, recordings).reduce(0) {
      $0 + $1.0 * AudioFormat.seconds($1.1.clip.samples.count)
    }
    let total = synthetic.reduce(0) { $0 + AudioFormat.seconds($1.samples.count) }
    let weight = recordings.isEmpty ? scale : share / 3 / max(1, total)
    return ([Double](repeating: weight, count: synthetic.count) + real).map { max(1, Int($0)) }
  }

  /// Makes the background of an existing encoder.
  ///
  /// - Parameter settings: the negatives and the noise.
  /// - Throws: ``TrainingFault``, `SystemFault`, `DetectionFault`.
  public static func writeBackground(
    of encoder: PhonemeEncoder, _ settings: EncoderSettings, to folder: String,
    progress: (TrainingProgress) -> Void = { _ in }
  ) throws {
    var surroundings = settings.surroundings
    surroundings.frontEnd = encoder.frontEnd
    surroundings.features = encoder.features
    progress(TrainingProgress(activity: "aligning recordings", part: 0))
    let speech = try AlignedSpeech(settings.lines(), encoder, threads: settings.threads)
    progress(TrainingProgress(activity: "encoding the background", part: 0))
    let corpus = try Corpus(background: surroundings)
    var background = try Background(
      corpus, encoder, settings.embedding, surroundings, heldOutHours: settings.heldOutHours)
    background.streams += try AlignedStreams.encoded(speech.recordings, corpus, encoder, settings)
    try Files.write(background.encoded, to: "\(folder)/\(PretrainedEncoder.backgroundFile)")
  }

  /// Makes the bands of recordings and of noise, which are the same for every encoder.
  ///
  /// - Parameters:
  ///   - settings: the transcripts and the noise.
  ///   - encoder: aligns the recordings.
  /// - Throws: ``TrainingFault``, `SystemFault`, `DetectionFault`.
  public static func writeBands(
    _ settings: EncoderSettings, alignedBy encoder: PhonemeEncoder, to folder: String,
    progress: (TrainingProgress) -> Void = { _ in }
  ) throws {
    progress(TrainingProgress(activity: "aligning recordings", part: 0))
    let speech = try AlignedSpeech(settings.lines(), encoder, threads: settings.threads)
    progress(TrainingProgress(activity: "computing bands", part: 0))
    let noise = try Corpus(background: settings.surroundings).noise
    let bands = SpeechBands(speech.recordings, noise: noise, seed: settings.seed, threads: settings.threads)
    try Files.write(bands.encoded, to: "\(folder)/\(PretrainedEncoder.bandsFile)")
  }

  /// Seconds of speech in a row of clips with one background.
  static let rowSeconds = 12.0

  static func windows(_ settings: EncoderSettings) -> PhonemeWindows.Settings {
    var windows = PhonemeWindows.Settings(
      lookAhead: PhonemeEncoder.standardLookAhead, seed: settings.seed &+ 1)
    windows.stride = settings.shape.stride
    return windows
  }

  private static func fit(
    _ rows: PhonemeRows, _ settings: EncoderSettings, from start: TrainableNetwork?, _ state: FitState?,
    steps: Int, _ what: String, _ progress: (TrainingProgress) -> Void,
    note: (FitProgress, FitState) -> Void
  ) -> FitResult {
    var fit = FitSettings(steps: steps, seed: settings.seed)
    fit.peakLearningRate = start == nil ? 0.004 : 0.003
    return Fit.run(
      shape: settings.shape, from: start, continuing: state, source: PhonemeWindows(rows, windows(settings)),
      settings: fit, threads: settings.threads
    ) { now, state in
      if now.step % 10 == 0 {
        progress(
          TrainingProgress(
            activity: "training \(what)", part: Double(now.step) / Double(steps), secondsLeft: now.secondsLeft
          ))
      }
      note(now, state)
      return true
    }
  }
}

/// The data and the duration of an encoder's training.
public struct EncoderSettings: Sendable {
  /// The folders in which the recordings of ``transcripts`` are looked up, besides that of each list.
  public var recordings: [String] = []
  /// The paths of the lists of transcripts; see `Transcripts`.
  public var transcripts: [String] = []
  /// Folders with speech and other audio that no training has as its phrase, for the background.
  public var negatives: [String] = []
  /// Folders with background noise to mix in.
  public var noise: [String] = []
  /// Folders with recorded impulse responses of rooms.
  public var rooms: [String] = []
  /// The encoder that aligns the recordings; nil to train one on synthetic speech.
  public var aligner: PhonemeEncoder?
  /// The embedding of the background for second stages.
  public var embedding: SpeechEmbedding?
  /// The encoder of the same shape whose weights the training begins with; nil to begin with random ones.
  public var start: PhonemeEncoder?
  /// The share of the speakers with transcripts on whom the accuracy is measured, 0…0.5.
  public var heldOutSpeakers = 0.08
  /// The number of synthetic utterances.
  public var utterances = 8000
  /// The optimizer steps on synthetic speech alone, for the alignment, and then on all data.
  public var firstSteps = 1200
  public var steps = 5000
  /// The hours of background to train on, and to set thresholds on.
  public var backgroundHours = 8.0
  public var heldOutHours = 4.0
  /// The hours of recordings with their sounds, from which phrases are joined.
  public var alignedHours = 4.0
  public var seed: UInt64 = 1
  public var shape: NetworkShape
  public var threads = 2

  public init() {
    shape = try! NetworkShape(
      channels: 160, dilations: [1, 2, 1, 2, 4, 1, 2, 4], outputs: Phoneme.allCases.count)
  }

  /// The settings that determine the result, for checkpoints.
  func json(lines: Int) -> JSON {
    [
      "recordings": .number(Double(lines)), "utterances": .number(Double(utterances)),
      "firstSteps": .number(Double(firstSteps)), "steps": .number(Double(steps)),
      "seed": .number(Double(seed)), "shape": shape.json,
      "noise": .array(noise.map { .string($0) }), "negatives": .array(negatives.map { .string($0) }),
      "rooms": .array(rooms.map { .string($0) }), "heldOutSpeakers": .number(heldOutSpeakers),
      "aligner": aligner.map { .string(Background.identity(of: $0.network)) } ?? .null,
      "start": start.map { .string(Background.identity(of: $0.network)) } ?? .null,
    ]
  }

  /// The settings of the background.
  var surroundings: TrainingSettings {
    var surroundings = training
    surroundings.negatives = negatives
    surroundings.negativeHours = backgroundHours
    return surroundings
  }

  /// Returns the transcripts of all recordings.
  func lines() throws -> [Transcripts.Line] {
    try transcripts.flatMap { try Transcripts($0, in: recordings).lines }
  }

  func measuredRooms() throws -> [RoomResponse] {
    try rooms.flatMap { try AudioFolder($0, use: "rooms").clips }.compactMap { clip in
      RoomResponse(recording: Level.floats(try AudioFile.read(clip.path)))
    }
  }

  /// The corresponding settings of a hotword's training, with its front end and features.
  var training: TrainingSettings {
    var settings = TrainingSettings(phrase: "encoder")
    settings.frontEnd.noiseSuppression = .off
    settings.noise = noise
    settings.seed = seed
    settings.threads = threads
    return settings
  }
}

/// Labelled synthetic speech: dictionary words and sentences, by voices of many languages.
enum SyntheticSpeech {
  /// Languages whose letter-to-sound rules pronounce English words with other sounds and rhythm.
  private static let languages = ["de", "nl", "fr", "es", "it", "pl", "sv", "pt-br", "ro", "cs", "fi", "tr"]

  /// - Throws: ``TrainingFault/noSynthesizer(_:)``.
  static func clips(_ count: Int, seed: UInt64) throws(TrainingFault) -> [LabelledClip] {
    let synthesizer = try Synthesizer()
    let words = Pronunciations()?.entries.map(\.word) ?? Sentences.words
    let root = RandomSource(seed: seed).stream(3)
    var clips: [LabelledClip] = []
    for index in 0..<count {
      var random = root.stream(index)
      var voice = SynthesisVoice.random(&random, isLabelled: true)
      if random.chance(0.3), case .espeak(let name) = voice.engine {
        let language = languages[Int(random.next() % UInt64(languages.count))]
        voice.engine = .espeak(language + name.drop { $0 != "+" })
      }
      let text =
        random.chance(0.2)
        ? Sentences.all[Int(random.next() % UInt64(Sentences.all.count))]
        : (0..<(1 + Int(random.next() % 6))).map { _ in words[Int(random.next() % UInt64(words.count))] }
          .joined(separator: " ")
      let speech = synthesizer.pronounce(text, voice)
      guard speech.samples.count > AudioFormat.samples(0.2) else { continue }
      clips.append(LabelledClip(samples: Level.integers(speech.samples), phonemes: speech.phonemes))
    }
    return clips
  }
}
