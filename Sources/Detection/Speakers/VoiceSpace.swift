import Detection
import Glibc
import Platform

/// Places speech of any words in a space in which what one speaker says lies close together.
///
/// The sounds are shared out among the components of a Gaussian mixture. The mean deviation of the sounds from each component,
/// less where few sounds belong to it, is projected by linear discriminant analysis onto the directions that differ most
/// between speakers (D. Reynolds et al., "Speaker verification using adapted Gaussian mixture models", 2000; N. Dehak et al.,
/// "Front-end factor analysis for speaker verification", 2011). `hotword-train speakers` fits it.
public struct VoiceSpace: Sendable, Equatable {
  /// The Gaussian mixture of the sounds of all speakers.
  package struct Mixture: Sendable, Equatable {
    /// `[component][width]`
    package var means: [Float]
    package var variances: [Float]
    /// The share of the sounds of each component.
    package var shares: [Float]

    package var count: Int { shares.count }

    package init(means: [Float], variances: [Float], shares: [Float]) {
      self.means = means
      self.variances = variances
      self.shares = shares
    }
  }

  package let mixture: Mixture
  /// The mean of the cepstra over all speakers, which a microphone of unknown colour is assumed to have.
  package let channel: [Float]
  /// The mean deviation over all speakers, and the directions `[dimension][component × width]`.
  package let center: [Float]
  package let directions: [Float]
  /// The log odds of one speaker: a bias, the factor of the similarity, those of the logarithms of the numbers of vectors of
  /// the order and of the voice.
  package let odds: [Double]

  package static let width = SpeechPrint.width

  /// Vectors by which the estimate of the microphone's colour is drawn to the mean, and a component's deviation to zero.
  private static let channelInertia: Float = 50
  private static let inertia: Float = 8
  private static let channelRounds = 2

  package var dimensions: Int { directions.count / center.count }

  package init(
    mixture: Mixture, channel: [Float], center: [Float], directions: [Float], odds: [Double]
  ) {
    self.mixture = mixture
    self.channel = channel
    self.center = center
    self.directions = directions
    self.odds = odds
  }

  /// The place of a print: ``dimensions`` numbers, of length 1.
  package func place(_ print: SpeechPrint) -> [Float] {
    let deviation = Self.deviation(print, mixture, channel: channel)
    var place = (0..<dimensions).map { dimension in
      let row = dimension * center.count
      var sum: Float = 0
      for index in center.indices { sum += directions[row + index] * (deviation[index] - center[index]) }
      return sum
    }
    let length = place.reduce(0) { $0 + $1 * $1 }.squareRoot()
    if length > 0 { for index in place.indices { place[index] /= length } }
    return place
  }

  /// The similarity of two places, −1…1.
  package static func similarity(_ first: [Float], _ second: [Float]) -> Double {
    zip(first, second).reduce(0) { $0 + Double($1.0 * $1.1) }
  }

  /// The log odds that an order is by the speaker of a voice; from 0 on it is accepted.
  ///
  /// - Parameters:
  ///   - order: the number of vectors of the order.
  ///   - voice: the number of vectors that the voice was enrolled with.
  package func evidence(similarity: Double, order: Int, voice: Int) -> Double {
    zip(odds, Self.inputs(similarity: similarity, order: order, voice: voice)).reduce(0) { $0 + $1.0 * $1.1 }
  }

  package static func inputs(similarity: Double, order: Int, voice: Int) -> [Double] {
    [1, similarity, log(Double(order)), log(Double(voice))]
  }

  /// The mean deviation of the sounds from each component of the mixture, in standard deviations, less where few sounds
  /// belong to it.
  package static func deviation(_ print: SpeechPrint, _ mixture: Mixture, channel: [Float]) -> [Float] {
    var vectors = print.cepstra
    removeChannel(&vectors, mixture, channel: channel)
    let sums = Sums(vectors, mixture)
    return (0..<mixture.count * width).map { index in
      let count = sums.counts[index / width]
      let mean = sums.sums[index] / max(count, 1e-6) - mixture.means[index]
      return mean * count / (count + inertia) / mixture.variances[index].squareRoot()
    }
  }

  /// Subtracts the colour of the microphone: what the sounds differ from the components by on average, whatever was said.
  private static func removeChannel(_ vectors: inout [Float], _ mixture: Mixture, channel: [Float]) {
    let count = Float(vectors.count / width)
    var mean = [Float](repeating: 0, count: width)
    for index in vectors.indices { mean[index % width] += vectors[index] / count }
    let trust = count / (count + channelInertia)
    func subtract(_ colour: [Float]) {
      for index in vectors.indices { vectors[index] -= colour[index % width] }
    }
    subtract((0..<width).map { channel[$0] + (mean[$0] - channel[$0]) * trust })
    let variance = (0..<width).map { place in
      (0..<mixture.count).reduce(0) { $0 + mixture.variances[$1 * width + place] } / Float(mixture.count)
    }
    for _ in 0..<channelRounds {
      let sums = Sums(vectors, mixture)
      var above = [Float](repeating: 0, count: width)
      var below = variance.map { channelInertia / $0 }
      for index in sums.sums.indices {
        let count = sums.counts[index / width]
        above[index % width] += (sums.sums[index] - count * mixture.means[index]) / mixture.variances[index]
        below[index % width] += count / mixture.variances[index]
      }
      subtract(zip(above, below).map { $0 / $1 })
    }
  }

  /// How many vectors belong to each component, and their sums.
  package struct Sums: Sendable {
    package var counts: [Float]
    package var sums: [Float]
    /// The sums of the squares; empty unless asked for.
    package var squares: [Float]

    package init(_ vectors: [Float], _ mixture: Mixture, squares hasSquares: Bool = false) {
      let (width, components) = (VoiceSpace.width, mixture.count)
      counts = [Float](repeating: 0, count: components)
      sums = [Float](repeating: 0, count: components * width)
      squares = hasSquares ? sums : []
      let inverse = mixture.variances.map { 1 / $0 }
      let offsets = (0..<components).map { component in
        logf(mixture.shares[component])
          - 0.5 * (0..<width).reduce(0) { $0 + logf(mixture.variances[component * width + $1]) }
      }
      var parts = [Float](repeating: 0, count: components)
      for vector in 0..<vectors.count / width {
        let place = vector * width
        var highest = -Float.infinity
        for component in 0..<components {
          var distance: Float = 0
          for index in 0..<width {
            let difference = vectors[place + index] - mixture.means[component * width + index]
            distance += difference * difference * inverse[component * width + index]
          }
          parts[component] = offsets[component] - 0.5 * distance
          highest = max(highest, parts[component])
        }
        var total: Float = 0
        for component in 0..<components {
          parts[component] = expf(parts[component] - highest)
          total += parts[component]
        }
        for component in 0..<components where parts[component] > 1e-4 * total {
          let part = parts[component] / total
          counts[component] += part
          for index in 0..<width {
            let value = vectors[place + index]
            sums[component * width + index] += part * value
            if hasSquares { squares[component * width + index] += part * value * value }
          }
        }
      }
    }
  }
}
