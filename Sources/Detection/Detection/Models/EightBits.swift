/// A matrix whose rows are whole numbers from -127 to 127 times a factor each.
///
/// This is how `hotword_eight_bit_pack` rounds wide matrices. The factors have eleven bits, so all products are exact and rounding again
/// changes nothing.
struct EightBits: Sendable, Equatable {
  /// Row-major.
  let numbers: [Int8]
  /// The factor of each row.
  let units: [Float]

  /// Rounds a matrix with `rows` rows.
  init(rounding values: [Float], rows: Int) {
    let columns = rows == 0 ? 0 : values.count / rows
    var numbers: [Int8] = []
    numbers.reserveCapacity(values.count)
    units = (0..<rows).map { row in
      let part = values[row * columns..<(row + 1) * columns]
      let unit = Self.elevenBits(part.reduce(0) { max($0, $1.magnitude) } / 127)
      let isScaled = unit > 0 && unit.isFinite
      for value in part { numbers.append(isScaled ? Int8((value / unit).rounded()) : 0) }
      return unit
    }
    self.numbers = numbers
  }

  /// The matrix `tensor`; nil if rounding would change it.
  init?(exactly tensor: NetworkWeights.Tensor) {
    guard tensor.shape.count > 1, let rows = tensor.shape.first, rows > 0 else { return nil }
    self.init(rounding: tensor.values, rows: rows)
    guard values == tensor.values else { return nil }
  }

  var values: [Float] { Self.products(numbers.map { Float($0) }, units) }

  /// Each row multiplied by its factor.
  static func products(_ values: [Float], _ units: [Float]) -> [Float] {
    let columns = units.isEmpty ? 0 : values.count / units.count
    return [Float](unsafeUninitializedCapacity: values.count) { products, count in
      for row in units.indices {
        for index in row * columns..<(row + 1) * columns { products[index] = values[index] * units[row] }
      }
      count = values.count
    }
  }

  /// The factors as the array that follows the matrix `name` in a file.
  func units(of name: String) -> NetworkWeights.Tensor {
    NetworkWeights.Tensor(name: "\(name).unit", shape: [units.count], values: units)
  }

  /// `value` rounded up to eleven significant bits.
  private static func elevenBits(_ value: Float) -> Float {
    Float(bitPattern: (value.bitPattern + 0x1FFF) & ~0x1FFF)
  }
}

extension NetworkWeights.Tensor {
  /// The same with each row multiplied by its factor.
  ///
  /// - Throws: ``ModelDefect/notFinite(_:)``.
  func scaled(by units: [Float]) throws(ModelDefect) -> NetworkWeights.Tensor {
    guard units.allSatisfy({ ($0 * 128).isFinite }) else { throw .notFinite(name) }
    return replacing(EightBits.products(values, units))
  }

  /// The same with the values of 8 bits if it is such a matrix of an encoder, as files of earlier versions do not have them.
  var roundedIfWide: NetworkWeights.Tensor {
    guard name.hasPrefix("encoder.blocks."), name.hasSuffix(".pointwise"), shape.count == 2,
      shape[0] >= PackedNetwork.eightBitChannels
    else { return self }
    return replacing(EightBits(rounding: values, rows: shape[0]).values)
  }

  private func replacing(_ values: [Float]) -> NetworkWeights.Tensor {
    NetworkWeights.Tensor(name: name, shape: shape, values: values)
  }
}

extension NetworkWeights {
  /// The same with the matrices between the channels of a wide network rounded as ``PackedNetwork`` rounds them.
  public var inEightBits: NetworkWeights {
    guard shape.channels >= PackedNetwork.eightBitChannels else { return self }
    var rounded = self
    for index in blocks.indices {
      rounded.blocks[index].pointwise =
        EightBits(rounding: blocks[index].pointwise, rows: shape.channels).values
    }
    return rounded
  }
}
