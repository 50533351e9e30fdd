import Detection
import Evaluation
import FrontEnd
import PCM
import Platform

/// Trains the encoder for command recognition. It has a longer look-ahead than the hotword encoder, processes
/// the raw stream, and is trained with more noise.
///
/// The hotword encoder aligns the recordings, so train that one first.
public enum CommandEncoderTrainer {
  /// The settings of the shipped encoder; about half an hour of processor time.
  public static let settings: EncoderSettings = {
    var settings = EncoderSettings()
    settings.utterances = 4000
    settings.steps = 8000
    settings.shape = try! NetworkShape(
      channels: 224, dilations: [1, 2, 1, 2, 4, 1, 2, 4], outputs: Phoneme.allCases.count)
    return settings
  }()

  /// The look-ahead in vectors of 10 ms.
  static let lookAhead = 24

  /// - Throws: ``TrainingFault``, `SystemFault`, `DetectionFault`.
  public static func train(
    _ settings: EncoderSettings, progress: @escaping (TrainingProgress) -> Void = { _ in }
  ) throws -> PhonemeEncoder {
    let teacher = try settings.aligner ?? PretrainedEncoder().encoder
    var training = settings.training
    training.negatives = settings.negatives
    let corpus = try Corpus(background: training)
    progress(TrainingProgress(activity: "aligning recordings", part: 0))
    let lines = try settings.lines()
    let speech = try AlignedSpeech(lines, teacher, threads: settings.threads)
    progress(TrainingProgress(activity: "synthesizing speech", part: 0))
    let synthetic = try SyntheticSpeech.clips(settings.utterances, seed: settings.seed)
    training.frontEnd = .bypass
    let augmenter = Augmenter(
      noise: NoiseSource(recordings: corpus.noise, speech: corpus.speech), speech: corpus.speech,
      noisyShare: 0.8, loudShare: 0.4, coldShare: 1, rooms: try settings.measuredRooms())
    let clips = synthetic + speech.recordings.map(\.clip)
    let times =
      [Int](repeating: 1, count: synthetic.count)
      + speech.recordings.map { repeats($0.line, of: $0.clip.samples.count) }
    // The recognizer starts anew with each command: one clip a row, without a warm-up.
    var windows = PhonemeWindows.Settings(lookAhead: lookAhead, seed: settings.seed &+ 1)
    windows.stride = settings.shape.stride
    windows.rows = 12_000
    windows.renewed = 200
    let rows = try PhonemeRows(
      clips, times: { times[$0] }, augmenter: augmenter, settings: training, seconds: 0,
      least: windows.frames + 10)
    var fit = FitSettings(steps: settings.steps, seed: settings.seed)
    fit.peakLearningRate = 0.004
    let source = PhonemeWindows(rows, windows)
    let result = Fit.run(shape: settings.shape, source: source, settings: fit, threads: settings.threads) {
      now in
      if now.step % 10 == 0 {
        progress(
          TrainingProgress(
            activity: "training", part: Double(now.step) / Double(now.steps), secondsLeft: now.secondsLeft))
      }
      return true
    }
    return try PhonemeEncoder(
      frontEnd: training.frontEnd, features: training.features, network: result.weights,
      phonemes: Phoneme.allCases.map { "\($0)" }, lookAhead: lookAhead,
      training: [
        "synthetic": .number(Double(synthetic.count)), "recordings": .number(Double(speech.recordings.count)),
        "steps": .number(Double(settings.steps)), "seed": .number(Double(settings.seed)),
      ])
  }

  /// Returns how often a recording is augmented: short sentences often, single words once because thousands
  /// of recordings share them, long readings a few times.
  private static func repeats(_ line: Transcripts.Line, of samples: Int) -> Int {
    line.words.count <= 3 ? 1 : samples < AudioFormat.samples(11) ? 20 : 5
  }
}
