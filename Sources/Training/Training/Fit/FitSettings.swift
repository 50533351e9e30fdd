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
  public var gradientMemory: Float = 0.9
  /// The decay of Adam's mean of squared gradients.
  public var squareMemory: Float = 0.99
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
