import Detection
import Evaluation
import Glibc
import Platform

/// What a model and its next version do, side by side, each at its own threshold for one sensitivity.
public struct Comparison: Sendable, Equatable {
  /// One question asked of both.
  public struct Row: Sendable, Equatable {
    /// For people.
    public let title: String
    /// The member's name in JSON.
    public let name: String
    public let before: Int
    public let after: Int
    /// Of how many; 0 where it is a count in ``Comparison/hours``.
    public let total: Int

    public init(_ title: String, name: String, before: Int, after: Int, of total: Int) {
      self.title = title
      self.name = name
      self.before = before
      self.after = after
      self.total = total
    }

    /// What the share has risen by, 0…1.
    var rise: Double { total > 0 ? Double(after - before) / Double(total) : 0 }
  }

  public let rows: [Row]
  /// Hours of other sound.
  public let hours: Double
  /// Whether a twin that never heard the clips kept aside stands for the next version.
  public let hasEvaluationModel: Bool

  static let phraseRow = "missed"

  public init(rows: [Row], hours: Double, hasEvaluationModel: Bool) {
    self.rows = rows
    self.hours = hours
    self.hasEvaluationModel = hasEvaluationModel
  }

  typealias Version = (model: HotwordModel, heard: HeldOutScores)

  init(
    _ corpus: Corpus, before: Version, after: Version, hasEvaluationModel: Bool,
    at sensitivity: Sensitivity, threads: Int
  ) {
    var rows: [Row] = []
    func fired(_ clips: [FieldClip], _ version: Version) -> Int {
      Parallel.map(clips.count, threads: threads) {
        (Evaluator.highest(clips[$0].samples, version.model)?.score ?? 0)
          >= version.model.threshold(at: sensitivity)
      }.count { $0 }
    }
    func add(_ clips: [FieldClip], fires: (title: String, name: String)) {
      guard !clips.isEmpty else { return }
      // Too few to keep any aside: what it learned from is all there is to tell of.
      let kept = clips.filter(\.isHeldOut)
      let shown = kept.isEmpty ? clips : kept
      rows.append(
        Row(
          kept.isEmpty ? "\(fires.title) (learned from)" : "\(fires.title) (kept aside)", name: fires.name,
          before: fired(shown, before), after: fired(shown, after), of: shown.count))
    }
    add(corpus.falseAlarms, fires: ("false alarms that fire", "falseAlarms"))
    add(corpus.missed, fires: ("missed clips found", "found"))
    let speakers = after.heard.areSynthetic ? "synthetic speakers" : "recordings"
    func misses(_ tracks: (HeldOutScores) -> [HeldOutScores.Track]) -> (Int, Int, Int) {
      func count(_ version: Version) -> Int {
        Calibration.tops(tracks(version.heard), version.model.decision.smoothing)
          .count { $0 < version.model.logit(at: sensitivity) }
      }
      return (count(before), count(after), tracks(after.heard).count)
    }
    let clean = misses(\.clean)
    rows.append(Row("\(speakers) missed", name: Self.phraseRow, before: clean.0, after: clean.1, of: clean.2))
    let noisy = misses(\.noisy)
    rows.append(
      Row("  in noise, 10 dB", name: "missedInNoise", before: noisy.0, after: noisy.1, of: noisy.2))
    func alarms(_ version: Version) -> Int {
      Calibration.alarms(version.heard, version.model.decision.smoothing)
        .count(at: version.model.logit(at: sensitivity))
    }
    rows.append(
      Row("alarms in other sound", name: "otherAlarms", before: alarms(before), after: alarms(after), of: 0))
    self.init(rows: rows, hours: after.heard.hours, hasEvaluationModel: hasEvaluationModel)
  }

  /// The table for people.
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

  /// What the table does not say by itself.
  public var remarks: [String] {
    var remarks: [String] = []
    if hasEvaluationModel {
      remarks.append(
        "After: a twin that learned alike but never heard what is kept aside; the next version learned from it too."
      )
    }
    if let phrase = rows.first(where: { $0.name == Self.phraseRow }), phrase.rise > 0.01 {
      remarks.append(
        "The next version misses more of the phrase than the one before. More steps, the phrase's own recordings "
          + "(--positives) or what it missed (--missed) help; the version before stays beside it.")
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

  /// The smoothed logit that scores the threshold.
  func logit(at sensitivity: Sensitivity) -> Double {
    let threshold = threshold(at: sensitivity)
    return (log(threshold / (1 - threshold)) - decision.offset) / decision.scale
  }
}
