import Detection
import Evaluation
import Glibc
import Platform

/// The results of a model and its next version, each at its own threshold for one sensitivity.
public struct Comparison: Sendable, Equatable {
  /// One measurement of both versions.
  public struct Row: Sendable, Equatable {
    /// The title in text.
    public let title: String
    /// The name in JSON.
    public let name: String
    public let before: Int
    public let after: Int
    /// The total number; 0 if it is a count in ``Comparison/hours``.
    public let total: Int

    public init(_ title: String, name: String, before: Int, after: Int, of total: Int) {
      self.title = title
      self.name = name
      self.before = before
      self.after = after
      self.total = total
    }

    /// The increase of the share, 0…1.
    var rise: Double { total > 0 ? Double(after - before) / Double(total) : 0 }
  }

  public let rows: [Row]
  /// The hours of other audio.
  public let hours: Double
  /// Whether evaluation models, each trained without what it is measured on, represent the next version.
  public let hasEvaluationModels: Bool
  /// Whether the version before, from which all start, may have learned some of the clips.
  public let mayHaveLearnedBefore: Bool

  static let phraseRow = "missed"

  public init(
    rows: [Row], hours: Double, hasEvaluationModels: Bool, mayHaveLearnedBefore: Bool = false
  ) {
    self.rows = rows
    self.hours = hours
    self.hasEvaluationModels = hasEvaluationModels
    self.mayHaveLearnedBefore = mayHaveLearnedBefore
  }

  typealias Version = (model: HotwordModel, scores: HeldOutScores)

  /// - Parameter versions: the evaluation models, or else the next version alone. The first is measured on the phrase and
  ///   other audio.
  init(
    _ corpus: Corpus, before: Version, after versions: [Version], areEvaluationModels: Bool,
    at sensitivity: Sensitivity, threads: Int
  ) {
    var rows: [Row] = []
    let after = versions[0]
    func triggered(_ clips: [FieldClip], _ model: @escaping @Sendable (FieldClip) -> HotwordModel) -> Int {
      Parallel.map(clips.count, threads: threads) {
        let model = model(clips[$0])
        return (Evaluator.highest(clips[$0].samples, model)?.score ?? 0) >= model.threshold(at: sensitivity)
      }.count { $0 }
    }
    let models = versions.map(\.model)
    func add(_ clips: [FieldClip], row: (title: String, name: String)) {
      guard !clips.isEmpty else { return }
      // A single clip cannot be held out.
      let isTrained = clips.contains { $0.heldOut == .no }
      rows.append(
        Row(
          isTrained ? "\(row.title) (trained on)" : row.title, name: row.name,
          before: triggered(clips) { [model = before.model] _ in model },
          after: triggered(clips) { clip in
            if case .from(let fold) = clip.heldOut { models[fold] } else { models[0] }
          }, of: clips.count))
    }
    add(corpus.falseAlarms, row: ("false alarms that still trigger", "falseAlarms"))
    add(corpus.missed, row: ("missed clips detected", "found"))
    let speakers = after.scores.areSynthetic ? "synthetic utterances" : "recordings"
    func misses(_ tracks: (HeldOutScores) -> [HeldOutScores.Track]) -> (Int, Int, Int) {
      func count(_ version: Version) -> Int {
        Calibration.tops(tracks(version.scores), version.model.decision.smoothing)
          .count { $0 < version.model.logit(at: sensitivity) }
      }
      return (count(before), count(after), tracks(after.scores).count)
    }
    let clean = misses(\.clean)
    rows.append(Row("\(speakers) missed", name: Self.phraseRow, before: clean.0, after: clean.1, of: clean.2))
    let noisy = misses(\.noisy)
    rows.append(
      Row("  in noise, 10 dB", name: "missedInNoise", before: noisy.0, after: noisy.1, of: noisy.2))
    func alarms(_ version: Version) -> Int {
      Calibration.alarms(version.scores, version.model.decision.smoothing)
        .count(at: version.model.logit(at: sensitivity))
    }
    rows.append(
      Row(
        "false alarms in other audio", name: "otherAlarms", before: alarms(before), after: alarms(after),
        of: 0))
    self.init(
      rows: rows, hours: after.scores.hours, hasEvaluationModels: areEvaluationModels,
      mayHaveLearnedBefore: before.model.training["improvement"] != nil)
  }

  /// The results as a table.
  public var text: String {
    let widths = [44, 16, 16]
    var lines = [TextTable.row(["", "before", "after"], widths: widths)]
    for row in rows {
      func cell(_ count: Int) -> String {
        row.total > 0 ? "\(count) of \(row.total)" : "\(count) in \(Decimals.text(hours, 1)) h"
      }
      lines.append(TextTable.row([row.title, cell(row.before), cell(row.after)], widths: widths))
    }
    for remark in remarks { lines += [""] + TextTable.wrap(remark, indent: 0, hanging: 0) }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Notes on the table.
  public var remarks: [String] {
    var remarks: [String] = []
    if hasEvaluationModels {
      remarks.append(
        "\"after\" are evaluation models, each trained without the clips it is measured on; the next version is trained on all."
      )
    }
    if mayHaveLearnedBefore {
      remarks.append(
        "The previous version is an improvement too. Clips that it learned from are measured, before and after, on models "
          + "that know them.")
    }
    if let phrase = rows.first(where: { $0.name == Self.phraseRow }), phrase.rise > 0.01 {
      remarks.append(
        "The next version misses the phrase more often than the previous one. Train more steps, or add recordings of "
          + "the phrase (--positives) or missed ones (--missed).")
    }
    return remarks
  }

  public var json: JSON {
    .object(
      rows.map { row in
        let counts: JSON = ["before": .number(Double(row.before)), "after": .number(Double(row.after))]
        guard case .object(let members) = counts, row.total > 0 else { return JSON.Member(row.name, counts) }
        return JSON.Member(row.name, .object(members + [JSON.Member("of", .number(Double(row.total)))]))
      } + [JSON.Member("hours", .rounded(hours, digits: 2)), JSON.Member("twin", .bool(hasEvaluationModels))])
  }
}

extension HotwordModel {
  func threshold(at sensitivity: Sensitivity) -> Double {
    curve.threshold(for: sensitivity, calibrated: decision.threshold)
  }

  /// The smoothed logit at the threshold.
  func logit(at sensitivity: Sensitivity) -> Double {
    let threshold = threshold(at: sensitivity)
    return (log(threshold / (1 - threshold)) - decision.offset) / decision.scale
  }
}
