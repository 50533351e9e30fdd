import Detection
import Platform

/// What a fit made.
public struct FitResult: Sendable, Equatable {
  /// The averaged network, to be fitted further.
  public var network: TrainableNetwork
  /// The same, folded for `StreamingNetwork`.
  public var weights: NetworkWeights
  /// Steps taken: fewer than asked for when `progress` stopped the fit.
  public var steps: Int
}

/// Fits a network to batches.
public enum Fit {
  /// Takes `settings.steps` optimizer steps and returns the average of the weights on the way.
  ///
  /// One seed, one source and one start give one result, bit for bit, whatever the number of threads and
  /// the timing (on one kind of processor: kernels differ between kinds). The scale of each feature
  /// coefficient is taken from batch 0 unless a start is given. The averaged network's statistics are
  /// measured anew over `settings.statisticsBatches` batches after the last step's.
  ///
  /// - Parameters:
  ///   - start: the network to begin with; nil begins with random weights from `settings.seed`.
  ///   - threads: threads that compute; one more makes the batches.
  ///   - progress: told after each step, on the calling thread; false stops the fit, which then returns
  ///     what it has.
  public static func run(
    shape: NetworkShape, from start: TrainableNetwork? = nil, source: any BatchSource,
    settings: FitSettings, threads: Int = 2, progress: (FitProgress) -> Bool = { _ in true }
  ) -> FitResult {
    precondition(start == nil || start!.shape == shape, "the start has the shape of the fit")
    var network = start ?? TrainableNetwork(shape, seed: settings.seed)
    let sharded = ShardedPass(shape, shards: settings.shards, threads: threads)
    let queue = BatchQueue(
      source, total: settings.steps + settings.statisticsBatches, lookAhead: settings.lookAhead)
    defer { queue.end() }
    let loss = Loss(settings.loss)
    var optimizer: Optimizer?
    var smooth = SmoothedLosses()
    var gradient = [Float](repeating: 0, count: ParameterLayout(shape).count)
    let began = MonotonicClock.now()
    var steps = 0
    var anchor: TrainableNetwork?
    while steps < settings.steps {
      let batch = queue.next()
      if steps == 0 {
        adapt(&network, isNew: start == nil, to: batch, sharded)
        anchor = start == nil ? nil : network
      }
      if optimizer == nil { optimizer = Optimizer(network, settings: settings) }
      let outcome = sharded.run(
        network, batch, anchor: anchor, loss: loss,
        negativeWeight: loss.negativeWeight(step: steps, of: settings.steps),
        gradient: &gradient)
      let rate = optimizer!.step(&network.parameters, gradient: gradient)
      steps += 1
      smooth.add(outcome)
      let pace = (MonotonicClock.now() - began) / Double(steps)
      let goesOn = progress(
        FitProgress(
          step: steps, steps: settings.steps, loss: outcome.loss, positiveLoss: smooth.positive,
          negativeLoss: smooth.negative, learningRate: rate,
          secondsLeft: pace * Double(settings.steps - steps)))
      if !goesOn { break }
    }
    if let optimizer { network.parameters = optimizer.averaged }
    if settings.statisticsBatches > 0 {
      network.statistics = sharded.measure(
        network, normalizing: .byShard, count: settings.statisticsBatches, next: queue.next)
    }
    return FitResult(network: network, weights: network.folded(), steps: steps)
  }

  /// Fits a network to the sizes of what it will see before its first step.
  private static func adapt(
    _ network: inout TrainableNetwork, isNew: Bool, to batch: Batch, _ sharded: ShardedPass
  ) {
    if isNew { network.setInputScale(from: batch.features) }
    if !network.isMeasured {
      network.adopt(sharded.measure(network, normalizing: .byPopulation, count: 1) { batch })
    }
  }
}

/// Losses smoothed over some 50 steps, without a pull to the first value.
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

/// How long, how fast and from which seed a network is fitted.
public struct FitSettings: Sendable, Equatable {
  /// Optimizer steps, one batch each.
  public var steps: Int = 2000
  /// The highest learning rate, reached after the warm-up.
  public var peakLearningRate: Float = 0.004
  /// The learning rate of the last step as a part of the highest.
  public var finalLearningRate: Float = 0.01
  /// Steps of linear rise to the highest rate; a half cosine falls from there.
  public var warmUpSteps: Int = 100
  /// Decoupled decay of the convolution and head weights, per step and unit of learning rate.
  public var weightDecay: Float = 0.02
  /// The decay of Adam's mean of gradients.
  public var beta1: Float = 0.9
  /// The decay of Adam's mean of squared gradients.
  public var beta2: Float = 0.99
  /// Gradients with a larger Euclidean norm are scaled down to this one.
  public var gradientNorm: Float = 4
  /// The decay per step of the average of weights that a fit returns, shorter while the fit is young.
  public var averaging: Float = 0.998
  /// Batches, after the last step's, over which the statistics of the averaged network are taken anew.
  public var statisticsBatches: Int = 24
  /// The parts of a batch that are normalized each by itself; a part of the result, threads are not.
  public var shards: Int = 4
  /// Batches prepared ahead of need.
  public var lookAhead: Int = 3
  /// The seed of the first weights.
  public var seed: UInt64 = 1
  public var loss: LossSettings = LossSettings()

  public init(steps: Int = 2000, seed: UInt64 = 1) {
    self.steps = steps
    self.seed = seed
  }
}

/// Where a running fit stands.
public struct FitProgress: Sendable, Equatable {
  /// Steps done.
  public var step: Int
  /// Steps in all.
  public var steps: Int
  /// The last batch's loss.
  public var loss: Float
  /// The mean loss of keywords, smoothed over some 50 steps.
  public var positiveLoss: Float
  /// The mean loss of background windows before its weight, smoothed over some 50 steps.
  public var negativeLoss: Float
  /// The learning rate of the last step.
  public var learningRate: Float
  /// Seconds that the remaining steps will take at the pace so far.
  public var secondsLeft: Double
}
