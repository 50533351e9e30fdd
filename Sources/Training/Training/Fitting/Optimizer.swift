import CTraining
import Detection
import Glibc

/// The Adam optimizer with decoupled weight decay, gradient clipping, a cosine learning rate with warm-up,
/// and averaged weights.
///
/// Kingma and Ba: "Adam", 2015; Loshchilov and Hutter: "Decoupled weight decay regularization", 2019.
package struct Optimizer {
  /// What the optimizer remembers from step to step.
  package struct State: Sendable, Equatable {
    /// The moving averages of the gradients and of their squares.
    package var mean: [Float]
    package var square: [Float]
    /// The number of steps.
    package var taken: Int
    /// The moving average of the weights.
    package var averaged: [Float]

    package init(mean: [Float], square: [Float], taken: Int, averaged: [Float]) {
      self.mean = mean
      self.square = square
      self.taken = taken
      self.averaged = averaged
    }

    /// The state before the first step.
    package init(_ network: TrainableNetwork) {
      let zero = [Float](repeating: 0, count: network.parameters.count)
      self.init(mean: zero, square: zero, taken: 0, averaged: network.parameters)
    }
  }

  private let settings: FitSettings
  private let stretches: [(range: Range<Int>, decays: Bool)]
  package private(set) var state: State

  package init(_ shape: NetworkShape, _ state: State, settings: FitSettings) {
    self.settings = settings
    stretches = ParameterLayout(shape).stretches
    self.state = state
  }

  /// Returns the learning rate of the step with this index, from 0.
  package static func rate(step: Int, settings: FitSettings) -> Float {
    let warmUp = min(settings.warmUpSteps, settings.steps)
    if step < warmUp { return settings.peakLearningRate * Float(step + 1) / Float(warmUp) }
    let part = Float(step - warmUp) / Float(max(1, settings.steps - 1 - warmUp))
    let fall = 0.5 * (1 + cosf(.pi * min(1, part)))
    return settings.peakLearningRate * (settings.finalLearningRate + (1 - settings.finalLearningRate) * fall)
  }

  /// Updates `parameters` by one step.
  ///
  /// - Returns: the learning rate used.
  package mutating func step(_ parameters: inout [Float], gradient: [Float]) -> Float {
    let rate = Self.rate(step: state.taken, settings: settings)
    state.taken += 1
    var norm = 0.0
    for value in gradient { norm += Double(value) * Double(value) }
    norm = norm.squareRoot()
    // A non-finite gradient must not reach the weights: the step is skipped.
    guard norm.isFinite else { return rate }
    let clip = norm > Double(settings.gradientNorm) ? settings.gradientNorm / Float(norm) : 1
    let meanCorrection = 1 - powf(settings.beta1, Float(state.taken))
    let squareCorrection = 1 - powf(settings.beta2, Float(state.taken))
    let averaging = min(settings.averaging, Float(state.taken) / Float(state.taken + 10))
    for (range, decays) in stretches {
      let start = range.lowerBound
      gradient.withUnsafeBufferPointer { slope in
        state.mean.withUnsafeMutableBufferPointer { mean in
          state.square.withUnsafeMutableBufferPointer { square in
            parameters.withUnsafeMutableBufferPointer { weights in
              state.averaged.withUnsafeMutableBufferPointer { averaged in
                training_adam(
                  range.count, slope.baseAddress! + start, clip, settings.beta1,
                  settings.beta2, rate / meanCorrection, 1 / squareCorrection,
                  decays ? 1 - rate * settings.weightDecay : 1, averaging, mean.baseAddress! + start,
                  square.baseAddress! + start, weights.baseAddress! + start, averaged.baseAddress! + start)
              }
            }
          }
        }
      }
    }
    return rate
  }
}
