import Platform

/// The ways in which a stream of bytes can arrive.
enum Pieces: String, CaseIterable, Sendable {
  case whole, single, uneven

  func cut(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    let size =
      switch self {
      case .whole: max(1, bytes.count)
      case .single: 1
      case .uneven: 7
      }
    return stride(from: 0, to: bytes.count, by: size).map { bytes[$0..<min($0 + size, bytes.count)] }
  }
}

/// The bytes of hexadecimal digits.
func hex(_ text: String) -> [UInt8] {
  let digits = text.filter { !$0.isWhitespace }.map { UInt8($0.hexDigitValue!) }
  return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}
