/// A limitation of a report's numbers.
public enum Caveat: Sendable, Equatable {
  /// The audio is too short to count these rates. Their thresholds are extrapolated from the highest peaks.
  case tooFewHours(Double, rates: [Double])
  /// The audio is too short even to estimate these rates.
  case outOfReach(Double, rates: [Double])
  /// The number of recordings that are missed at the threshold as set, but score high away from the phrase's
  /// end.
  case foundElsewhere(Int)
  /// The recordings of the phrase are synthesized.
  case syntheticRecordings
  /// The model was trained on the folders that it is evaluated on.
  case trainedOn([String])
  case unreadable(Int, first: String)
  /// Files without the phrase that were also given as recordings of it. They were not counted as files
  /// without it.
  case contradictory(Int, first: String)
  /// A source that causes more than its share of the false alarms.
  case aboveShare(String, falseAlarms: Int, of: Int, hours: Double, ofHours: Double)

  /// The limitation as one sentence, without a full stop.
  public var message: String {
    switch self {
    case .tooFewHours(let hours, let rates):
      let most = Interval.rate(0, in: hours).high
      return
        "~ marks an estimate: \(Decimals.text(hours, 2)) h of audio are too short to count \(Self.list(rates)) "
        + "false alarms per hour, so the threshold is extrapolated from the highest scores; if none is "
        + "counted, the true rate may be up to \(Decimals.short(most)) per hour; \(Self.advice(rates))"
    case .outOfReach(let hours, let rates):
      return
        "\(Decimals.text(hours, 2)) h of audio are too short to estimate \(Self.list(rates)) false alarms per hour; "
        + Self.advice(rates)
    case .foundElsewhere(let count):
      return
        "\(Decimals.count(count, "recording counts", "recordings count")) as missed but would trigger away from the phrase's "
        + "end; check that \(count == 1 ? "it contains" : "they contain") only the phrase"
    case .syntheticRecordings:
      return "the phrase was spoken by synthetic voices; expect a higher miss rate with real voices"
    case .trainedOn(let folders):
      return
        "the model was trained on \(folders.joined(separator: ", ")), so these results are too good; measure on "
        + "other speakers and recordings, or see the model's card"
    case .unreadable(let count, let first):
      return "\(Decimals.count(count, "file", "files")) could not be read (first: \(first))"
    case .contradictory(let count, let first):
      return
        "\(Decimals.count(count, "file was", "files were")) given both as positives and as negatives, and not counted as "
        + "negatives (first: \(first))"
    case .aboveShare(let name, let alarms, let total, let hours, let all):
      return
        "\(name) causes \(alarms) of \(total) false alarms in \(Decimals.text(hours, 2)) of "
        + "\(Decimals.text(all, 2)) h: more than its share"
    }
  }
}

extension Caveat {
  /// `0.1, 0.5 and 1`.
  private static func list(_ rates: [Double]) -> String {
    let texts = rates.map { Decimals.short($0) }
    guard texts.count > 1 else { return texts.first ?? "" }
    return "\(texts.dropLast().joined(separator: ", ")) and \(texts[texts.count - 1])"
  }

  private static func advice(_ rates: [Double]) -> String {
    let least = rates.min() ?? 1
    return "to count \(Decimals.short(least)), measure on \(Decimals.short(1 / least)) h or more"
  }
}

extension EvaluationReport {
  /// The limitations of this report.
  public var caveats: [Caveat] {
    var list: [Caveat] = []
    if scores.areSynthetic { list.append(.syntheticRecordings) }
    if !scores.trainedOn.isEmpty { list.append(.trainedOn(scores.trainedOn)) }
    let estimated = points.filter(\.isEstimated).compactMap(\.goal)
    if !estimated.isEmpty { list.append(.tooFewHours(hours, rates: estimated)) }
    let unmeasured = Self.rates.filter { point(for: $0) == nil }
    if !unmeasured.isEmpty { list.append(.outOfReach(hours, rates: unmeasured)) }
    let elsewhere = scores.conditions.first?.recordings.count {
      $0.score < threshold && $0.elsewhere >= threshold
    }
    if let elsewhere, elsewhere > 0 { list.append(.foundElsewhere(elsewhere)) }
    for source in sources.filter(\.isAboveShare) + outstandingFiles {
      list.append(
        .aboveShare(
          source.name, falseAlarms: source.falseAlarms, of: comparison.falseAlarms, hours: source.hours,
          ofHours: hours))
    }
    if let first = scores.contradictory.first {
      list.append(.contradictory(scores.contradictory.count, first: first))
    }
    if let first = scores.unreadable.first { list.append(.unreadable(scores.unreadable.count, first: first)) }
    return list
  }
}
