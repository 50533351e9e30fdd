import Speakers
import TestServers
import Testing

@Suite(.limited) struct TimeWarpTests {
  private func shape(_ rows: [Float]) -> CepstralShape {
    CepstralShape(rows.flatMap { row in (0..<VoicePrint.bands).map { row * Float($0 % 7) } })
  }

  private let even = [Float](repeating: 1, count: CepstralShape.width)

  @Test func aPrintHasNoDifferencesFromItself() {
    let one = shape((0..<30).map { Float($0 % 5) })
    #expect(TimeWarp.differences(one, one, weights: even).allSatisfy { $0 == 0 })
  }

  @Test func theSpeakingRateDoesNotMatter() {
    let steady = shape((0..<40).map { $0 < 20 ? 0 : 1 })
    let hurried = shape((0..<40).map { $0 < 10 ? 0 : 1 })
    let other = shape((0..<40).map { $0 < 20 ? 1 : 0 })
    let same = TimeWarp.differences(steady, hurried, weights: even).reduce(0, +)
    #expect(same < TimeWarp.differences(steady, other, weights: even).reduce(0, +) / 2)
  }

  @Test func theOrderOfThePairDoesNotMatter() {
    let first = shape((0..<25).map { Float(($0 * 7) % 5) })
    let second = shape((0..<33).map { Float(($0 * 3) % 4) })
    let there = TimeWarp.differences(first, second, weights: even)
    let back = TimeWarp.differences(second, first, weights: even)
    for (a, b) in zip(there, back) { #expect(abs(a - b) <= 0.02 * max(a, 0.1)) }
  }
}
