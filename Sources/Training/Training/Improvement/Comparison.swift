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
  /// Whether an evaluation model, trained without the held-out clips, represents the next version.
  public let hasEvaluationModel: Bool

  static let phraseRow = "missed"

  public init(rows: [Row], hours: Double, hasEvaluationModel: Bool) {
    self.rows = rows
    self.hours = hours
    self.hasEvaluationModel = hasEvaluationModel
  }

  typealias Version = (model: HotwordModel, scores: HeldOutScores)

  init(
    _ corpus: Corpus, before: Version, after: Version, hasEvaluationModel: Bool,
    at sensitivity: Sensitivity, threads: Int
  ) {
    var rows: [Row] = []
    func triggered(_ clips: [FieldClip], _ version: Version) -> Int {
      Parallel.map(clips.count, threads: threads) {
        (Evaluator.highest(clips[$0].samples, version.model)?.score ?? 0)
          >= version.model.threshold(at: sensitivity)
      }.count { $0 }
    }
    func add(_ clips: [FieldClip], row: (title: String, name: String)) {
      guard !clips.isEmpty else { return }
      // If there are too few clips to hold any out, only those it was trained on can be shown.
      let kept = clips.filter(\.isHeldOut)
      let shown = kept.isEmpty ? clips : kept
      rows.append(
        Row(
          kept.isEmpty ? "\(row.title) (trained on)" : "\(row.title) (held out)", name: row.name,
          before: triggered(shown, before), after: triggered(shown, after), of: shown.count))
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
    self.init(rows: rows, hours: after.scores.hours, hasEvaluationModel: hasEvaluationModel)
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
    if hasEvaluationModel {
      remarks.append(
        "\"after\" is an evaluation model trained without the held-out data; the next version is also trained on it."
      )
    }
    if let phrase = rows.first(where: { $0.name == Self.phraseRow }), phrase.rise > 0.01 {
      remarks.append(
        "The next version misses the phrase more often than the previous one. Train more steps, or add recordings of "
          + "the phrase (--positives) or missed ones (--missed). The previous version is kept next to it.")
    }
    return remarks
  }

  public var json: JSON {
    .object(
      rows.map { row in
        let counts: JSON = ["before": .number(Double(row.before)), "after": .number(Double(row.after))]
        guard case .object(let members) = counts, row.total > 0 else { return JSON.Member(row.name, counts) }
        return JSON.Member(row.name, .object(members + [JSON.Member("of", .number(Double(row.total)))]))
      } + [JSON.Member("hours", .rounded(hours, digits: 2)), JSON.Member("twin", .bool(hasEvaluationModel))])
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
