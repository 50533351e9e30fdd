import Glibc

/// The cepstra of a print: of every moment, and of the whole.
package struct CepstralShape: Sendable, Equatable {
  /// Cosine coefficients, without the level.
  package static let order = 19
  /// The size of a vector: the coefficients minus their mean, and their slopes.
  package static let width = 2 * order

  /// `[vector][width]`.
  package let vectors: [Float]
  /// The mean of each coefficient.
  package let mean: [Float]
  /// The logarithm of each coefficient's spread, the level's first.
  package let spread: [Float]

  package var count: Int { vectors.count / Self.width }

  /// - Parameter spectra: `[vector][band]`, logarithms of power.
  package init(_ spectra: [Float]) {
    let bands = VoicePrint.bands
    let count = spectra.count / bands
    let order = Self.order
    var cepstra = [Float](repeating: 0, count: count * (order + 1))
    for vector in 0..<count {
      for band in 0..<bands {
        let value = spectra[vector * bands + band]
        for index in 0...order {
          cepstra[vector * (order + 1) + index] += value * Self.basis[band * (order + 1) + index]
        }
      }
    }
    var means = [Float](repeating: 0, count: order + 1)
    var squares = means
    for vector in 0..<count {
      for index in 0...order { means[index] += cepstra[vector * (order + 1) + index] / Float(count) }
    }
    for vector in 0..<count {
      for index in 0...order {
        cepstra[vector * (order + 1) + index] -= means[index]
        let value = cepstra[vector * (order + 1) + index]
        squares[index] += value * value / Float(count)
      }
    }
    mean = Array(means[1...])
    spread = squares.map { logf($0.squareRoot() + 0.1) }
    var vectors: [Float] = []
    vectors.reserveCapacity(count * Self.width)
    for vector in 0..<count {
      let row = { (offset: Int) in (order + 1) * max(0, min(count - 1, vector + offset)) }
      for index in 1...order { vectors.append(cepstra[row(0) + index]) }
      for index in 1...order {
        let far = cepstra[row(2) + index] - cepstra[row(-2) + index]
        let near = cepstra[row(1) + index] - cepstra[row(-1) + index]
        vectors.append(0.3 * (2 * far + near))
      }
    }
    self.vectors = vectors
  }

  /// The orthonormal DCT-II as a matrix [bands][order + 1].
  private static let basis: [Float] = (0..<VoicePrint.bands).flatMap { band in
    (0...order).map { index in
      let scale = ((index == 0 ? 1 : 2) / Double(VoicePrint.bands)).squareRoot()
      return Float(scale * cos(.pi * Double(index) * (Double(band) + 0.5) / Double(VoicePrint.bands)))
    }
  }
}
