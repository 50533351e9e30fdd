/// Decodes the outer frames of an encrypted connection in pieces of any size, without I/O: a byte of one, two bytes of size with
/// the high byte first, and as many bytes.
public struct NoiseFrameDecoder: Sendable {
  private var pending: [UInt8] = []

  public init() {}

  /// Bytes of an incomplete frame.
  public var heldBytes: Int { pending.count }

  /// Decodes the next bytes and returns the contents of the frames that they complete.
  ///
  /// - Throws: ``FrameViolation``; the decoder must not be used afterwards.
  public mutating func feed(_ bytes: ArraySlice<UInt8>) throws(FrameViolation) -> [ArraySlice<UInt8>] {
    pending += bytes
    var rest = pending[...]
    var frames: [ArraySlice<UInt8>] = []
    while let indicator = rest.first {
      guard indicator == 1 else { throw indicator == 0 ? .notEncrypted : .badIndicator(indicator) }
      let header = Array(rest.prefix(3))
      guard header.count == 3 else { break }
      let size = Int(header[1]) << 8 | Int(header[2])
      guard rest.count >= 3 + size else { break }
      frames.append(rest.dropFirst(3).prefix(size))
      rest = rest.dropFirst(3 + size)
    }
    if !frames.isEmpty { pending = Array(rest) }
    return frames
  }

  /// The frame of up to 65535 bytes.
  static func frame(_ contents: [UInt8]) -> [UInt8] {
    [1, UInt8(contents.count >> 8), UInt8(contents.count & 0xFF)] + contents
  }
}
