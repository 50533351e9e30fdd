import Evaluation
import Platform
import Speakers

/// Fits the metric of voice prints on many speakers, and calibrates its score.
package enum VoiceMetricFit {
  /// A fitted metric with its data.
  package struct Result: Sendable {
    package let metric: VoiceMetric
    package let clips: Int
    package let speakers: Int
    /// The equal error rate of the calibration trials: three clips against one, half of them noisy, scored by
    /// a metric that was not fitted on those speakers.
    package let equalErrorRate: Double
  }

  private static let penalty = 0.01
  /// The number of impostor pairs for each pair of one voice.
  private static let impostors = 3
  private static let pairLimit = 1500

  /// A pair of clips. In every other pair, the second clip is noisy.
  private struct Pair {
    let first: Int
    let second: Int
    let isSame: Bool
    let isNoisy: Bool
  }

  package static func run(_ corpus: VoiceCorpus, seed: UInt64, threads: Int) -> Result {
    let items = corpus.items
    let all = fit(items, Array(items.indices), seed: seed, threads: threads)
    var trials: [(evidence: Double, isSame: Bool)] = []
    for half in 0..<2 {
      let (own, other) = split(items, half: half)
      let metric = fit(items, own, seed: seed, threads: threads)
      trials += score(items, other, by: metric, seed: seed, threads: threads)
    }
    let line = LogisticRegression(trials.map { [$0.evidence] }, labels: trials.map(\.isSame), penalty: 1e-6)
    let (threshold, rate) = equalError(trials)
    let metric = VoiceMetric(
      warpWeights: all.warpWeights, weights: all.weights, bias: all.bias, threshold: threshold,
      slope: line.weights[0])
    return Result(
      metric: metric, clips: items.count, speakers: Set(items.map(\.speaker)).count, equalErrorRate: rate)
  }

  /// Returns the clips of one half of the speakers, and of the other half.
  private static func split(_ items: [VoiceCorpus.Item], half: Int) -> (own: [Int], other: [Int]) {
    let speakers = Set(items.map(\.speaker)).sorted()
    let first = Set(speakers.indices.filter { $0 % 2 == half }.map { speakers[$0] })
    return (
      items.indices.filter { first.contains(items[$0].speaker) },
      items.indices.filter { !first.contains(items[$0].speaker) }
    )
  }

  private static func fit(
    _ items: [VoiceCorpus.Item], _ chosen: [Int], seed: UInt64, threads: Int
  ) -> VoiceMetric {
    let warp = VoiceMetric.warpWeights(of: chosen.map { items[$0].quiet })
    let blank = VoiceMetric(warpWeights: warp, weights: [], bias: 0)
    let pairs = Self.pairs(items, chosen, seed: seed)
    let rows = Parallel.map(pairs.count, threads: threads) { index in
      let pair = pairs[index]
      let second = items[pair.second]
      return blank.differences(items[pair.first].quiet, pair.isNoisy ? second.noisy : second.quiet)
    }
    let fitted = LogisticRegression(rows, labels: pairs.map(\.isSame), penalty: penalty)
    return VoiceMetric(warpWeights: warp, weights: fitted.weights, bias: fitted.bias)
  }

  private static func pairs(_ items: [VoiceCorpus.Item], _ chosen: [Int], seed: UInt64) -> [Pair] {
    var random = RandomSource(seed: seed).stream(1)
    let groups = Dictionary(grouping: chosen) { "\(items[$0].word)/\(items[$0].speaker)" }
    var same: [(Int, Int)] = []
    for key in groups.keys.sorted() {
      let group = groups[key]!
      for first in group { for second in group where second != first { same.append((first, second)) } }
    }
    for index in same.indices.reversed() { same.swapAt(index, Int(random.next() % UInt64(index + 1))) }
    let words = Dictionary(grouping: chosen) { items[$0].word }
    var pairs: [Pair] = []
    for pair in same.prefix(pairLimit) {
      for isNoisy in [false, true] {
        pairs.append(Pair(first: pair.0, second: pair.1, isSame: true, isNoisy: isNoisy))
        for _ in 0..<impostors {
          let first = chosen[Int(random.next() % UInt64(chosen.count))]
          let word = words[items[first].word]!
          let second = word[Int(random.next() % UInt64(word.count))]
          guard items[first].speaker != items[second].speaker else { continue }
          pairs.append(Pair(first: first, second: second, isSame: false, isNoisy: isNoisy))
        }
      }
    }
    return pairs
  }

  /// Returns the evidence of trials: three clean clips of a voice against its other clips and against
  /// impostors.
  private static func score(
    _ items: [VoiceCorpus.Item], _ chosen: [Int], by metric: VoiceMetric, seed: UInt64, threads: Int
  ) -> [(evidence: Double, isSame: Bool)] {
    var random = RandomSource(seed: seed).stream(2)
    let groups = Dictionary(grouping: chosen) { "\(items[$0].word)/\(items[$0].speaker)" }
    let words = Dictionary(grouping: chosen) { items[$0].word }
    var trials: [(voice: [Int], test: Int, isSame: Bool)] = []
    for key in groups.keys.sorted() where groups[key]!.count > 3 {
      let group = groups[key]!
      let voice = Array(group.prefix(3))
      for test in group.dropFirst(3) { trials.append((voice, test, true)) }
      let word = words[items[voice[0]].word]!
      for _ in 0..<10 {
        let test = word[Int(random.next() % UInt64(word.count))]
        if items[test].speaker != items[voice[0]].speaker { trials.append((voice, test, false)) }
      }
    }
    let drawn = trials
    return Parallel.map(drawn.count, threads: threads) { index in
      let trial = drawn[index]
      let voice = trial.voice.map { items[$0].quiet }
      let test = items[trial.test]
      let evidence = metric.evidence(
        index % 2 == 0 ? test.quiet : test.noisy, of: voice, likeness: metric.likeness(voice))
      return (evidence, trial.isSame)
    }
  }

  /// Returns the threshold at which the rates of rejected same voices and accepted impostors are equal, and
  /// that rate.
  package static func equalError(
    _ trials: [(evidence: Double, isSame: Bool)]
  ) -> (threshold: Double, rate: Double) {
    let sorted = trials.sorted { $0.evidence < $1.evidence }
    let same = Double(sorted.count { $0.isSame })
    let impostors = Double(sorted.count) - same
    var missed = 0.0
    var passed = impostors
    for (index, trial) in sorted.enumerated() {
      if trial.isSame { missed += 1 } else { passed -= 1 }
      guard missed / same >= passed / impostors else { continue }
      let next = index + 1 < sorted.count ? sorted[index + 1].evidence : trial.evidence
      return ((trial.evidence + next) / 2, (missed / same + passed / impostors) / 2)
    }
    return (0, 0.5)
  }
}
