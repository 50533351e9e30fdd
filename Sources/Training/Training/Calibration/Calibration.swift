import Detection
import Evaluation
import Glibc
import PCM
import Platform

/// Chooses a model's threshold, smoothing and score scale from held-out data.
///
/// The threshold is the lowest with at most 0.5 false alarms per hour, both counted and expected;
/// `FalseAlarmCurve` estimates rates below one in the audio at hand. Models have more false alarms on audio of
/// other sources than on what is held out (``ratioElsewhere``), so fewer are allowed there. Scores are scaled
/// to 0.5 at the threshold and 0.95 for the median recording of the phrase; the highest stays below 0.9999. Misses are
/// those of the evaluation model, at its own thresholds for the same rates.
package struct Calibration: Sendable {
  package var decision: DecisionSettings
  package var curve: OperatingCurve
  /// The false alarms counted at the threshold.
  package var falseAlarms = 0
  package var missed = 0
  package var missedInNoise = 0
  /// The logit of the evaluated network that has score 0.5.
  private let threshold: Double

  /// The number of steps whose mean logit the loss of a fit uses.
  package static let fittedSmoothing = 3
  /// The false alarms per hour at sensitivity 0.5.
  package static let target = 0.5
  /// The false alarms on audio of other sources for each on the held-out audio.
  ///
  /// At the thresholds for 0.5 per hour on the held-out audio, the four phrases with recordings had 0.84 per hour on 16 h of speech
  /// that no training heard.
  private static let ratioElsewhere = 1.7
  /// The steps in which a `Decider` does not trigger yet: 0.3 s.
  static let warmUpSteps = 13
  private static let refractorySteps = 75

  /// - Parameters:
  ///   - heldOut: the scores of the evaluation model, or of the model itself.
  ///   - model: the scores of the model; only its negatives are used.
  ///   - previous: the previous version, whose score scale is kept.
  package init(_ heldOut: HeldOutScores, model: HeldOutScores, stride: Int, previous: PreviousVersion? = nil)
    throws
  {
    // The rate on the held-out audio at which `rate` is expected elsewhere.
    func counted(_ rate: Double) -> Double { rate / Self.ratioElsewhere }
    var best: (misses: Double, smoothing: Int, alarms: FalseAlarmCurve)?
    for smoothing in previous.map({ [$0.model.decision.smoothing] }) ?? [Self.fittedSmoothing, 5] {
      let alarms = Self.alarms(heldOut, smoothing)
      let threshold = alarms.threshold(for: counted(Self.target)) ?? 0
      let tops = Self.tops(heldOut.clean, smoothing) + Self.tops(heldOut.noisy, smoothing)
      let misses = Double(tops.count { $0 < threshold })
      if best == nil || misses < best!.misses - 0.5 { best = (misses, smoothing, alarms) }
    }
    let (_, smoothing, alarms) = best!
    let clean = Self.tops(heldOut.clean, smoothing).sorted()
    let noisy = Self.tops(heldOut.noisy, smoothing).sorted()
    let least = previous?.minimumLogits(model) ?? { _ in nil }
    let threshold = max(alarms.threshold(for: counted(Self.target)) ?? 0, least(Self.target) ?? -.infinity)
    self.threshold = threshold
    let median = clean.isEmpty ? threshold + 3 : clean[clean.count / 2]
    let highest = max(clean.last ?? median, median)
    var scale = 2.944 / max(median - threshold, 0.75)
    scale = previous?.model.decision.scale ?? min(scale, 9 / max(highest - threshold, 0.1), 1.5)
    let own = Self.alarms(model, smoothing)
    let ownThreshold = max(own.threshold(for: counted(Self.target)) ?? 0, least(Self.target) ?? -.infinity)
    let offset = max(-100, min(100, -scale * ownThreshold))
    decision = DecisionSettings(smoothing: smoothing, threshold: 0.5, scale: scale, offset: offset)
    let words = heldOut.clean.map(\.wordLength).sorted()
    if !words.isEmpty {
      decision.wordDuration = max(0.1, min(5, AudioFormat.seconds(words[words.count / 2])))
    }
    let delays = heldOut.clean.compactMap {
      Self.latency($0, smoothing, threshold, stride: stride, delay: heldOut.delay)
    }.sorted()
    if !delays.isEmpty { decision.latency = max(-1, min(1, delays[delays.count / 2])) }
    falseAlarms = alarms.count(at: threshold)
    missed = clean.count { $0 < threshold }
    missedInNoise = noisy.count { $0 < threshold }
    var points: [OperatingCurve.Point] = []
    for step in -18...18 {
      let rate = Self.target * exp2(Double(step) / 3)
      guard var level = alarms.threshold(for: counted(rate)),
        var place = own.threshold(for: counted(rate))
      else { continue }
      if let least = least(rate) {
        level = max(level, least)
        place = max(place, least)
      }
      let score = 1 / (1 + exp(-(scale * place + offset)))
      let misses = clean.count { $0 < level }
      points.append(
        OperatingCurve.Point(
          threshold: max(0, min(1, score)), falseAlarmsPerHour: rate,
          missRate: clean.isEmpty ? 0 : Double(misses) / Double(clean.count)))
    }
    curve = try OperatingCurve(points: points)
  }

  static func alarms(_ heldOut: HeldOutScores, _ smoothing: Int) -> FalseAlarmCurve {
    var peaks: [Float] = []
    for negative in heldOut.negatives {
      let found = ScorePeak.all(in: gated(negative.logits, smoothing), gap: refractorySteps, floor: -1e6)
      peaks += found.map(\.value)
    }
    return FalseAlarmCurve(peaks: peaks, hours: heldOut.hours)
  }

  /// Returns the scores of the evaluated network, for the report.
  package func scores(of heldOut: HeldOutScores) -> EvaluationScores {
    func score(_ logit: Double) -> Double { 1 / (1 + exp(-decision.scale * (logit - threshold))) }
    func recordings(_ tracks: [HeldOutScores.Track]) -> [EvaluationScores.Recording] {
      zip(tracks, Self.tops(tracks, decision.smoothing)).map {
        EvaluationScores.Recording(name: $0.name, group: $0.group, score: score($1))
      }
    }
    var scores = EvaluationScores(
      conditions: [
        .init(recordings: recordings(heldOut.clean)), .init(snr: 10, recordings: recordings(heldOut.noisy)),
      ],
      streams: heldOut.negatives.map { negative in
        let peaks = ScorePeak.all(
          in: Self.gated(negative.logits, decision.smoothing), gap: Self.refractorySteps, floor: -1e6)
        return EvaluationScores.Stream(
          name: negative.name, source: negative.source, seconds: negative.seconds,
          peaks: peaks.map { score(Double($0.value)) }.filter { $0 >= EvaluationReport.floor })
      })
    scores.areSynthetic = heldOut.areSynthetic
    return scores
  }

  /// Returns how often similar phrases wake the evaluated network.
  package func similarSpeech(_ heldOut: HeldOutScores) -> SimilarSpeech {
    var result = SimilarSpeech()
    for (phrase, logits) in heldOut.similar {
      let top = Self.gated(logits, decision.smoothing).max() ?? -1e6
      result.add(phrase, wakes: Double(top) >= threshold)
    }
    return result
  }

  static func tops(_ tracks: [HeldOutScores.Track], _ smoothing: Int) -> [Double] {
    tracks.map { Double(gated($0.logits, smoothing).max() ?? -1e6) }
  }

  private static func gated(_ logits: StepLogits, _ smoothing: Int) -> [Float] {
    var smooth = logits.smoothed(over: smoothing)
    for step in 0..<min(warmUpSteps, smooth.count) { smooth[step] = -1e7 }
    return smooth
  }

  /// Returns the seconds from the end of the phrase to the step that a `Decider` reports, the first decrease
  /// after the rise.
  private static func latency(
    _ track: HeldOutScores.Track, _ smoothing: Int, _ threshold: Double, stride: Int, delay: Int
  ) -> Double? {
    let smooth = gated(track.logits, smoothing)
    guard var step = smooth.firstIndex(where: { Double($0) >= threshold }) else { return nil }
    let last = min(smooth.count - 1, step + 3)
    while step < last, smooth[step + 1] > smooth[step] { step += 1 }
    let heard = track.logits.heard(at: step, smoothing: smoothing)
    let position = ((heard + 1) * stride + 2) * AudioFormat.frameLength
    return AudioFormat.seconds(position - delay - track.wordEnd)
  }
}

extension Calibration {
  /// The previous version of a model and its scores of the same data.
  ///
  /// The next version keeps its thresholds, lowered by as much as the scores of other audio as a whole
  /// decrease. A few false alarms alone, in a few hours, would make the thresholds vary too much.
  package struct PreviousVersion {
    let model: HotwordModel
    let heldOut: HeldOutScores

    package init(_ model: HotwordModel, _ heldOut: HeldOutScores) {
      self.model = model
      self.heldOut = heldOut
    }

    /// Returns a function of a false alarm rate per hour: the lowest smoothed logit at which the next
    /// version, whose scores are `next`, may trigger; nil for a rate that is not in the curve.
    func minimumLogits(_ next: HeldOutScores) -> (Double) -> Double? {
      let decrease = decrease(next)
      return { rate in
        let points = model.curve.points
        guard let point = points.first(where: { abs($0.falseAlarmsPerHour / rate - 1) < 0.001 }) else {
          return nil
        }
        let score = rate == Calibration.target ? model.decision.threshold : point.threshold
        let inside = max(1e-9, min(1 - 1e-9, score))
        return (log(inside / (1 - inside)) - model.decision.offset) / model.decision.scale + decrease
      }
    }

    /// Returns the change of the highest scores of other audio, at most 0: the median over the rates that can
    /// be counted.
    private func decrease(_ next: HeldOutScores) -> Double {
      let before = Calibration.alarms(heldOut, model.decision.smoothing)
      let after = Calibration.alarms(next, model.decision.smoothing)
      let changes = (0...12).compactMap { step -> Double? in
        let rate = exp2(Double(step) / 3)
        guard let old = before.threshold(for: rate), let new = after.threshold(for: rate) else { return nil }
        return new - old
      }.sorted()
      return changes.isEmpty ? 0 : min(0, changes[changes.count / 2])
    }
  }
}
