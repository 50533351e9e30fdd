import Glibc
import Platform

/// How likely two prints of one phrase are of one voice: a sum of weighted differences, learned from many speakers.
///
/// Logistic regression over the differences of prints laid side by side; `hotword-train voices` makes it.
package struct VoiceMetric: Sendable, Equatable {
  /// The differences of a pair: of the moments, of the means, of the spreads, of the lengths.
  package static let width = CepstralShape.width + 2 * CepstralShape.order + 2

  /// What the squared differences of moments count for when two prints are laid side by side.
  package var warpWeights: [Float]
  /// What each difference adds to the log odds, and what they start from.
  package var weights: [Double]
  package var bias: Double
  /// The evidence at which as many strangers as friends are mistaken, and how steeply the score rises there.
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

  /// Weights that make the numbers of the prints' moments count alike, the finest coefficients half as much.
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

  /// How two prints differ, in ``width`` numbers of 0 or more.
  package func differences(_ first: VoicePrint, _ second: VoicePrint) -> [Double] {
    let (a, b) = (first.shape, second.shape)
    let moments = TimeWarp.differences(a, b, weights: warpWeights).map { Double($0.squareRoot()) }
    let means = zip(a.mean, b.mean).map { Double(abs($0 - $1)) }
    let spreads = zip(a.spread, b.spread).map { Double(abs($0 - $1)) }
    return moments + means + spreads + [abs(log(Double(a.count) / Double(b.count)))]
  }

  /// The log odds that both are of one voice.
  package func evidence(_ first: VoicePrint, _ second: VoicePrint) -> Double {
    zip(weights, differences(first, second)).reduce(bias) { $0 + $1.0 * $1.1 }
  }

  /// What a known voice's clips say of a new one: their mean and highest evidence, less a part of how alike they are
  /// among themselves.
  package func evidence(_ print: VoicePrint, of voice: [VoicePrint], likeness: Double) -> Double {
    let each = voice.map { evidence($0, print) }
    let mean = each.reduce(0, +) / Double(max(1, each.count))
    return 0.5 * mean + 0.5 * (each.max() ?? 0) - Self.likenessShare * likeness
  }

  /// The mean evidence of a voice's clips for one another; 0 for a single one.
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
  /// The metric as the file keeps it.
  package var json: JSON {
    [
      "warpWeights": .array(warpWeights.map { .rounded(Double($0), digits: 6) }),
      "weights": .array(weights.map { .rounded($0, digits: 6) }), "bias": .rounded(bias, digits: 6),
      "threshold": .rounded(threshold, digits: 6), "slope": .rounded(slope, digits: 6),
    ]
  }

  /// The metric in `json`; nil where it is not whole.
  package init?(json: JSON) {
    let warp = json["warpWeights"]?.array?.compactMap(\.number) ?? []
    let weights = json["weights"]?.array?.compactMap(\.number) ?? []
    guard warp.count == CepstralShape.width, weights.count == Self.width, let bias = json["bias"]?.number,
      let threshold = json["threshold"]?.number, let slope = json["slope"]?.number
    else { return nil }
    self.init(
      warpWeights: warp.map { Float($0) }, weights: weights, bias: bias, threshold: threshold, slope: slope)
  }

  /// The one that is shipped.
  package static let standard: VoiceMetric = {
    let bytes = PackageResources.metric_json
    guard let json = try? JSON(parsing: bytes, what: "metric.json"), let metric = VoiceMetric(json: json)
    else {
      preconditionFailure("Speakers/Resources/metric.json is not whole")
    }
    return metric
  }()
}
