/// The header of a RIFF/WAVE stream.
public struct WAVHeader: Sendable, Equatable {
  /// How one sample is stored; all little-endian.
  public enum Encoding: Sendable, Equatable {
    /// Signed integers of 16, 24 or 32 bits, or unsigned ones of 8.
    case integer(bits: Int)
    /// IEEE floating point of 32 or 64 bits, full scale at ±1.
    case float(bits: Int)

    /// Bytes of one sample.
    public var bytes: Int {
      switch self {
      case .integer(let bits), .float(let bits): bits / 8
      }
    }
  }

  public var encoding: Encoding
  /// 1…64.
  public var channels: Int
  /// Samples per second of each channel.
  public var sampleRate: Int
  /// Bytes of samples; nil if unknown (the field is 0 or close to the largest number).
  public var dataLength: Int?

  public init(
    encoding: Encoding = .integer(bits: 16), channels: Int = 1,
    sampleRate: Int = AudioFormat.sampleRate, dataLength: Int?
  ) {
    self.encoding = encoding
    self.channels = channels
    self.sampleRate = sampleRate
    self.dataLength = dataLength
  }

  /// Bytes of one sample of every channel.
  public var frameBytes: Int { encoding.bytes * channels }

  /// The 44 bytes that go before the samples; an unknown or too large length is written as 0xFFFFFFFF.
  public func encoded() -> [UInt8] {
    let length = dataLength.map { $0 <= Int(UInt32.max) - 36 ? $0 : Int(UInt32.max) } ?? Int(UInt32.max)
    var bytes = Array("RIFF".utf8)
    func append(_ value: Int, _ count: Int) {
      for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
    }
    append(min(length + 36, Int(UInt32.max)), 4)
    bytes += Array("WAVEfmt ".utf8)
    append(16, 4)
    if case .float = encoding { append(3, 2) } else { append(1, 2) }
    append(channels, 2)
    append(sampleRate, 4)
    append(sampleRate * frameBytes, 4)
    append(frameBytes, 2)
    append(encoding.bytes * 8, 2)
    bytes += Array("data".utf8)
    append(length, 4)
    return bytes
  }
}
