/// Whole numbers of small magnitude as bits: Golomb-Rice codes of the zigzag values.
///
/// A value v ≥ 0 is v >> k zeros, a one, and the k low bits of v. R. Rice, "Some practical universal noiseless coding
/// techniques", 1979.
package enum RiceCode {
  /// The range of k.
  package static let parameters = 0...7

  /// Returns the shortest code of `values` among all k: k, then the codes, filled to whole bytes with zeros.
  package static func encoded(_ values: [Int16]) -> [UInt8] {
    let folded = values.map(zigzag)
    let best = parameters.min { size(folded, $0) < size(folded, $1) }!
    var bytes = [UInt8(best)]
    bytes.reserveCapacity(2 + size(folded, best) / 8)
    var buffer: UInt64 = 0
    var filled = 0
    func put(_ bits: UInt64, _ count: Int) {
      buffer = buffer << UInt64(count) | bits
      filled += count
      while filled >= 8 {
        filled -= 8
        bytes.append(UInt8(truncatingIfNeeded: buffer >> UInt64(filled)))
      }
    }
    for value in folded {
      var zeros = Int(value) >> best
      while zeros > 32 {
        put(0, 32)
        zeros -= 32
      }
      put(1, zeros + 1)
      put(UInt64(value) & (1 << UInt64(best) - 1), best)
    }
    if filled > 0 { put(0, 8 - filled) }
    return bytes
  }

  /// Returns `count` values; nil if `bytes` are not exactly their code.
  package static func decoded(_ bytes: ArraySlice<UInt8>, count: Int) -> [Int16]? {
    guard let first = bytes.first, parameters.contains(Int(first)) else { return nil }
    let k = Int(first)
    return bytes.dropFirst().withUnsafeBufferPointer { bytes in
      var values: [Int16] = []
      values.reserveCapacity(min(count, 8 * bytes.count))
      var position = 0
      var buffer: UInt64 = 0
      var filled = 0
      for _ in 0..<count {
        var quotient = 0
        while true {
          while filled <= 56, position < bytes.count {
            buffer |= UInt64(bytes[position]) << UInt64(56 - filled)
            position += 1
            filled += 8
          }
          let zeros = min(buffer.leadingZeroBitCount, filled)
          quotient += zeros
          buffer = zeros < 64 ? buffer << UInt64(zeros) : 0
          filled -= zeros
          if filled > 0 { break }
          guard position < bytes.count else { return nil }
        }
        buffer <<= 1
        filled -= 1
        guard quotient <= Int(UInt16.max) >> k else { return nil }
        while filled < k, position < bytes.count {
          buffer |= UInt64(bytes[position]) << UInt64(56 - filled)
          position += 1
          filled += 8
        }
        guard filled >= k else { return nil }
        let low = k == 0 ? 0 : buffer >> UInt64(64 - k)
        buffer <<= UInt64(k)
        filled -= k
        values.append(unfolded(UInt16(quotient << k) | UInt16(low)))
      }
      guard position == bytes.count, filled < 8, buffer == 0 else { return nil }
      return values
    }
  }

  private static func zigzag(_ value: Int16) -> UInt16 {
    UInt16(bitPattern: value << 1) ^ UInt16(bitPattern: value >> 15)
  }

  private static func unfolded(_ value: UInt16) -> Int16 {
    Int16(bitPattern: value >> 1) ^ -Int16(bitPattern: value & 1)
  }

  private static func size(_ folded: [UInt16], _ k: Int) -> Int {
    folded.reduce(0) { $0 + Int($1) >> k + 1 + k }
  }
}
