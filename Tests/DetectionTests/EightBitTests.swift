import CKernels
import Platform
import TestServers
import Testing

/// Layers of 8-bit weights, by every version that this processor can run.
@Suite(.limited) struct EightBitTests {
  /// A layer of `columns` inputs and `rows` outputs, both padded to a multiple of 16.
  private struct Layer {
    let rows: Int
    let columns: Int
    let matrix: [Float]
    let input: [Float]
    let bias: [Float]
    let skip: [Float]

    init(rows: Int, columns: Int, seed: UInt64) {
      var random = RandomSource(seed: seed)
      self.rows = rows
      self.columns = columns
      matrix = (0..<rows * columns).map { _ in random.uniform(-1...1) }
      // Half of the inputs are zero, as after a rectifier.
      let values = (0..<columns).map { _ in max(0, random.uniform(-3...3) as Float) }
      input = values + [Float](repeating: 0, count: Self.padded(columns) - columns)
      bias = (0..<Self.padded(rows)).map { $0 < rows ? random.uniform(-1...1) : 0 }
      skip = (0..<Self.padded(rows)).map { $0 < rows ? random.uniform(0...2) : 0 }
    }

    static func padded(_ count: Int) -> Int { (count + 15) / 16 * 16 }

    func output(of version: Int32) -> [Float] {
      let inputs = Self.padded(columns)
      let outputs = Self.padded(rows)
      var packed = [Int8](repeating: 1, count: inputs * outputs)
      var scale = [Float](repeating: .nan, count: outputs)
      hotword_eight_bit_pack(
        &packed, &scale, matrix, Int32(rows), Int32(columns), Int32(inputs), Int32(outputs))
      var output = [Float](repeating: .nan, count: outputs)
      hotword_eight_bit_dense_of(
        version, &output, packed, scale, bias, skip, input, Int32(inputs), Int32(outputs))
      return output
    }

    /// The same in Swift.
    var expected: [Float] {
      let unit = max(1e-30, input.max() ?? 0)
      let inputs = input.map { Int($0 * (127 / unit) + 0.5) }
      return (0..<Self.padded(rows)).map { row in
        guard row < rows else { return 0 }
        let weights = matrix[row * columns..<(row + 1) * columns]
        let largest = weights.reduce(0) { max($0, abs($1)) }
        let sum = zip(weights, inputs).reduce(0) {
          $0 + Int(($1.0 / largest * 127).rounded(.toNearestOrEven)) * $1.1
        }
        return max(0, bias[row] + skip[row] + Float(sum) * (largest / 127 * (unit / 127)))
      }
    }
  }

  @Test(arguments: [(16, 16), (37, 90), (128, 128), (200, 130), (256, 256), (512, 512), (1, 1)])
  func everyVersionIsEqualToTheReference(rows: Int, columns: Int) {
    let layer = Layer(rows: rows, columns: columns, seed: UInt64(rows * columns))
    let expected = layer.expected
    #expect(rows == 1 || expected.contains { $0 > 0 })
    for version in 0..<hotword_eight_bit_versions() {
      #expect(layer.output(of: version) == expected, "\(String(cString: hotword_eight_bit_name(version)))")
    }
  }

  @Test func theLargestSumsDoNotOverflow() {
    let count = 512
    let ones = [Float](repeating: 1, count: count)
    for sign in [Float(1), -1] {
      var packed = [Int8](repeating: 0, count: count * count)
      var scale = [Float](repeating: 0, count: count)
      let matrix = [Float](repeating: sign, count: count * count)
      hotword_eight_bit_pack(
        &packed, &scale, matrix, Int32(count), Int32(count), Int32(count), Int32(count))
      let base = [Float](repeating: 1000, count: count)
      for version in 0..<hotword_eight_bit_versions() {
        var output = [Float](repeating: 0, count: count)
        hotword_eight_bit_dense_of(
          version, &output, packed, scale, base, ones, ones, Int32(count), Int32(count))
        #expect(output.allSatisfy { abs($0 - (1001 + sign * 512)) < 0.01 }, "\(output[0])")
      }
    }
  }

  @Test func inputsAndWeightsThatAreZeroOrInfiniteGiveNumbers() {
    let values: [Float] = [.zero, .infinity, .greatestFiniteMagnitude, .leastNormalMagnitude / 100]
    let rows = values.map { [Float](repeating: $0, count: 16) }
    let bias = [Float](repeating: 1, count: 16)
    for (weight, input) in rows.flatMap({ row in rows.map { (row, $0) } }) {
      var packed = [Int8](repeating: 0, count: 256)
      var scale = bias
      hotword_eight_bit_pack(&packed, &scale, (0..<16).flatMap { _ in weight }, 16, 16, 16, 16)
      for version in 0..<hotword_eight_bit_versions() {
        var output = bias
        hotword_eight_bit_dense_of(version, &output, packed, scale, bias, bias, input, 16, 16)
        #expect(output.allSatisfy { $0 >= 0 && !$0.isNaN })
      }
    }
  }
}
