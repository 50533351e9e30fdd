import Glibc

/// The false alarms of one kind of sound, or of one file, against those of everything else.
public struct AlarmSource: Sendable, Equatable {
  public let name: String
  public let files: Int
  public let hours: Double
  public let falseAlarms: Int
  /// The probability of so many alarms or more in these hours if all audio gave them alike.
  public let probability: Double
  /// Whether it gives more than its share: ``probability`` is below 5 % divided by the number of sources compared.
  public let isAboveShare: Bool

  /// False alarms per hour.
  public var perHour: Double { hours > 0 ? Double(falseAlarms) / hours : 0 }
  /// Its 95 % confidence interval (exact Poisson limits).
  public var interval: Interval { .rate(falseAlarms, in: hours) }

  /// The streams at `threshold`, one entry a source, most alarms per hour first.
  static func kinds(_ streams: [EvaluationScores.Stream], at threshold: Double) -> [AlarmSource] {
    compare(streams, at: threshold, least: 1) { $0.source }
  }

  /// The single streams with at least two alarms that give more than their share.
  static func outstanding(_ streams: [EvaluationScores.Stream], at threshold: Double) -> [AlarmSource] {
    compare(streams, at: threshold, least: 2) { $0.name }.filter(\.isAboveShare)
  }

  private static func compare(
    _ streams: [EvaluationScores.Stream], at threshold: Double, least: Int,
    by name: (EvaluationScores.Stream) -> String
  ) -> [AlarmSource] {
    var order: [String] = []
    var tallies: [String: (files: Int, seconds: Double, alarms: Int)] = [:]
    for stream in streams {
      let key = name(stream)
      if tallies[key] == nil { order.append(key) }
      var tally = tallies[key] ?? (0, 0, 0)
      tally.files += 1
      tally.seconds += stream.seconds
      tally.alarms += stream.peaks.count { $0 >= threshold }
      tallies[key] = tally
    }
    let seconds = streams.reduce(0) { $0 + $1.seconds }
    let alarms = tallies.values.reduce(0) { $0 + $1.alarms }
    let limit = 0.05 / Double(max(1, order.count))
    return order.map { key in
      let tally = tallies[key]!
      let probability = excess(tally.alarms, of: alarms, share: seconds > 0 ? tally.seconds / seconds : 1)
      return AlarmSource(
        name: key, files: tally.files, hours: tally.seconds / 3600, falseAlarms: tally.alarms,
        probability: probability, isAboveShare: tally.alarms >= least && probability < limit)
    }.sorted { $0.perHour == $1.perHour ? $0.hours > $1.hours : $0.perHour > $1.perHour }
  }

  /// The probability of `count` or more of `total` Poisson events in a part that holds `share` of the time.
  ///
  /// Given their total, the events of a part are binomial (Przyborowski and Wilenski, 1940).
  package static func excess(_ count: Int, of total: Int, share: Double) -> Double {
    guard count > 0, share < 1 else { return 1 }
    guard share > 0 else { return 0 }
    var sum = 0.0
    for events in count...max(count, total) {
      let ways = lgamma(Double(total) + 1) - lgamma(Double(events) + 1) - lgamma(Double(total - events) + 1)
      sum += exp(ways + Double(events) * log(share) + Double(total - events) * log1p(-share))
    }
    return min(1, sum)
  }
}

/// The recordings of one speaker, session or folder.
public struct SpeakerGroup: Sendable, Equatable {
  public let name: String
  public let recordings: Int
  public let missed: Int

  /// The share missed, 0…1.
  public var rate: Double { Double(missed) / Double(recordings) }
  /// Its 95 % confidence interval (Wilson).
  public var interval: Interval { .share(missed, of: recordings) }

  /// The groups at `threshold`, most missed first; none where there is only one.
  static func all(_ recordings: [EvaluationScores.Recording], at threshold: Double) -> [SpeakerGroup] {
    var tallies: [String: (count: Int, missed: Int)] = [:]
    for recording in recordings {
      guard let group = recording.group else { continue }
      let tally = tallies[group] ?? (0, 0)
      tallies[group] = (tally.count + 1, tally.missed + (recording.score < threshold ? 1 : 0))
    }
    guard tallies.count > 1 else { return [] }
    return tallies.map { SpeakerGroup(name: $0.key, recordings: $0.value.count, missed: $0.value.missed) }
      .sorted { $0.rate == $1.rate ? $0.name < $1.name : $0.rate > $1.rate }
  }
}
