import CTraining
import Evaluation
import Glibc
import Platform
import Speakers

/// Fits the space of voices on the speech of many speakers, and the odds on speakers that are held out.
package enum VoiceSpaceFit {
  /// A fitted space with its data.
  package struct Result: Sendable {
    package let space: VoiceSpace
    package let clips: Int
    package let speakers: Int
    /// The trials with speakers that are held out.
    package let trials: VoiceTrials
  }

  private static let components = 32
  private static let dimensions = 80
  private static let mixtureRounds = 12
  private static let mixtureVectors = 150_000
  /// The share of the speakers that are held out for the odds.
  private static let heldOut = 0.1
  /// The part of the mean variance within speakers that is added to each.
  private static let ridge = 0.1
  /// The vectors of the shortest orders that count for the odds: 0.6 s of sounds.
  private static let leastOrder = 60
  /// The share of orders by the enrolled voice that are rejected.
  private static let rejected = 0.08

  package static func run(_ corpus: SpeakerCorpus, seed: UInt64, threads: Int) -> Result {
    let own = corpus.items.filter { !Split.isHeldOut($0.speaker, share: heldOut) }
    let others = corpus.items.filter { Split.isHeldOut($0.speaker, share: heldOut) }
    let (mixture, channel) = mixture(own, seed: seed, threads: threads)
    let (center, directions) = directions(own, mixture, channel, seed: seed, threads: threads)
    func space(_ odds: [Double]) -> VoiceSpace {
      VoiceSpace(mixture: mixture, channel: channel, center: center, directions: directions, odds: odds)
    }
    let trials = VoiceTrials(others, space([]), seed: seed, threads: threads)
    let space = space(
      odds(trials.all.filter { !$0.isShort && $0.rendering != .distant && $0.order >= leastOrder }))
    return Result(
      space: space, clips: own.count, speakers: Set(own.map(\.speaker)).count, trials: trials)
  }

  // MARK: The mixture

  /// Fits the mixture to clips without the colour of their microphones, by expectation maximization.
  private static func mixture(
    _ items: [SpeakerCorpus.Item], seed: UInt64, threads: Int
  ) -> (VoiceSpace.Mixture, channel: [Float]) {
    let width = VoiceSpace.width
    var random = RandomSource(seed: seed).stream(1)
    var vectors: [Float] = []
    var channel = [Float](repeating: 0, count: width)
    var clips: Float = 0
    while vectors.count < mixtureVectors * width {
      let prints = items[Int(random.next() % UInt64(items.count))].prints
      let clip = prints[Int(random.next() % UInt64(prints.count))].cepstra
      var mean = [Float](repeating: 0, count: width)
      for index in clip.indices { mean[index % width] += clip[index] / Float(clip.count / width) }
      for index in 0..<width { channel[index] += mean[index] }
      clips += 1
      vectors += clip.enumerated().map { $1 - mean[$0 % width] }
    }
    let count = vectors.count / width
    let all = VoiceSpace.Sums(
      vectors,
      VoiceSpace.Mixture(
        means: [Float](repeating: 0, count: width), variances: [Float](repeating: 1, count: width),
        shares: [1]),
      squares: true)
    let spread = all.squares.map { $0 / Float(count) }
    var mixture = VoiceSpace.Mixture(
      means: (0..<components).flatMap { _ in
        let start = Int(random.next() % UInt64(count)) * width
        return vectors[start..<start + width]
      }, variances: (0..<components).flatMap { _ in spread },
      shares: [Float](repeating: 1 / Float(components), count: components))
    let block = 5_000 * width
    for _ in 0..<mixtureRounds {
      let (now, vectors) = (mixture, vectors)
      let parts = Parallel.map((vectors.count + block - 1) / block, threads: threads) { part in
        VoiceSpace.Sums(
          Array(vectors[part * block..<min(vectors.count, (part + 1) * block)]), now, squares: true)
      }
      for component in 0..<components {
        let share = parts.reduce(0) { $0 + $1.counts[component] }
        mixture.shares[component] = (share + 1) / Float(count + components)
        for index in component * width..<(component + 1) * width {
          let mean = parts.reduce(0) { $0 + $1.sums[index] } / (share + 1e-3)
          let square = parts.reduce(0) { $0 + $1.squares[index] } / (share + 1e-3)
          mixture.means[index] = mean
          mixture.variances[index] = max(1e-3, square - mean * mean)
        }
      }
    }
    return (mixture, channel.map { $0 / clips })
  }

  // MARK: The directions

  /// The directions in which speakers differ most in relation to the clips of one speaker, each speaker with equal weight.
  private static func directions(
    _ items: [SpeakerCorpus.Item], _ mixture: VoiceSpace.Mixture, _ channel: [Float], seed: UInt64,
    threads: Int
  ) -> (center: [Float], directions: [Float]) {
    let size = mixture.count * VoiceSpace.width
    let random = RandomSource(seed: seed).stream(2)
    let groups = Dictionary(grouping: items.indices) { items[$0].speaker }
    let speakers = groups.keys.sorted()
    // The mean of each speaker, and the deviations from it, divided by the root of their number.
    let each = Parallel.map(speakers.count, threads: threads) { number -> (mean: [Float], rest: [[Float]]) in
      var random = random.stream(number)
      let prints = groups[speakers[number]]!.flatMap { items[$0].prints }
      let deviations = prints.flatMap { print -> [[Float]] in
        [print, print.short(&random)].compactMap(\.self).map {
          VoiceSpace.deviation($0, mixture, channel: channel)
        }
      }
      let count = Float(deviations.count)
      var mean = [Float](repeating: 0, count: size)
      for deviation in deviations { for index in 0..<size { mean[index] += deviation[index] / count } }
      let root = count.squareRoot()
      return (mean, deviations.map { deviation in (0..<size).map { (deviation[$0] - mean[$0]) / root } })
    }
    var center = [Float](repeating: 0, count: size)
    for speaker in each { for index in 0..<size { center[index] += speaker.mean[index] / Float(each.count) } }
    let several = each.filter { $0.rest.count > 3 }
    var within = scatter(several.lazy.map { $0.rest.flatMap(\.self) }, size: size)
    let between = scatter(
      several.lazy.map { speaker in (0..<size).map { speaker.mean[$0] - center[$0] } }, size: size)
    let mean = (0..<size).reduce(0) { $0 + within[$1 * size + $1] } / Float(size)
    for index in 0..<size { within[index * size + index] += Float(ridge) * mean }
    return (
      center,
      Discriminants.directions(within, between, size: size, count: dimensions).map { Float(Float16($0)) }
    )
  }

  /// The mean over the groups of the sum of the products of their rows.
  private static func scatter(_ groups: some Collection<[Float]>, size: Int) -> [Float] {
    var sum = [Float](repeating: 0, count: size * size)
    var product = sum
    let count = Float(groups.count)
    var rows: [Float] = []
    func add() {
      guard !rows.isEmpty else { return }
      product.withUnsafeMutableBufferPointer {
        training_product_of_columns(size, size, rows.count / size, rows, rows, $0.baseAddress!)
      }
      for index in sum.indices { sum[index] += product[index] / count }
      rows = []
    }
    for group in groups {
      rows += group
      if rows.count > 2_000 * size { add() }
    }
    add()
    return sum
  }

  // MARK: The odds

  /// Fits the log odds; 0 where the share ``rejected`` of the trials of one speaker lies below.
  private static func odds(_ trials: [VoiceTrials.Trial]) -> [Double] {
    let inputs = trials.map {
      VoiceSpace.inputs(similarity: $0.similarity, order: $0.order, voice: $0.voice)
    }
    let fitted = LogisticRegression(
      inputs.map { Array($0.dropFirst()) }, labels: trials.map(\.isSame), penalty: 1e-4)
    let evidence = zip(trials, inputs).compactMap { trial, input in
      trial.isSame ? zip(fitted.weights, input.dropFirst()).reduce(0) { $0 + $1.0 * $1.1 } : nil
    }.sorted()
    return [-evidence[Int(rejected * Double(evidence.count))]] + fitted.weights
  }
}
