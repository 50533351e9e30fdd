import Detection
import Platform

/// The result of a fit.
public struct FitResult: Sendable, Equatable {
  /// The averaged network, which can be fitted further.
  public var network: TrainableNetwork
  /// The same, folded for `StreamingNetwork`.
  public var weights: NetworkWeights
  /// The number of steps; fewer than requested if `progress` stopped the fit.
  public var steps: Int
}

/// A fit between two steps: what is needed to continue it with the same result.
package struct FitState: Sendable, Equatable {
  package var network: TrainableNetwork
  package var optimizer: Optimizer.State

  package init(network: TrainableNetwork, optimizer: Optimizer.State) {
    self.network = network
    self.optimizer = optimizer
  }
}

/// Fits a network to batches.
public enum Fit {
  /// Runs `settings.steps` optimizer steps and returns the moving average of the weights.
  ///
  /// The same seed, source and start produce the same result, bit for bit, for any number of threads and any
  /// timing (on one type of processor, as kernels differ). Without a start, the scale of each feature
  /// coefficient is computed from batch 0. The statistics of the averaged network are measured over
  /// `settings.statisticsBatches` further batches.
  ///
  /// - Parameters:
  ///   - start: the initial network; nil for random weights from `settings.seed`.
  ///   - threads: the number of computing threads; one more produces the batches.
  ///   - progress: called after each step, on the calling thread. If it returns false, the fit stops and
  ///     returns its current state.
  public static func run(
    shape: NetworkShape, from start: TrainableNetwork? = nil, source: any BatchSource,
    settings: FitSettings, threads: Int = 2, progress: (FitProgress) -> Bool = { _ in true }
  ) -> FitResult {
    run(
      shape: shape, from: start, continuing: nil, source: source, settings: settings, threads: threads
    ) { now, _ in progress(now) }
  }

  /// Runs a fit that can be interrupted.
  ///
  /// - Parameters:
  ///   - state: a state that `progress` of an earlier run with the same settings and source received; nil for a new fit.
  ///     Fits that continue must not have relative targets, because the start of the fit is not kept.
  ///   - progress: also receives the state after the step.
  package static func run(
    shape: NetworkShape, from start: TrainableNetwork? = nil, continuing state: FitState?,
    source: any BatchSource, settings: FitSettings, threads: Int = 2,
    progress: (FitProgress, FitState) -> Bool
  ) -> FitResult {
    precondition(start == nil || start!.shape == shape, "the start has the shape of the fit")
    var network = state?.network ?? start ?? TrainableNetwork(shape, seed: settings.seed)
    let sharded = ShardedPass(shape, shards: settings.shards, threads: threads)
    let first = state?.optimizer.taken ?? 0
    let queue = BatchQueue(
      source, first..<settings.steps + settings.statisticsBatches, lookAhead: settings.lookAhead)
    defer { queue.end() }
    let loss = Loss(settings.loss)
    var optimizer = state.map { Optimizer(shape, $0.optimizer, settings: settings) }
    var smooth = SmoothedLosses()
    var gradient = [Float](repeating: 0, count: ParameterLayout(shape).count)
    let began = MonotonicClock.now()
    var steps = first
    var anchor: TrainableNetwork?
    while steps < settings.steps {
      let batch = queue.next()
      if steps == 0 {
        adapt(&network, isNew: start == nil, to: batch, sharded)
        anchor = start == nil ? nil : network
      }
      if optimizer == nil { optimizer = Optimizer(shape, Optimizer.State(network), settings: settings) }
      let outcome = sharded.run(
        network, batch, anchor: anchor, loss: loss,
        negativeWeight: loss.negativeWeight(step: steps, of: settings.steps),
        gradient: &gradient)
      let rate = optimizer!.step(&network.parameters, gradient: gradient)
      steps += 1
      smooth.add(outcome)
      let pace = (MonotonicClock.now() - began) / Double(steps - first)
      let now = FitProgress(
        step: steps, steps: settings.steps, loss: outcome.loss, positiveLoss: smooth.positive,
        negativeLoss: smooth.negative, learningRate: rate,
        secondsLeft: pace * Double(settings.steps - steps))
      if !progress(now, FitState(network: network, optimizer: optimizer!.state)) { break }
    }
    if let optimizer { network.parameters = optimizer.state.averaged }
    if settings.statisticsBatches > 0 {
      network.statistics = sharded.measure(
        network, normalizing: .byShard, count: settings.statisticsBatches, next: queue.next)
    }
    return FitResult(network: network, weights: network.folded(), steps: steps)
  }

  /// Adapts a network to the scale of its inputs before the first step.
  private static func adapt(
    _ network: inout TrainableNetwork, isNew: Bool, to batch: Batch, _ sharded: ShardedPass
  ) {
    if isNew { network.setInputScale(from: batch.features) }
    if !network.isMeasured {
      network.adopt(sharded.measure(network, normalizing: .byPopulation, count: 1) { batch })
    }
  }
}

/// Losses smoothed over about 50 steps, without bias towards the first value.
private struct SmoothedLosses {
  private var positiveSum: Float = 0
  private var positiveWeight: Float = 0
  private var negativeSum: Float = 0
  private var negativeWeight: Float = 0

  var positive: Float { positiveWeight > 0 ? positiveSum / positiveWeight : 0 }
  var negative: Float { negativeWeight > 0 ? negativeSum / negativeWeight : 0 }

  mutating func add(_ outcome: ShardedPass.Outcome) {
    let memory: Float = 0.98
    if let value = outcome.positive {
      positiveSum = memory * positiveSum + (1 - memory) * value
      positiveWeight = memory * positiveWeight + (1 - memory)
    }
    if let value = outcome.negative {
      negativeSum = memory * negativeSum + (1 - memory) * value
      negativeWeight = memory * negativeWeight + (1 - memory)
    }
  }
}

/// The duration, learning rate and seed of a fit.
public struct FitSettings: Sendable, Equatable {
  /// Optimizer steps, one batch each.
  public var steps: Int = 2000
  /// The highest learning rate, reached after the warm-up.
  public var peakLearningRate: Float = 0.004
  /// The learning rate of the last step relative to the highest.
  public var finalLearningRate: Float = 0.01
  /// The steps of linear increase to the highest rate; a half cosine follows.
  public var warmUpSteps: Int = 100
  /// The decoupled decay of the convolution and head weights, per step and unit of learning rate.
  public var weightDecay: Float = 0.02
  /// Adam's decay rate of the mean of gradients.
  public var beta1: Float = 0.9
  /// Adam's decay rate of the mean of squared gradients.
  public var beta2: Float = 0.99
  /// The maximum Euclidean norm of gradients; larger ones are scaled down.
  public var gradientNorm: Float = 4
  /// The decay per step of the moving average of weights that a fit returns; lower in the first steps.
  public var averaging: Float = 0.998
  /// The batches, after the last step, over which the statistics of the averaged network are measured.
  public var statisticsBatches: Int = 24
  /// The parts of a batch, each normalized separately. The number affects the result; the number of threads
  /// does not.
  public var shards: Int = 4
  /// The number of batches prepared in advance.
  public var lookAhead: Int = 3
  /// The seed of the initial weights.
  public var seed: UInt64 = 1
  public var loss: LossSettings = LossSettings()

  public init(steps: Int = 2000, seed: UInt64 = 1) {
    self.steps = steps
    self.seed = seed
  }
}

/// The progress of a fit.
public struct FitProgress: Sendable, Equatable {
  /// The completed steps.
  public var step: Int
  /// The total number of steps.
  public var steps: Int
  /// The loss of the last batch.
  public var loss: Float
  /// The mean loss of keywords, smoothed over about 50 steps.
  public var positiveLoss: Float
  /// The mean unweighted loss of background windows, smoothed over about 50 steps.
  public var negativeLoss: Float
  /// The learning rate of the last step.
  public var learningRate: Float
  /// The estimated time of the remaining steps, in seconds.
  public var secondsLeft: Double
}
