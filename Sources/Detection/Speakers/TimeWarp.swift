/// Aligns two prints of one phrase by dynamic time warping.
///
/// Symmetric steps, a diagonal one counting twice; see H. Sakoe and S. Chiba, "Dynamic programming algorithm
/// optimization for spoken word recognition", 1978.
package enum TimeWarp {
  /// The mean squared difference of each coefficient over the best path.
  ///
  /// - Parameter weights: the weight of each squared difference in the distance that the path minimizes.
  /// - Complexity: the product of the lengths, times the width.
  package static func differences(_ first: CepstralShape, _ second: CepstralShape, weights: [Float])
    -> [Float]
  {
    let (rows, columns, width) = (first.count, second.count, CepstralShape.width)
    let distances = distances(first, second, weights)
    var costs = [Float](repeating: .infinity, count: rows * columns)
    var steps = [UInt8](repeating: 0, count: rows * columns)
    costs[0] = 2 * distances[0]
    for row in 0..<rows {
      for column in 0..<columns where row + column > 0 {
        let place = row * columns + column
        let distance = distances[place]
        var best = Float.infinity
        if row > 0, column > 0 { best = costs[place - columns - 1] + 2 * distance }
        if row > 0, costs[place - columns] + distance < best {
          best = costs[place - columns] + distance
          steps[place] = 1
        }
        if column > 0, costs[place - 1] + distance < best {
          best = costs[place - 1] + distance
          steps[place] = 2
        }
        costs[place] = best
      }
    }
    var sums = [Float](repeating: 0, count: width)
    var (row, column, length) = (rows - 1, columns - 1, 0)
    while true {
      for index in 0..<width {
        let difference = first.vectors[row * width + index] - second.vectors[column * width + index]
        sums[index] += difference * difference
      }
      length += 1
      if row == 0, column == 0 { break }
      let step = steps[row * columns + column]
      if step != 2 { row -= 1 }
      if step != 1 { column -= 1 }
    }
    return sums.map { $0 / Float(length) }
  }

  private static func distances(_ first: CepstralShape, _ second: CepstralShape, _ weights: [Float])
    -> [Float]
  {
    let (rows, columns, width) = (first.count, second.count, CepstralShape.width)
    var distances = [Float](repeating: 0, count: rows * columns)
    first.vectors.withUnsafeBufferPointer { first in
      second.vectors.withUnsafeBufferPointer { second in
        weights.withUnsafeBufferPointer { weights in
          for row in 0..<rows {
            for column in 0..<columns {
              var sum: Float = 0
              for index in 0..<width {
                let difference = first[row * width + index] - second[column * width + index]
                sum += weights[index] * difference * difference
              }
              distances[row * columns + column] = sum.squareRoot()
            }
          }
        }
      }
    }
    return distances
  }
}
