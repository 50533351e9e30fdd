import Evaluation
import Glibc
import Platform
import TestServers
import Testing

/// Reports of scores with known rates.
@Suite(.limited(minutes: 15)) struct EvaluationReportTests {
  /// 100 recordings by ten speakers; the first `low` of them score 0.05, the others 0.9.
  private static func condition(_ low: Int, snr: Double? = nil) -> EvaluationScores.Condition {
    EvaluationScores.Condition(
      snr: snr,
      recordings: (0..<100).map {
        EvaluationScores.Recording(
          name: "\($0).wav", group: "speaker \($0 / 10)", score: $0 < low ? 0.05 : 0.9,
          elsewhere: $0 == 0 ? 0.95 : 0)
      })
  }

  /// Returns `hours` streams of one hour, each with these peaks.
  private static func streams(
    _ source: String, hours: Int, peaks: [Double] = []
  ) -> [EvaluationScores.Stream] {
    (0..<hours).map {
      EvaluationScores.Stream(name: "\(source)/\($0).wav", source: source, seconds: 3600, peaks: peaks)
    }
  }

  private static func report(
    conditions: [EvaluationScores.Condition], streams: [EvaluationScores.Stream]
  ) -> EvaluationReport {
    EvaluationReport(
      model: "test", threshold: 0.5, scores: EvaluationScores(conditions: conditions, streams: streams))
  }

  @Test func pointsCountAlarmsAndMisses() throws {
    // 20 h: alarms at 0.8 (1), 0.6 (8 more), 0.3 (20 more).
    var streams = Self.streams("speech", hours: 20, peaks: [0.3])
    streams[0] = .init(name: "a", source: "speech", seconds: 3600, peaks: [0.8, 0.3])
    for index in 1...8 {
      streams[index] = .init(name: "b\(index)", source: "speech", seconds: 3600, peaks: [0.6, 0.3])
    }
    let report = Self.report(conditions: [Self.condition(7), Self.condition(30, snr: 10)], streams: streams)
    #expect(report.hours == 20)
    let tenth = try #require(report.point(for: 0.1))
    #expect(!tenth.isEstimated && tenth.falseAlarms == 1 && tenth.threshold == 0.6.nextUp)
    let half = try #require(report.point(for: 0.5))
    #expect(half.falseAlarms == 9 && half.threshold == 0.3.nextUp && half.falseAlarmsPerHour == 0.45)
    let two = try #require(report.point(for: 2))
    #expect(two.falseAlarms == 29 && two.threshold == EvaluationReport.floor)
    #expect(half.misses.map(\.missed) == [7, 30] && two.misses.map(\.missed) == [0, 0])
    #expect(half.misses.map(\.condition) == ["clean", "10 dB"])
    #expect(report.calibrated.falseAlarms == 9 && report.calibrated.misses[0].rate == 0.07)
  }

  @Test func ratesThatTheAudioCannotCountAreEstimatedAndMarked() throws {
    let peaks = (1...40).map { Double($0) / 60 }
    let streams = [EvaluationScores.Stream(name: "a", source: "a", seconds: 7200, peaks: peaks)]
    let report = Self.report(conditions: [Self.condition(7)], streams: streams)
    let tenth = try #require(report.point(for: 0.1))
    #expect(tenth.isEstimated && tenth.falseAlarms == 0)
    // One false alarm in two hours can be counted at 0.5 per hour.
    let half = try #require(report.point(for: 0.5))
    #expect(!half.isEstimated && half.falseAlarms == 1)
    #expect(tenth.threshold > half.threshold && tenth.threshold < 1)
    #expect(report.caveats.contains(.tooFewHours(2, rates: [0.1])))
    #expect(report.text.contains("~\(Decimals.text(tenth.threshold, 4))"))
  }

  @Test func minutesOfAudioCannotMeasureRareAlarms() throws {
    let streams = [EvaluationScores.Stream(name: "a", source: "a", seconds: 600, peaks: [0.2, 0.1, 0.7])]
    let report = Self.report(conditions: [Self.condition(7)], streams: streams)
    // Ten minutes contain a sixth of a false alarm at 1 per hour, a third at 2.
    #expect(report.points.map(\.goal) == [1, 2])
    #expect(report.comparison.goal == nil && report.sources[0].falseAlarms == 1)
    let verdict = report.verdict(of: ModelOrigin(phrase: "x"))
    #expect(
      verdict.outcome == .notMeasured && verdict.remedies == [.measureMoreHours(have: 1.0 / 6, need: 2)])
    #expect(verdict.message.contains("NOT MEASURED"))
    #expect(report.caveats.contains(.tooFewHours(1.0 / 6, rates: [1, 2])))
    #expect(report.caveats.contains(.outOfReach(1.0 / 6, rates: [0.1, 0.5])))
    let curve = try #require(report.json["curve"]?.array)
    #expect(curve.compactMap { $0["atMost"]?.number } == [0.1, 0.5, 1, 2])
    #expect(curve[0]["threshold"] == .null && curve[3]["threshold"]?.number != nil)
  }

  @Test func onlySourcesWithMoreThanTheirShareAreReported() throws {
    // 12 false alarms in one hour of rain, 3 in 28 hours of speech.
    var streams = Self.streams("speech", hours: 28)
    for index in 0..<3 {
      streams[index] = .init(name: "s\(index)", source: "speech", seconds: 3600, peaks: [0.7])
    }
    streams.append(
      .init(name: "rain/1", source: "rain", seconds: 3600, peaks: [Double](repeating: 0.7, count: 12)))
    streams.append(.init(name: "music/1", source: "music", seconds: 3600, peaks: [0.7]))
    let report = Self.report(conditions: [Self.condition(0)], streams: streams)
    let half = try #require(report.point(for: 0.5))
    #expect(half.falseAlarms == 0, "16 equal peaks are either all above or all below")
    // The share is computed at the threshold for 0.5 per hour; more hours of audio raise the number of
    // allowed alarms.
    streams += Self.streams("quiet", hours: 4)
    let longer = Self.report(conditions: [Self.condition(0)], streams: streams)
    #expect(longer.point(for: 0.5)?.falseAlarms == 16)
    #expect(longer.sources.map(\.name) == ["rain", "music", "speech", "quiet"])
    #expect(longer.sources.filter(\.isAboveShare).map(\.name) == ["rain"])
    #expect(longer.outstandingFiles.map(\.name) == ["rain/1"])
    let rain = try #require(longer.sources.first)
    // 12 or more of 16 in one of 34 hours.
    #expect(rain.probability > 1e-16 && rain.probability < 1e-14)
    #expect(longer.text.contains("!") && longer.text.contains("rain causes 12 of 16"))
    #expect(longer.verdict(of: ModelOrigin(phrase: "test")).outcome == .met)
  }

  @Test func groupsAreListedWorstFirst() {
    let report = Self.report(
      conditions: [Self.condition(13)], streams: Self.streams("a", hours: 10, peaks: [0.3]))
    #expect(report.groups.count == 10)
    #expect(report.groups[0].name == "speaker 0" && report.groups[0].missed == 10)
    #expect(report.groups[1].missed == 3 && report.groups[2].missed == 0)
    #expect(report.caveats.contains(.foundElsewhere(1)))
  }

  @Test func theVerdictSuggestsImprovements() throws {
    let streams = Self.streams("a", hours: 10, peaks: [0.3])
    let origin = ModelOrigin(phrase: "jarvis", recordings: 40, speakers: 6, negativeHours: 3)
    let report = Self.report(conditions: [Self.condition(13), Self.condition(60, snr: 10)], streams: streams)
    let verdict = report.verdict(on: EvaluationTarget(missRate: 0.05), of: origin)
    #expect(verdict.outcome == .notMet && verdict.isCertain)
    #expect(
      verdict.remedies == [
        .enroll(groups: ["speaker 0"], missed: 10, of: 13), .moreSpeakers(have: 6), .moreRecordings(have: 40),
        .moreNegatives(hours: 3), .longerPhrase("jarvis", syllables: 2),
      ])
    #expect(verdict.message.contains("NOT MET") && verdict.message.contains("13.0 % (7.8–21.0 %)"))
    let open = report.verdict(on: EvaluationTarget(missRate: 0.15), of: origin)
    #expect(open.outcome == .met && !open.isCertain)
    guard case .measureMoreRecordings(have: 100, let need) = open.remedies.first else {
      Issue.record("\(open.remedies)")
      return
    }
    #expect(Interval.share(Int(0.13 * Double(need + 100)), of: need + 100).high < 0.153)
    let noisy = report.verdict(on: EvaluationTarget(missRate: 0.15, snr: 10), of: origin)
    #expect(noisy.outcome == .notMet && noisy.remedies.contains(.noise))
    #expect(report.verdict(on: EvaluationTarget(snr: 3), of: origin).outcome == .notMeasured)
    let synthetic = ModelOrigin(phrase: "smart mirror", recordings: 0)
    let spoken = report.verdict(on: EvaluationTarget(missRate: 0.05), of: synthetic)
    #expect(spoken.remedies.contains(.recordThePhrase))
    #expect(!spoken.remedies.contains { if case .longerPhrase = $0 { true } else { false } })
  }

  @Test func theVerdictIsAboutTheModelAsItRuns() throws {
    // No miss, and 47 false alarms in 10 h at the threshold as set; without them at 0.8.
    var streams = Self.streams("speech", hours: 9)
    streams.append(
      .init(name: "tv", source: "tv", seconds: 3600, peaks: [Double](repeating: 0.7, count: 47)))
    let report = Self.report(conditions: [Self.condition(0)], streams: streams)
    #expect(report.point(for: 0.5)?.misses.first?.missed == 0)
    let origin = ModelOrigin(phrase: "test")
    let verdict = report.verdict(of: origin) { 1.08 - $0 }
    #expect(verdict.outcome == .notMet && verdict.falseAlarms == 47)
    #expect(verdict.message.contains("47 false alarms in 10.0 h, 4.70 per hour"))
    #expect(verdict.remedies.first == .sensitivity(0.35))
    #expect(verdict.text.contains("--sensitivity 0.35"))
    #expect(report.sources.first { $0.name == "tv" }?.falseAlarmsAsSet == 47)
    let never = report.verdict(of: origin) { _ in 0.5 }
    #expect(!never.remedies.contains { if case .sensitivity = $0 { true } else { false } })
  }

  @Test func noLineIsWiderThan80Columns() {
    var streams = (0..<30).flatMap {
      Self.streams("a folder with quite a long name, number \($0)", hours: 1, peaks: [0.6])
    }
    streams += Self.streams("short", hours: 2000, peaks: [0.2])
    let report = Self.report(
      conditions: [Self.condition(100), Self.condition(99, snr: -12.5)], streams: streams)
    let verdict = report.verdict(of: ModelOrigin(phrase: "a", recordings: 1, speakers: 1, negativeHours: 0))
    for line in (report.text + (verdict.text)).split(separator: "\n") {
      #expect(line.count <= 80, "\(line)")
    }
  }

  @Test func jsonMemberNamesAreStable() throws {
    let report = Self.report(
      conditions: [Self.condition(7), Self.condition(9, snr: 10)],
      streams: Self.streams("a", hours: 10, peaks: [0.3]))
    let json = report.json(with: report.verdict(of: ModelOrigin(phrase: "x")))
    #expect(
      json.members?.map(\.name) == [
        "model", "conditions", "synthetic", "hours", "files", "curve", "calibrated", "sources",
        "outstandingFiles", "groups", "learnedFrom", "unreadable", "contradictory", "caveats", "verdict",
      ])
    let point = try #require(json["curve"]?.array?.first)
    #expect(
      point.members?.map(\.name) == [
        "atMost", "threshold", "estimated", "falseAlarms", "falseAlarmsPerHour", "interval", "conditions",
      ])
    #expect(json["curve"]?.array?.compactMap { $0["atMost"]?.number } == [0.1, 0.5, 1, 2])
    #expect(json["calibrated"]?["atMost"] == .null)
    #expect(
      point["conditions"]?.array?.last?.members?.map(\.name) == [
        "name", "snr", "recordings", "missed", "missRate", "interval",
      ])
    #expect(
      json["sources"]?.array?.first?.members?.map(\.name) == [
        "name", "files", "hours", "falseAlarms", "falseAlarmsPerHour", "falseAlarmsAsSet", "interval",
        "probability", "aboveShare",
      ])
    #expect(
      json["verdict"]?.members?.map(\.name) == [
        "condition", "falseAlarmsPerHour", "atMost", "outcome", "falseAlarms", "missRate", "interval",
        "certain",
        "remedies",
      ])
  }
}
