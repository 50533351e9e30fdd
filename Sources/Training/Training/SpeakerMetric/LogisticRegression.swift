import Glibc

/// A logistic regression of two equally weighted classes with ridge penalty, fitted by Newton's method.
package struct LogisticRegression: Sendable {
  /// One weight per input.
  package let weights: [Double]
  package let bias: Double

  private static let rounds = 30

  /// - Parameters:
  ///   - rows: the inputs, all of the same length.
  ///   - labels: whether each row belongs to the positive class. Both classes must occur.
  ///   - penalty: the penalty of the squared weights, for inputs scaled to unit variance.
  package init(_ rows: [[Double]], labels: [Bool], penalty: Double) {
    let width = rows[0].count
    let count = Double(rows.count)
    var means = [Double](repeating: 0, count: width)
    var scales = means
    for row in rows { for index in 0..<width { means[index] += row[index] / count } }
    for row in rows {
      for index in 0..<width {
        scales[index] += (row[index] - means[index]) * (row[index] - means[index]) / count
      }
    }
    scales = scales.map { $0.squareRoot() + 1e-6 }
    let scaled = rows.map { row in (0..<width).map { (row[$0] - means[$0]) / scales[$0] } + [1] }
    let positives = Double(labels.count { $0 })
    let shares = labels.map { $0 ? 0.5 / positives : 0.5 / (count - positives) }
    var solution = [Double](repeating: 0, count: width + 1)
    for _ in 0..<Self.rounds {
      var slope = solution.enumerated().map { $0 < width ? penalty * $1 : 0 }
      var curve = (0...width).map { row in (0...width).map { $0 == row ? (row < width ? penalty : 1e-9) : 0 }
      }
      for (row, input) in scaled.enumerated() {
        let part = 1 / (1 + exp(-zip(input, solution).reduce(0) { $0 + $1.0 * $1.1 }))
        let error = shares[row] * (part - (labels[row] ? 1 : 0))
        let weight = shares[row] * part * (1 - part)
        for first in 0...width {
          slope[first] += error * input[first]
          let factor = weight * input[first]
          for second in first...width { curve[first][second] += factor * input[second] }
        }
      }
      for first in 0...width { for second in 0..<first { curve[first][second] = curve[second][first] } }
      let step = Self.solve(curve, slope)
      for index in 0...width { solution[index] -= step[index] }
    }
    weights = (0..<width).map { solution[$0] / scales[$0] }
    bias = solution[width] - (0..<width).reduce(0) { $0 + solution[$1] * means[$1] / scales[$1] }
  }

  /// Solves the linear equations of a positive definite matrix by Gaussian elimination.
  private static func solve(_ matrix: [[Double]], _ target: [Double]) -> [Double] {
    var rows = matrix
    var result = target
    for pivot in rows.indices {
      for row in rows.indices where row > pivot {
        let factor = rows[row][pivot] / rows[pivot][pivot]
        guard factor != 0 else { continue }
        for column in pivot..<rows.count { rows[row][column] -= factor * rows[pivot][column] }
        result[row] -= factor * result[pivot]
      }
    }
    for row in rows.indices.reversed() {
      for column in row + 1..<rows.count { result[row] -= rows[row][column] * result[column] }
      result[row] /= rows[row][row]
    }
    return result
  }
}
