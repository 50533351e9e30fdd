import Glibc
import Platform

/// The probability that two prints of one phrase are of the same speaker: a sum of weighted differences, trained on many
/// speakers.
///
/// Logistic regression over the differences of aligned prints; `hotword-train voices` trains it.
package struct VoiceMetric: Sendable, Equatable {
  /// The differences of a pair: of the moments, of the means, of the spreads, of the lengths.
  package static let width = CepstralShape.width + 2 * CepstralShape.order + 2

  /// The weights of the squared differences of moments in the alignment of two prints.
  package var warpWeights: [Float]
  /// The weight of each difference in the log odds, and the bias.
  package var weights: [Double]
  package var bias: Double
  /// The log odds at the point of equal error, and the slope of the score there.
  package var threshold: Double
  package var slope: Double

  package init(
    warpWeights: [Float], weights: [Double], bias: Double, threshold: Double = 0, slope: Double = 1
  ) {
    self.warpWeights = warpWeights
    self.weights = weights
    self.bias = bias
    self.threshold = threshold
    self.slope = slope
  }

  /// Weights that give all coefficients of the moments equal influence, the highest ones half of it.
  package static func warpWeights(of prints: [VoicePrint]) -> [Float] {
    let width = CepstralShape.width
    var squares = [Double](repeating: 0, count: width)
    var count = 0.0
    for print in prints {
      for (index, value) in print.shape.vectors.enumerated() {
        squares[index % width] += Double(value * value)
      }
      count += Double(print.count)
    }
    return squares.enumerated().map { index, sum in
      Float((fine.contains(index) ? 0.5 : 1) * count / max(sum, 1e-9))
    }
  }

  private static let fine = 12..<CepstralShape.order

  /// The differences of two prints, ``width`` numbers of 0 or more.
  package func differences(_ first: VoicePrint, _ second: VoicePrint) -> [Double] {
    let (a, b) = (first.shape, second.shape)
    let moments = TimeWarp.differences(a, b, weights: warpWeights).map { Double($0.squareRoot()) }
    let means = zip(a.mean, b.mean).map { Double(abs($0 - $1)) }
    let spreads = zip(a.spread, b.spread).map { Double(abs($0 - $1)) }
    return moments + means + spreads + [abs(log(Double(a.count) / Double(b.count)))]
  }

  /// The log odds that both prints are of the same speaker.
  package func evidence(_ first: VoicePrint, _ second: VoicePrint) -> Double {
    zip(weights, differences(first, second)).reduce(bias) { $0 + $1.0 * $1.1 }
  }

  /// The evidence of a voice's clips for a new clip: the mean of their average and highest log odds, less a part of their
  /// similarity to each other.
  package func evidence(_ print: VoicePrint, of voice: [VoicePrint], likeness: Double) -> Double {
    let each = voice.map { evidence($0, print) }
    let mean = each.reduce(0, +) / Double(max(1, each.count))
    return 0.5 * mean + 0.5 * (each.max() ?? 0) - Self.likenessShare * likeness
  }

  /// The average log odds of a voice's clips with each other; 0 for a single clip.
  package func likeness(_ voice: [VoicePrint]) -> Double {
    var sum = 0.0
    var pairs = 0
    for first in voice.indices {
      for second in voice.indices where second > first {
        sum += evidence(voice[first], voice[second])
        pairs += 1
      }
    }
    return pairs > 0 ? sum / Double(pairs) : 0
  }

  private static let likenessShare = 0.25

  /// 0…1; 0.5 at the point of equal error.
  package func score(_ evidence: Double) -> Double { 1 / (1 + exp(-slope * (evidence - threshold))) }
}

extension VoiceMetric {
  /// The metric as in its file.
  package var json: JSON {
    [
      "warpWeights": .array(warpWeights.map { .rounded(Double($0), digits: 6) }),
      "weights": .array(weights.map { .rounded($0, digits: 6) }), "bias": .rounded(bias, digits: 6),
      "threshold": .rounded(threshold, digits: 6), "slope": .rounded(slope, digits: 6),
    ]
  }

  /// The metric in `json`; nil if it is incomplete.
  package init?(json: JSON) {
    let warp = json["warpWeights"]?.array?.compactMap(\.number) ?? []
    let weights = json["weights"]?.array?.compactMap(\.number) ?? []
    guard warp.count == CepstralShape.width, weights.count == Self.width, let bias = json["bias"]?.number,
      let threshold = json["threshold"]?.number, let slope = json["slope"]?.number
    else { return nil }
    self.init(
      warpWeights: warp.map { Float($0) }, weights: weights, bias: bias, threshold: threshold, slope: slope)
  }

  /// The metric that is part of the program.
  package static let standard: VoiceMetric = {
    let bytes = PackageResources.metric_json
    guard let json = try? JSON(parsing: bytes, what: "metric.json"), let metric = VoiceMetric(json: json)
    else {
      preconditionFailure("Speakers/Resources/metric.json is not whole")
    }
    return metric
  }()
}
