import AudioCapture
import Corpora
import Detection
import Glibc
import PCM
import Platform

/// The data for an evaluation.
public struct EvaluationSettings: Sendable {
  /// Folders with recordings of the phrase, one utterance per file.
  public var positives: [String] = []
  /// Folders with audio without the phrase; the folders in them are the kinds of audio.
  public var negatives: [String] = []
  /// Folders with noise to mix into the recordings of the phrase; clean recordings are always evaluated too.
  public var noise: [String] = []
  /// The signal-to-noise ratios in dB, by the loudest 128 ms of either; each is a condition of its own.
  public var snrs: [Double] = [10]
  /// The seed for the choice of noise.
  public var seed: UInt64 = 1
  public var threads = 2

  public init() {}
}

/// Evaluates a model by the scores that the detection service would compute.
///
/// Each file is processed by a fresh detector and is followed by the silence that `KeywordSpotter.tail`
/// requires. A recording of the phrase follows six seconds of silence or of the noise: see ``RunningNoise``. It is detected if the highest score in its ``DetectionWindow`` reaches
/// the threshold: at most one detection per recording. All noise levels use the same noise. In audio without
/// the phrase, every score peak that is at least the refractory time away from a higher one is a false alarm
/// at thresholds up to its height.
public enum Evaluator {
  /// - Parameter progress: receives the completed share, 0…1.
  /// - Throws: ``EvaluationFault``, `SystemFault`, `DetectionFault`.
  public static func run(
    _ model: HotwordModel, _ settings: EvaluationSettings, progress: (Double) -> Void = { _ in }
  ) throws -> EvaluationScores {
    let positives = try AudioTree(settings.positives, as: .phrase(model.phrase))
    let negatives = try AudioTree(settings.negatives, as: .others(than: model.phrase))
    let known = Set(positives.files.map(\.identity))
    let others = negatives.files.filter { !known.contains($0.identity) }
    guard !others.isEmpty else { throw EvaluationFault.onlyPositives(negatives.folders[0]) }
    _ = try KeywordSpotter([(model: model, sensitivity: .standard)])
    let noise =
      try settings.noise.isEmpty
      ? nil
      : NoiseBank(try AudioTree(settings.noise, as: .noise), seed: settings.seed, threads: settings.threads)
    var scores = EvaluationScores(conditions: [], streams: [])
    scores.trainedOn = (positives.folders + negatives.folders).filter { wasTrained(model, on: $0) }
    scores.contradictory = negatives.files.filter { known.contains($0.identity) }.map(\.path)
    try scorePositives(positives, in: noise, model, settings, into: &scores) { progress(0.2 * $0) }
    try scoreNegatives(others, model, settings, into: &scores) { progress(0.2 + 0.8 * $0) }
    return scores
  }

  /// Files between two progress reports.
  private static let block = 32

  private static func scorePositives(
    _ tree: AudioTree, in noise: NoiseBank?, _ model: HotwordModel, _ settings: EvaluationSettings,
    into scores: inout EvaluationScores, progress: (Double) -> Void
  ) throws {
    let levels: [Double?] = [nil] + (noise == nil ? [] : settings.snrs)
    scores.conditions = levels.map { EvaluationScores.Condition(snr: $0, recordings: []) }
    let root = RandomSource(seed: settings.seed)
    let isGrouped = Set(tree.files.map(\.part)).count > 1
    for start in stride(from: 0, to: tree.files.count, by: block) {
      let batch = Array(tree.files[start..<min(start + block, tree.files.count)])
      let scored = Parallel.map(batch.count, threads: settings.threads) { index -> [Best]? in
        guard let samples = try? AudioFile.read(batch[index].path) else { return nil }
        var random = root.stream(start + index)
        let background = noise?.stretch(RunningNoise.lead + samples.count, &random) ?? []
        let window = DetectionWindow(samples).moved(by: RunningNoise.lead)
        return levels.map { level in
          guard let level else { return best(RunningNoise.clean(samples), window, model) }
          return best(RunningNoise.mix(samples, background, ratio: Float(level)), window, model)
        }
      }
      for (file, results) in zip(batch, scored) {
        guard let results else {
          scores.unreadable.append(file.path)
          continue
        }
        for (index, best) in results.enumerated() {
          scores.conditions[index].recordings.append(
            EvaluationScores.Recording(
              name: file.path, group: isGrouped ? file.part : nil, score: best.inside,
              elsewhere: best.outside))
        }
      }
      progress(Double(start + batch.count) / Double(tree.files.count))
    }
    guard !scores.conditions[0].recordings.isEmpty else {
      throw EvaluationFault.nothingReadable(tree.folders[0])
    }
  }

  private static func scoreNegatives(
    _ files: [AudioTree.File], _ model: HotwordModel, _ settings: EvaluationSettings,
    into scores: inout EvaluationScores, progress: (Double) -> Void
  ) throws {
    for start in stride(from: 0, to: files.count, by: block) {
      let batch = Array(files[start..<min(start + block, files.count)])
      let scored = Parallel.map(batch.count, threads: settings.threads) { try? stream(batch[$0], model) }
      for (file, result) in zip(batch, scored) {
        if let result { scores.streams.append(result) } else { scores.unreadable.append(file.path) }
      }
      progress(Double(start + batch.count) / Double(files.count))
    }
    guard !scores.streams.isEmpty else { throw EvaluationFault.nothingReadable(settings.negatives[0]) }
  }

  /// Returns whether a folder in the training commands of the model and its previous versions contains `folder` or is in it.
  private static func wasTrained(_ model: HotwordModel, on folder: String) -> Bool {
    let evaluated = Files.resolved(folder)
    let folders = model.versions.flatMap { TrainingCommandLine.folders(of: $0["command"]?.string ?? "") }
    let isUsed = folders.filter(Files.isDirectory).map(Files.resolved).contains { used in
      used == evaluated || used.hasPrefix("\(evaluated)/") || evaluated.hasPrefix("\(used)/")
    }
    // Of a corpus, the testing part is evaluated, and the others train.
    return isUsed && (try? CorpusFolder(folder))??.hasTestingPart != true
  }

  /// Returns the smoothed score of every step of a fresh stream.
  public static func scores(_ samples: [Int16], _ model: HotwordModel) -> [Float] {
    var scores: [Float] = []
    process(samples, model) { scores.append(Float($0.score)) }
    return scores
  }

  /// Returns the highest smoothed score of a fresh stream and where the phrase would have ended; nil if there
  /// is no score.
  public static func highest(_ samples: [Int16], _ model: HotwordModel) -> KeywordSpotter.StepScore? {
    var highest: KeywordSpotter.StepScore?
    process(samples, model) { if $0.score > highest?.score ?? 0 { highest = $0 } }
    return highest
  }

  /// The highest scores inside and outside the window.
  private struct Best: Sendable {
    var inside = 0.0
    var outside = 0.0
  }

  private static func best(_ samples: [Int16], _ window: DetectionWindow, _ model: HotwordModel) -> Best {
    var best = Best()
    process(samples, model) { step in
      if window.range.contains(step.end) {
        best.inside = max(best.inside, step.score)
      } else {
        best.outside = max(best.outside, step.score)
      }
    }
    return best
  }

  private static func process(
    _ samples: [Int16], _ model: HotwordModel, _ body: (KeywordSpotter.StepScore) -> Void
  ) {
    var position = 0
    _ = try? process(model, body) { block in
      let count = min(block.count, samples.count - position)
      for offset in 0..<count { block[offset] = samples[position + offset] }
      position += count
      return AudioRead(count: count, isEnd: position == samples.count)
    }
  }

  private static func stream(
    _ file: AudioTree.File, _ model: HotwordModel
  ) throws -> EvaluationScores.Stream {
    let source = try FileSource(file.path)
    var peaks = ScorePeaks(floor: EvaluationReport.floor, gap: model.decision.refractory)
    let length = try process(model) {
      peaks.push($0.score, at: $0.end)
    } reading: {
      try source.read(into: $0)
    }
    return EvaluationScores.Stream(
      name: file.path, source: file.part, seconds: AudioFormat.seconds(length),
      peaks: peaks.peaks().map(\.score))
  }

  /// Processes all samples and the silence after them with a fresh detector.
  ///
  /// - Returns: the number of samples read.
  private static func process(
    _ model: HotwordModel, _ body: (KeywordSpotter.StepScore) -> Void,
    reading read: (UnsafeMutableBufferPointer<Int16>) throws -> AudioRead
  ) throws -> Int {
    let spotter = try KeywordSpotter([(model: model, sensitivity: .standard)])
    let frame = UnsafeMutableBufferPointer<Int16>.allocate(capacity: AudioFormat.frameLength)
    defer { frame.deallocate() }
    var length = 0
    func push() {
      _ = spotter.push(UnsafeBufferPointer(frame))
      if let step = spotter.score(of: 0) { body(step) }
    }
    var isEnd = false
    while !isEnd {
      var count = 0
      while count < frame.count, !isEnd {
        let step = try read(UnsafeMutableBufferPointer(rebasing: frame[count...]))
        count += step.count
        isEnd = step.isEnd
      }
      length += count
      if count == 0 { break }
      for offset in count..<frame.count { frame[offset] = 0 }
      push()
    }
    for offset in 0..<frame.count { frame[offset] = 0 }
    for _ in 0..<spotter.tail { push() }
    return length
  }
}

/// The range of a recording in which a detection may report the end of the phrase.
///
/// It starts where half of the energy above the background has passed: the phrase cannot be complete before,
/// so a detection there has another cause. It ends one second after 98 % of the energy has passed.
package struct DetectionWindow: Sendable, Equatable {
  package let range: Range<SampleIndex>

  /// The time after the end of the sound, in seconds.
  private static let late = 1.0

  /// Returns the window of the same recording that begins `samples` later.
  package func moved(by samples: Int) -> DetectionWindow {
    DetectionWindow(range: range.lowerBound + samples..<range.upperBound + samples)
  }

  private init(range: Range<SampleIndex>) { self.range = range }

  /// - Parameter samples: one utterance of the phrase, clean.
  package init(_ samples: [Int16]) {
    let frame = AudioFormat.frameLength
    var energies: [Double] = []
    for start in stride(from: 0, to: samples.count, by: frame) {
      let part = samples[start..<min(start + frame, samples.count)]
      energies.append(part.reduce(0) { $0 + Double($1) * Double($1) } / Double(part.count))
    }
    let sorted = energies.sorted()
    // A clip cut to the word has no background: only the level of its quietest frames is subtracted.
    let background = 2 * (sorted.isEmpty ? 0 : sorted[sorted.count / 10])
    let above = energies.map { max(0, $0 - background) }
    let total = above.reduce(0, +)
    var sum = 0.0
    var middle = 0
    var end = energies.count
    for (index, energy) in above.enumerated() {
      if sum < 0.5 * total { middle = index }
      sum += energy
      if sum < 0.98 * total { end = index + 2 }
    }
    range = middle * frame..<max(end, middle + 1) * frame + AudioFormat.samples(Self.late)
  }
}
