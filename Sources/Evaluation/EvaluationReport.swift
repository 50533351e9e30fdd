import Platform

/// A model's misses and false alarms, as counts, so that every rate comes with its interval.
public struct EvaluationReport: Sendable {
  /// A recording with its highest score.
  public struct Score: Sendable, Equatable {
    public let path: String
    public let value: Float
  }

  public let name: String
  /// The score at which the model fires at sensitivity 0.5.
  public let threshold: Double
  public var clean: [Score] = []
  public var noisy: [Score] = []
  /// The signal-to-noise ratio of `noisy` in dB.
  public var snr: Double?
  /// The scores of all peaks on negatives, the highest first.
  public var alarms: [Float] = []
  public var hours = 0.0
  public var negativeFiles = 0
  /// Files that could not be read.
  public var unreadable: [String] = []

  /// The rates of false alarms per hour that the summary shows.
  public static let rates = [0.1, 0.5, 1, 2]

  init(name: String, threshold: Double) {
    self.name = name
    self.threshold = threshold
  }

  /// The lowest score with at most `rate` false alarms an hour counted.
  public func threshold(for rate: Double) -> Double {
    let allowed = Int(rate * hours + 1e-9)
    return allowed < alarms.count ? Double(alarms[allowed].nextUp) : 0.0001
  }

  public func missed(_ scores: [Score], at threshold: Double) -> Int {
    scores.count { Double($0.value) < threshold }
  }

  public func falseAlarms(at threshold: Double) -> Int { alarms.count { Double($0) >= threshold } }

  private func point(at threshold: Double) -> JSON {
    let count = falseAlarms(at: threshold)
    let rate = Interval.rate(count, in: hours)
    var members: [JSON.Member] = [
      .init("threshold", .rounded(threshold, digits: 5)), .init("falseAlarms", .number(Double(count))),
      .init("falseAlarmsPerHour", .rounded(Double(count) / hours)),
      .init("falseAlarmsInterval", [.rounded(rate.low), .rounded(rate.high)]),
    ]
    func add(_ prefix: String, _ scores: [Score]) {
      guard !scores.isEmpty else { return }
      let missed = missed(scores, at: threshold)
      let interval = Interval.share(missed, of: scores.count)
      members.append(.init("\(prefix)issed", .number(Double(missed))))
      members.append(.init("\(prefix)issRate", .rounded(Double(missed) / Double(scores.count), digits: 4)))
      members.append(
        .init(
          "\(prefix)issInterval", [.rounded(interval.low, digits: 4), .rounded(interval.high, digits: 4)]))
    }
    add("m", clean)
    add("noisyM", noisy)
    return .object(members)
  }

  /// Everything but the single scores, as one object.
  public var json: JSON {
    .object([
      .init("model", .string(name)), .init("positives", .number(Double(clean.count))),
      .init("negativeHours", .rounded(hours, digits: 4)),
      .init("negativeFiles", .number(Double(negativeFiles))),
      .init("unreadable", .number(Double(unreadable.count))),
      .init("snr", snr.map { .number($0) } ?? .null), .init("calibrated", point(at: threshold)),
      .init(
        "curve",
        .array(
          Self.rates.map { rate in
            guard case .object(let members) = point(at: threshold(for: rate)) else { return .null }
            return .object([.init("atMost", .number(rate))] + members)
          })),
    ])
  }

  /// The same for people, one line a rate.
  public var text: String {
    var lines = [
      "\(name): \(clean.count) recordings of the phrase, \(negativeFiles) files without it, "
        + "\(fixed(hours, 2)) h"
    ]
    func line(_ label: String, at threshold: Double) {
      let count = falseAlarms(at: threshold)
      let rate = Interval.rate(count, in: hours)
      var text =
        "\(label): \(count) false alarms, \(fixed(Double(count) / hours, 2)) per hour "
        + "(\(fixed(rate.low, 2))–\(fixed(rate.high, 2))); missed \(share(clean, at: threshold))"
      if let snr { text += "; with noise at \(fixed(snr, 0)) dB \(share(noisy, at: threshold))" }
      lines.append(text + "; score ≥ \(fixed(threshold, 4))")
    }
    line("sensitivity 0.5", at: threshold)
    for rate in Self.rates { line("at most \(fixed(rate, 1)) per hour", at: self.threshold(for: rate)) }
    for path in unreadable.prefix(10) { lines.append("not read: \(path)") }
    return lines.joined(separator: "\n") + "\n"
  }

  private func share(_ scores: [Score], at threshold: Double) -> String {
    let missed = missed(scores, at: threshold)
    let interval = Interval.share(missed, of: scores.count)
    return "\(missed) of \(scores.count), \(fixed(100 * Double(missed) / Double(scores.count), 1)) % "
      + "(\(fixed(100 * interval.low, 1))–\(fixed(100 * interval.high, 1)))"
  }

  /// Writes `evaluation.json`, `curve.csv` (threshold, false alarms per hour, miss rates) and `scores.csv`
  /// (each recording's highest score) to `folder`.
  ///
  /// - Throws: `SystemFault`.
  public func write(to folder: String) throws(SystemFault) {
    try Files.write(Array("\(json)\n".utf8), to: "\(folder)/evaluation.json")
    var curve = "threshold,false_alarms_per_hour,miss_rate,noisy_miss_rate\n"
    let levels = Set((clean + noisy).map(\.value) + alarms.prefix(400)).sorted()
    for level in levels {
      let threshold = Double(level)
      curve += "\(level),\(fixed(Double(falseAlarms(at: threshold)) / hours, 4)),"
      curve += "\(fixed(Double(missed(clean, at: threshold)) / Double(clean.count), 4)),"
      curve +=
        noisy.isEmpty ? "\n" : "\(fixed(Double(missed(noisy, at: threshold)) / Double(noisy.count), 4))\n"
    }
    try Files.write(Array(curve.utf8), to: "\(folder)/curve.csv")
    var scores = "path,score,noisy_score\n"
    for (index, score) in clean.enumerated() {
      let path = score.path.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
      scores += "\"\(path)\",\(score.value),\(noisy.isEmpty ? "" : "\(noisy[index].value)")\n"
    }
    try Files.write(Array(scores.utf8), to: "\(folder)/scores.csv")
  }

  private func fixed(_ value: Double, _ digits: Int) -> String { Decimals.text(value, digits) }
}
