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
