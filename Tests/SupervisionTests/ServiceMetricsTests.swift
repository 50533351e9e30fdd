import Platform
import Supervision
import TestServers
import Testing

/// What Prometheus reads.
@Suite(.limited) struct ServiceMetricsTests {
  private func tally() -> ServiceMetrics {
    let tally = ServiceMetrics(endings: ["done", "failed"])
    tally.stream.keyword("computer").wakes.add(3)
    tally.stream.keyword("say \"hi\"\\").nearMisses.add()
    tally.stream.heard.add(24_000)
    tally.stream.gaps.add()
    tally.stream.lost.add(8_000)
    tally.recognition.note(0.2)
    tally.recognition.note(0.7)
    tally.recognition.note(99)
    tally.fail(.handling)
    tally.end("done")
    tally.end("unheard of")
    return tally
  }

  @Test func everyCountIsTold() throws {
    let metrics = try MetricsReader(tally().exposition(version: "1.2"))
    #expect(metrics.values["hotword_wakes_total{keyword=\"computer\"}"] == 3)
    #expect(metrics.values["hotword_near_misses_total{keyword=\"say \\\"hi\\\"\\\\\"}"] == 1)
    #expect(metrics.values["hotword_audio_seconds_total"] == 1.5)
    #expect(metrics.values["hotword_lost_audio_seconds_total"] == 0.5)
    #expect(metrics.values["hotword_failures_total{stage=\"handling\"}"] == 1)
    #expect(metrics.values["hotword_failures_total{stage=\"recognition\"}"] == 0)
    #expect(metrics.values["hotword_conversations_total{ending=\"done\"}"] == 1)
    #expect(metrics.values["hotword_build_info{version=\"1.2\"}"] == 1)
    #expect((metrics.values["process_resident_memory_bytes"] ?? 0) > 1e6)
    #expect((metrics.values["process_open_fds"] ?? 0) >= 3)
  }

  @Test func aHistogramCountsUp() throws {
    let metrics = try MetricsReader(tally().exposition(version: "1"))
    let buckets = ["0.1", "0.25", "0.5", "1", "30", "+Inf"].map {
      metrics.values["hotword_recognition_seconds_bucket{le=\"\($0)\"}"]
    }
    #expect(buckets == [0, 1, 1, 2, 2, 3])
    #expect(metrics.values["hotword_recognition_seconds_count"] == 3)
    #expect(abs((metrics.values["hotword_recognition_seconds_sum"] ?? 0) - 99.9) < 1e-6)
  }

  @Test func namesFollowTheConventions() throws {
    let metrics = try MetricsReader(tally().exposition(version: "1"))
    #expect(metrics.types.count > 15)
    for (name, type) in metrics.types { #expect((type == "counter") == name.hasSuffix("_total"), "\(name)") }
    #expect(metrics.types["hotword_recognition_seconds"] == "histogram")
  }

  private static let promtool =
    (try? Subprocess(["which", "promtool"]).run(timeout: 5))?.ending == .exited(0)

  @Test(.enabled(if: promtool, "no promtool, of Debian's prometheus"))
  func promtoolFindsNoFault() throws {
    let page = Array(tally().exposition(version: "1").utf8)
    let result = try Subprocess(["promtool", "check", "metrics"]).run(input: page, timeout: 30)
    #expect(result.ending == .exited(0))
    #expect(result.output.isEmpty)
  }
}
