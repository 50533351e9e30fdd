import CTraining
import Glibc

/// The Adam optimizer with decoupled weight decay, gradient clipping, a cosine learning rate with warm-up,
/// and averaged weights.
///
/// Kingma and Ba: "Adam", 2015; Loshchilov and Hutter: "Decoupled weight decay regularization", 2019.
package struct Optimizer {
  private let settings: FitSettings
  private let stretches: [(range: Range<Int>, decays: Bool)]
  private var mean: [Float]
  private var square: [Float]
  private var taken: Int = 0
  /// The moving average of the weights.
  package private(set) var averaged: [Float]

  package init(_ network: TrainableNetwork, settings: FitSettings) {
    self.settings = settings
    let layout = ParameterLayout(network.shape)
    stretches = layout.stretches
    mean = [Float](repeating: 0, count: layout.count)
    square = [Float](repeating: 0, count: layout.count)
    averaged = network.parameters
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
    let rate = Self.rate(step: taken, settings: settings)
    taken += 1
    var norm = 0.0
    for value in gradient { norm += Double(value) * Double(value) }
    norm = norm.squareRoot()
    // A non-finite gradient must not reach the weights: the step is skipped.
    guard norm.isFinite else { return rate }
    let clip = norm > Double(settings.gradientNorm) ? settings.gradientNorm / Float(norm) : 1
    let meanCorrection = 1 - powf(settings.beta1, Float(taken))
    let squareCorrection = 1 - powf(settings.beta2, Float(taken))
    let averaging = min(settings.averaging, Float(taken) / Float(taken + 10))
    for (range, decays) in stretches {
      let start = range.lowerBound
      gradient.withUnsafeBufferPointer { slope in
        mean.withUnsafeMutableBufferPointer { mean in
          square.withUnsafeMutableBufferPointer { square in
            parameters.withUnsafeMutableBufferPointer { weights in
              averaged.withUnsafeMutableBufferPointer { averaged in
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
