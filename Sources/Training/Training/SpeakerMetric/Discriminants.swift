import CTraining
import Glibc
import Platform

/// Linear discriminant analysis: the directions in which groups differ most in relation to the spread within them.
package enum Discriminants {
  private static let rounds = 60
  /// The variance within a group of the mean of about three of its members, where that of one is 1.
  private static let meanVariance = 0.3

  /// The first `count` generalized eigenvectors of `between` and `within`, by iteration of a subspace.
  ///
  /// Each is scaled to a variance of 1 within the groups, times the share of the variance of means of three members that is
  /// between the groups: directions that tell little weigh little.
  ///
  /// - Parameters:
  ///   - within: a positive definite matrix `[size][size]`.
  ///   - between: a symmetric matrix `[size][size]`.
  /// - Returns: `[count][size]`
  package static func directions(_ within: [Float], _ between: [Float], size: Int, count: Int) -> [Float] {
    let root = triangle(within, size: size)
    var random = RandomSource(seed: 1)
    // In the coordinates where `within` is the identity.
    let whitened = whiten(between, root, size: size)
    var vectors = (0..<count).map { _ in (0..<size).map { _ in Double(random.uniform(-1...1)) } }
    var values = [Double](repeating: 0, count: count)
    orthonormalize(&vectors)
    for _ in 0..<rounds {
      vectors = multiply(whitened, vectors, size: size)
      values = vectors.map { $0.reduce(0) { $0 + $1 * $1 }.squareRoot() }
      orthonormalize(&vectors)
    }
    return zip(vectors, values).flatMap { vector, value in
      let share = (value / (value + meanVariance)).squareRoot()
      return solveTransposed(root, vector, size: size).map { Float($0 * share) }
    }
  }

  /// The lower triangle whose product with its transpose is `matrix` (Cholesky).
  private static func triangle(_ matrix: [Float], size: Int) -> [Double] {
    var root = [Double](repeating: 0, count: size * size)
    root.withUnsafeMutableBufferPointer { root in
      for row in 0..<size {
        for column in 0...row {
          var sum = Double(matrix[row * size + column])
          for index in 0..<column { sum -= root[row * size + index] * root[column * size + index] }
          root[row * size + column] =
            row == column ? max(sum, 1e-12).squareRoot() : sum / root[column * size + column]
        }
      }
    }
    return root
  }

  /// The inverse of the triangle, times `matrix`, times the transpose of the inverse.
  private static func whiten(_ matrix: [Float], _ root: [Double], size: Int) -> [Double] {
    let rows = (0..<size).map { row in
      solve(root, (0..<size).map { Double(matrix[row * size + $0]) }, size: size)
    }
    return (0..<size).flatMap { column in solve(root, rows.map { $0[column] }, size: size) }
  }

  private static func solve(_ root: [Double], _ target: [Double], size: Int) -> [Double] {
    var result = target
    root.withUnsafeBufferPointer { root in
      for row in 0..<size {
        var sum = result[row]
        for index in 0..<row { sum -= root[row * size + index] * result[index] }
        result[row] = sum / root[row * size + row]
      }
    }
    return result
  }

  private static func solveTransposed(_ root: [Double], _ target: [Double], size: Int) -> [Double] {
    var result = target
    root.withUnsafeBufferPointer { root in
      for row in (0..<size).reversed() {
        result[row] /= root[row * size + row]
        for index in 0..<row { result[index] -= root[row * size + index] * result[row] }
      }
    }
    return result
  }

  private static func multiply(_ matrix: [Double], _ vectors: [[Double]], size: Int) -> [[Double]] {
    matrix.withUnsafeBufferPointer { matrix in
      vectors.map { vector in
        (0..<size).map { row in
          var sum = 0.0
          for index in 0..<size { sum += matrix[row * size + index] * vector[index] }
          return sum
        }
      }
    }
  }

  /// Makes the vectors orthogonal to the ones before them and of length 1 (Gram and Schmidt).
  private static func orthonormalize(_ vectors: inout [[Double]]) {
    for number in vectors.indices {
      for other in 0..<number {
        let part = zip(vectors[number], vectors[other]).reduce(0) { $0 + $1.0 * $1.1 }
        for index in vectors[number].indices { vectors[number][index] -= part * vectors[other][index] }
      }
      let length = vectors[number].reduce(0) { $0 + $1 * $1 }.squareRoot()
      for index in vectors[number].indices { vectors[number][index] /= max(length, 1e-12) }
    }
  }
}
