/// What a report's numbers cannot tell, or should not be taken for.
public enum Caveat: Sendable, Equatable {
  /// The hours hold less than one alarm at these rates: their thresholds are told by the highest peaks' tail.
  case tooFewHours(Double, rates: [Double])
  /// The hours are far too few to tell anything of these rates.
  case outOfReach(Double, rates: [Double])
  /// Recordings that are missed as set, but score high away from the phrase's end.
  case foundElsewhere(Int)
  /// The recordings of the phrase are synthesized.
  case syntheticRecordings
  /// The model learned from what it is measured on.
  case trainedOn([String])
  case unreadable(Int, first: String)
  /// Files given as without the phrase are among its recordings, and were left out.
  case contradictory(Int, first: String)
  /// A source with more than its share of the false alarms.
  case aboveShare(String, falseAlarms: Int, of: Int, hours: Double, ofHours: Double)

  /// One sentence without its full stop.
  public var message: String {
    switch self {
    case .tooFewHours(let hours, let rates):
      let most = Interval.rate(0, in: hours).high
      return
        "~: \(Decimals.text(hours, 2)) h cannot count \(Self.list(rates)) false alarms an hour, only estimate "
        + "the threshold from the highest scores; where none is counted there may be up to "
        + "\(Decimals.short(most)) an hour; \(Self.takes(rates))"
    case .outOfReach(let hours, let rates):
      return
        "\(Decimals.text(hours, 2)) h are too few to tell anything of \(Self.list(rates)) false alarms an hour; "
        + Self.takes(rates)
    case .foundElsewhere(let count):
      return
        "\(Decimals.count(count, "recording is", "recordings are")) counted as missed but would wake it away from the "
        + "phrase's end: is the phrase alone in \(count == 1 ? "it" : "them")?"
    case .syntheticRecordings:
      return "the phrase was spoken by synthetic voices: real ones will be missed more often"
    case .trainedOn(let folders):
      return
        "the model learned from \(folders.joined(separator: ", ")): the numbers flatter it; measure on other "
        + "speakers and hours, or see its card"
    case .unreadable(let count, let first):
      return "\(Decimals.count(count, "file", "files")) could not be read, the first: \(first)"
    case .contradictory(let count, let first):
      return
        "\(Decimals.count(count, "file was", "files were")) given both with and without the phrase and not counted "
        + "as without, the first: \(first)"
    case .aboveShare(let name, let alarms, let total, let hours, let all):
      return
        "\(name) gives \(alarms) of \(total) false alarms in \(Decimals.text(hours, 2)) of "
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

  private static func takes(_ rates: [Double]) -> String {
    let least = rates.min() ?? 1
    return "to count \(Decimals.short(least)) takes \(Decimals.short(1 / least)) h or more"
  }
}

extension EvaluationReport {
  /// Everything to know before the numbers are believed.
  public var caveats: [Caveat] {
    var list: [Caveat] = []
    if scores.areSynthetic { list.append(.syntheticRecordings) }
    if !scores.trainedOn.isEmpty { list.append(.trainedOn(scores.trainedOn)) }
    let estimated = points.filter(\.isEstimated).compactMap(\.goal)
    if !estimated.isEmpty { list.append(.tooFewHours(hours, rates: estimated)) }
    let lost = Self.rates.filter { point(for: $0) == nil }
    if !lost.isEmpty { list.append(.outOfReach(hours, rates: lost)) }
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
