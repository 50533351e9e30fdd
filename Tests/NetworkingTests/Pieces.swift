/// The ways to split a stream of bytes for a decoder.
enum Pieces: String, CaseIterable, Sendable {
  case whole, single, coalesced, uneven

  func cut(_ bytes: [UInt8]) -> [[UInt8]] {
    switch self {
    case .whole: [bytes]
    case .single: bytes.map { [$0] }
    case .coalesced:
      stride(from: 0, to: bytes.count, by: 1024).map { Array(bytes[$0..<min($0 + 1024, bytes.count)]) }
    case .uneven: uneven(bytes)
    }
  }

  private func uneven(_ bytes: [UInt8]) -> [[UInt8]] {
    var pieces: [[UInt8]] = []
    var rest = bytes[...]
    var size = 0
    while !rest.isEmpty {
      size = (size * 5 + 3) % 17
      pieces.append(Array(rest.prefix(size)))
      rest = rest.dropFirst(size)
    }
    return pieces
  }
}

/// Pseudorandom bytes.
func noise(_ count: Int, seed: UInt64) -> [UInt8] {
  var state = seed
  return (0..<count).map { _ in
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return UInt8(truncatingIfNeeded: state >> 33)
  }
}
