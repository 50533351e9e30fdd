/// Decodes the frames of a connection without encryption in pieces of any size, without I/O.
///
/// A frame is a byte of zero, the size of its body, its type, and the body. Both numbers have up to four bytes of seven bits.
public struct PlainFrameDecoder: Sendable {
  private var pending: [UInt8] = []

  public init() {}

  /// Bytes of an incomplete frame.
  public var heldBytes: Int { pending.count }

  /// Decodes the next bytes and returns the frames that they complete.
  ///
  /// - Throws: ``FrameViolation``; the decoder must not be used afterwards.
  public mutating func feed(_ bytes: ArraySlice<UInt8>) throws(FrameViolation) -> [APIFrame] {
    pending += bytes
    var rest = pending[...]
    var frames: [APIFrame] = []
    while let (frame, end) = try Self.frame(rest) {
      frames.append(frame)
      rest = rest[end...]
    }
    if !frames.isEmpty { pending = Array(rest) }
    return frames
  }

  /// The first frame of `bytes` and the index after it; nil if it is not complete.
  private static func frame(_ bytes: ArraySlice<UInt8>) throws(FrameViolation) -> (APIFrame, Int)? {
    guard let indicator = bytes.first else { return nil }
    guard indicator == 0 else { throw indicator == 1 ? .encrypted : .badIndicator(indicator) }
    guard let (size, afterSize) = try number(bytes.dropFirst()) else { return nil }
    guard size <= APIFrame.limit else { throw .tooLong(size: size) }
    guard let (type, start) = try number(bytes[afterSize...]) else { return nil }
    guard type <= APIFrame.highestType else { throw .badType(type) }
    let end = start + Int(size)
    guard end <= bytes.endIndex else { return nil }
    return (APIFrame(type: Int(type), body: Array(bytes[start..<end])), end)
  }

  private static func number(_ bytes: ArraySlice<UInt8>) throws(FrameViolation) -> (UInt64, Int)? {
    var number: UInt64 = 0
    for (place, byte) in bytes.prefix(4).enumerated() {
      number |= UInt64(byte & 0x7F) << UInt64(7 * place)
      if byte < 0x80 { return (number, bytes.startIndex + place + 1) }
    }
    if bytes.count >= 4 { throw .longNumber }
    return nil
  }
}
