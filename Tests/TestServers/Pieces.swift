/// The ways to split a stream of bytes for a decoder.
public enum Pieces: String, CaseIterable, Sendable {
  case whole, single, coalesced, uneven

  public func cut(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    switch self {
    case .whole: [bytes[...]]
    case .single: bytes.indices.map { bytes[$0...$0] }
    case .coalesced:
      stride(from: 0, to: bytes.count, by: 1024).map { bytes[$0..<min($0 + 1024, bytes.count)] }
    case .uneven: uneven(bytes)
    }
  }

  private func uneven(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var pieces: [ArraySlice<UInt8>] = []
    var rest = bytes[...]
    var size = 0
    while !rest.isEmpty {
      size = (size * 5 + 3) % 17
      pieces.append(rest.prefix(size))
      rest = rest.dropFirst(size)
    }
    return pieces
  }
}
