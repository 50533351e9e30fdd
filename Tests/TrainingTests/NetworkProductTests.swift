import CTraining
import Platform
import TestServers
import Testing

@Suite(.limited(minutes: 15)) struct NetworkProductTests {
  @Test(arguments: 0...2, [(13, 37, 170), (80, 208, 300), (1, 5, 3), (33, 96, 64), (6, 48, 129), (9, 64, 1)])
  func everyKindOfProductMatchesDoublePrecision(kind: Int, sizes: (Int, Int, Int)) {
    guard kind <= Int(training_product_kind()) else { return }
    let (rows, columns, depth) = sizes
    var random = RandomSource(seed: 1)
    let left = (0..<rows * depth).map { _ in random.uniform(-1...1) }
    let right = (0..<depth * columns).map { _ in random.uniform(-1...1) }
    for (rowStep, depthStep) in [(depth, 1), (1, rows)] {
      var output = [Float](repeating: .nan, count: rows * columns)
      training_product_as(
        Int32(kind), rows, columns, depth, left, rowStep, depthStep, right, &output)
      for row in 0..<rows {
        for column in 0..<columns {
          var sum = 0.0
          for k in 0..<depth {
            sum += Double(left[row * rowStep + k * depthStep]) * Double(right[k * columns + column])
          }
          #expect(abs(sum - Double(output[row * columns + column])) < 1e-6 * Double(depth) + 1e-6)
        }
      }
    }
  }
}
