import Evaluation
import Glibc
import Platform
import TestServers
import Testing

@Suite(.limited(minutes: 15)) struct StatisticsTests {
  @Test func intervalsMatchPublishedTables() {
    let none = Interval.rate(0, in: 24)
    #expect(none.low == 0 && abs(none.high * 24 - 3.689) < 0.001)
    let few = Interval.rate(2, in: 1)
    #expect(abs(few.low - 0.2422) < 0.0005 && abs(few.high - 7.2247) < 0.0005)
    let share = Interval.share(10, of: 100)
    #expect(abs(share.low - 0.0552) < 0.0005 && abs(share.high - 0.1744) < 0.0005)
    #expect(Interval.share(0, of: 40).low == 0 && Interval.share(40, of: 40).high == 1)
  }

  @Test func excessOfAlarmsMatchesTheBinomial() {
    #expect(abs(AlarmSource.excess(8, of: 10, share: 0.5) - 56.0 / 1024) < 1e-12)
    #expect(abs(AlarmSource.excess(3, of: 3, share: 0.1) - 0.001) < 1e-12)
    #expect(abs(AlarmSource.excess(1, of: 5, share: 0.2) - (1 - 0.32768)) < 1e-12)
    #expect(AlarmSource.excess(0, of: 5, share: 0.2) == 1 && AlarmSource.excess(5, of: 5, share: 1) == 1)
  }

  @Test func numbersAreRounded() {
    #expect([0.1, 2, 19.02, 0.125, 0].map { Decimals.short($0) } == ["0.1", "2", "19.02", "0.13", "0"])
    #expect(Decimals.short(0.0001, 4) == "0.0001")
    #expect([0, 0.0194, 0.9994, 0.9996, 1].map(Decimals.percent) == ["0.0", "1.9", "99.9", "100", "100"])
  }

  @Test func peaksHaveAMinimumDistance() {
    var values = [Float](repeating: 0, count: 400)
    values[50] = 3
    values[60] = 5
    values[200] = 2
    values[290] = 4
    let peaks = ScorePeak.all(in: values, gap: 75, floor: 1)
    #expect(peaks.map(\.step).sorted() == [60, 200, 290])
    #expect(ScorePeak.all(in: values, gap: 100, floor: 1).map(\.step).sorted() == [60, 290])
    #expect(ScorePeak.all(in: [], gap: 10).isEmpty)
  }

  @Test func smoothingAveragesTheLastValues() {
    #expect([Float]([3, 5, 7, 1]).smoothed(over: 2) == [3, 4, 6, 4])
  }

  @Test func theTailEstimatesTheRateOfAnExponential() throws {
    var random = RandomSource(seed: 9)
    // 60 peaks per hour with exponentially distributed heights (mean 0.8): the threshold for 0.5 per hour is
    // 0.8 · ln 120 = 3.83.
    var errors: [Double] = []
    for _ in 0..<40 {
      let peaks = (0..<240).map { _ in -0.8 * logf(max(random.uniform(), 1e-7)) }
      let curve = FalseAlarmCurve(peaks: peaks, hours: 4)
      let threshold = try #require(curve.threshold(for: 0.5))
      #expect(Double(curve.count(at: threshold)) / 4 <= 0.5)
      errors.append(threshold - 3.83)
      #expect(curve.rate(at: threshold) <= 0.5 + 1e-9)
    }
    let mean = errors.reduce(0, +) / 40
    #expect(abs(mean) < 0.45, "mean error \(mean)")
  }
}
