import AudioCapture
import Detection
import Glibc
import Platform

/// What to measure a model on.
public struct EvaluationSettings: Sendable {
  /// Folders with recordings of the phrase, one utterance in each file.
  public var positives: [String] = []
  /// Folders with hours without it.
  public var negatives: [String] = []
  /// A folder of noise to mix into the recordings of the phrase, beside the clean run.
  public var noise: String?
  /// The level of speech above that noise in dB.
  public var snr = 10.0
  public var threads = 2

  public init() {}
}

/// Measures a model by the scores that a listening process would compute.
///
/// Each file is a stream of its own with a fresh detector, followed by the silence that `KeywordSpotter.tail`
/// asks for. A recording of the phrase is found where its highest score reaches the threshold: one hit an
/// utterance, whatever else fires in it. On negatives every score peak at least the model's refractory time
/// from a higher one is a false alarm at thresholds up to its height.
public enum Evaluator {
  /// - Parameter progress: told the part done, 0…1.
  /// - Throws: ``EvaluationFault``, `SystemFault`, `DetectionFault`.
  public static func run(
    _ model: HotwordModel, _ settings: EvaluationSettings, progress: (Double) -> Void = { _ in }
  ) throws -> EvaluationReport {
    let positives = try files(below: settings.positives)
    let negatives = try files(below: settings.negatives)
    let noise = try settings.noise.map { try files(below: [$0]) } ?? []
    _ = try KeywordSpotter([(model: model, sensitivity: .standard)])
    var report = EvaluationReport(name: model.name, threshold: model.decision.threshold)
    let snr = settings.snr
    let sounds = noise.prefix(120).compactMap { path -> [Int16]? in
      guard let samples = try? AudioFile.read(path) else { return nil }
      return Array(samples.prefix(AudioFormat.samples(30)))
    }.filter { $0.contains { $0 != 0 } }
    if settings.noise != nil, sounds.isEmpty { throw EvaluationFault.nothingReadable(settings.noise!) }
    let block = 32
    for start in stride(from: 0, to: positives.count, by: block) {
      let batch = Array(positives[start..<min(start + block, positives.count)])
      let scored = Parallel.map(batch.count, threads: settings.threads) { index -> (Float, Float?)? in
        guard let samples = try? AudioFile.read(batch[index]), !samples.isEmpty else { return nil }
        let clean = scores(samples, model).max() ?? 0
        guard !sounds.isEmpty else { return (clean, nil) }
        var random = RandomSource(seed: UInt64(start + index))
        let mixed = mix(samples, sounds[Int(random.next() % UInt64(sounds.count))], snr: snr, &random)
        return (clean, scores(mixed, model).max() ?? 0)
      }
      for (path, result) in zip(batch, scored) {
        guard let result else {
          report.unreadable.append(path)
          continue
        }
        report.clean.append(EvaluationReport.Score(path: path, value: result.0))
        if let noisy = result.1 { report.noisy.append(EvaluationReport.Score(path: path, value: noisy)) }
      }
      progress(0.2 * Double(start) / Double(positives.count))
    }
    guard !report.clean.isEmpty else { throw EvaluationFault.nothingReadable(settings.positives[0]) }
    if !sounds.isEmpty { report.snr = snr }
    let gap = max(1, Int(model.decision.refractory / model.shape.stepSeconds))
    var peaks: [Float] = []
    var seconds = 0.0
    for start in stride(from: 0, to: negatives.count, by: block) {
      let batch = Array(negatives[start..<min(start + block, negatives.count)])
      let scored = Parallel.map(batch.count, threads: settings.threads) { index -> ([Float], Double)? in
        guard let samples = try? AudioFile.read(batch[index]), !samples.isEmpty else { return nil }
        let found = ScorePeak.all(in: scores(samples, model), gap: gap, floor: 0.0001)
        return (found.map(\.value), AudioFormat.seconds(samples.count))
      }
      for (path, result) in zip(batch, scored) {
        guard let result else {
          report.unreadable.append(path)
          continue
        }
        peaks += result.0
        seconds += result.1
        report.negativeFiles += 1
      }
      progress(0.2 + 0.8 * Double(start) / Double(negatives.count))
    }
    guard seconds > 0 else { throw EvaluationFault.nothingReadable(settings.negatives[0]) }
    report.hours = seconds / 3600
    report.alarms = peaks.sorted(by: >)
    return report
  }

  /// The smoothed score of every step of a fresh stream.
  public static func scores(_ samples: [Int16], _ model: HotwordModel) -> [Float] {
    guard let spotter = try? KeywordSpotter([(model: model, sensitivity: .standard)]) else { return [] }
    let frame = UnsafeMutableBufferPointer<Int16>.allocate(capacity: AudioFormat.frameLength)
    defer { frame.deallocate() }
    let frames = (samples.count + frame.count - 1) / frame.count + spotter.tail
    var scores: [Float] = []
    scores.reserveCapacity(frames / 2 + 1)
    for index in 0..<frames {
      let start = index * frame.count
      for offset in 0..<frame.count {
        frame[offset] = start + offset < samples.count ? samples[start + offset] : 0
      }
      _ = spotter.push(UnsafeBufferPointer(frame))
      if let step = spotter.score(of: 0) { scores.append(Float(step.score)) }
    }
    return scores
  }

  private static func mix(
    _ speech: [Int16], _ noise: [Int16], snr: Double, _ random: inout RandomSource
  ) -> [Int16] {
    func power(_ samples: some Sequence<Int16>) -> Double {
      var sum = 0.0
      var count = 0.0
      for sample in samples {
        sum += Double(sample) * Double(sample)
        count += 1
      }
      return count > 0 ? sum / count : 0
    }
    let start = Int(random.next() % UInt64(noise.count))
    let background = speech.indices.map { noise[(start + $0) % noise.count] }
    let level = power(background)
    guard level > 0 else { return speech }
    // Of the whole clip, pauses included, as the published tests mix.
    let gain = (power(speech) / level / pow(10, snr / 10)).squareRoot()
    return zip(speech, background).map {
      Int16(max(-32_768, min(32_767, (Double($0) + gain * Double($1)).rounded())))
    }
  }

  private static let endings = [
    ".wav", ".flac", ".ogg", ".oga", ".opus", ".mp3", ".aif", ".aiff", ".au", ".w64", ".caf", ".sph",
  ]

  private static func files(below folders: [String]) throws -> [String] {
    var paths: [String] = []
    for folder in folders {
      guard Files.isDirectory(folder) else { throw EvaluationFault.noFolder(folder) }
      let found = try Files.list(below: folder).filter { path in
        let name = path.lowercased()
        return endings.contains { name.hasSuffix($0) }
      }
      guard !found.isEmpty else { throw EvaluationFault.nothingReadable(folder) }
      paths += found
    }
    return paths
  }
}
