import PCM
import Platform

/// Decodes a RIFF/WAVE stream in pieces of any size, without I/O; the output does not depend on the pieces.
///
/// The states follow the file: the RIFF header, then chunk after chunk (the format is decoded, others are skipped) up to
/// the samples. Everything after samples of a stated length is ignored.
public struct WAVDecoder: Sendable {
  private enum State: Equatable {
    case riff
    case chunkHeader
    case format(length: Int)
    case sizes(length: Int)
    case skip(Int)
    /// `remaining` is nil when the length is unknown: the samples extend to the end.
    case samples(remaining: Int?)
    case end
  }

  private var state = State.riff
  /// Bytes of an incomplete item.
  private var pending: [UInt8] = []
  private var hasLongSizes = false
  private var longLength: Int?
  private var formatRead: WAVHeader?

  /// Lengths from this one on mean unknown (sox writes 0x7FFFF000, arecord 0x7FFFFF00, ffmpeg 0xFFFFFFFF), as 0 does.
  private static let unknownLength = 0x7FFF_0000
  /// The largest format chunk accepted, in bytes.
  private static let longestFormat = 4096

  /// The header, after its last byte has been pushed.
  public private(set) var header: WAVHeader?
  /// Bytes of samples that the header states and that have not been pushed; 0 without a stated length.
  public var missingBytes: Int {
    if case .samples(let remaining) = state {
      max(0, (remaining ?? pending.count) - pending.count)
    } else {
      0
    }
  }
  /// Whether all stated samples have been pushed, or the stream has no stated length.
  public var isComplete: Bool {
    switch state {
    case .end: true
    case .samples(let remaining): remaining == nil
    default: false
    }
  }

  public init() {}

  /// Decodes `bytes` and appends interleaved samples, full scale at ±1, to `output`.
  ///
  /// - Throws: ``WAVFault``; the decoder must not be used afterwards.
  public mutating func push(_ bytes: ArraySlice<UInt8>, into output: inout [Float]) throws(WAVFault) {
    var rest = bytes
    if header == nil {
      let count = try pushHeader(rest)
      rest = rest.dropFirst(count)
    }
    guard case .samples(let remaining) = state, let header, !rest.isEmpty else { return }
    var taken = rest
    if let remaining { taken = rest.prefix(remaining - pending.count) }
    let frameBytes = header.frameBytes
    var decoded = 0
    if !pending.isEmpty {
      let missing = min(frameBytes - pending.count, taken.count)
      pending += taken.prefix(missing)
      taken = taken.dropFirst(missing)
      if pending.count == frameBytes {
        pending.withUnsafeBytes { header.encoding.format.decode($0, appendingTo: &output) }
        pending.removeAll(keepingCapacity: true)
        decoded += frameBytes
      }
    }
    let whole = taken.count / frameBytes * frameBytes
    taken.prefix(whole).withUnsafeBytes { header.encoding.format.decode($0, appendingTo: &output) }
    decoded += whole
    pending += taken.dropFirst(whole)
    if let remaining {
      let left = remaining - decoded
      // A length that is not a whole number of frames ends with the last whole frame.
      state = left < frameBytes ? .end : .samples(remaining: left)
      if state == .end { pending = [] }
    }
  }

  /// Consumes bytes up to the first sample, then sets ``header``.
  ///
  /// - Returns: the number of bytes consumed.
  mutating func pushHeader(_ bytes: ArraySlice<UInt8>) throws(WAVFault) -> Int {
    var rest = bytes
    while header == nil, !rest.isEmpty {
      if case .skip(let length) = state {
        let count = min(length, rest.count)
        rest = rest.dropFirst(count)
        state = count == length ? .chunkHeader : .skip(length - count)
        continue
      }
      let needed = itemLength
      let count = min(needed - pending.count, rest.count)
      pending += rest.prefix(count)
      rest = rest.dropFirst(count)
      guard pending.count == needed else { break }
      let item = pending
      pending.removeAll(keepingCapacity: true)
      try take(item)
    }
    return bytes.count - rest.count
  }

  private var itemLength: Int {
    switch state {
    case .riff: 12
    case .chunkHeader: 8
    case .format(let length), .sizes(let length): length
    case .skip, .samples, .end: 0
    }
  }

  private mutating func take(_ item: [UInt8]) throws(WAVFault) {
    switch state {
    case .riff:
      let name = item[0..<4]
      hasLongSizes = name.elementsEqual("RF64".utf8)
      guard hasLongSizes || name.elementsEqual("RIFF".utf8), item[8..<12].elementsEqual("WAVE".utf8) else {
        throw .noRIFF
      }
      state = .chunkHeader
    case .chunkHeader:
      try begin(item[0..<4], length: item.integer(at: 4, bytes: 4))
    case .format(let length):
      formatRead = try Self.format(item)
      state = length % 2 == 1 ? .skip(1) : .chunkHeader
    case .sizes:
      longLength = item.integer(at: 8, bytes: 8)
      state = .chunkHeader
    case .skip, .samples, .end:
      break
    }
  }

  private mutating func begin(_ name: ArraySlice<UInt8>, length: Int) throws(WAVFault) {
    if name.elementsEqual("fmt ".utf8) {
      guard (16...Self.longestFormat).contains(length) else { throw .badFormat }
      state = .format(length: length)
    } else if name.elementsEqual("data".utf8) {
      guard var found = formatRead else { throw .noFormatBeforeData }
      let known = hasLongSizes && length == 0xFFFF_FFFF ? longLength : nil
      found.dataLength = known.map { $0 > 0 ? $0 : nil } ?? (length > 0 ? length : nil)
      if known == nil, length >= Self.unknownLength { found.dataLength = nil }
      header = found
      state = .samples(remaining: found.dataLength)
    } else if hasLongSizes, name.elementsEqual("ds64".utf8), (24...Self.longestFormat).contains(length) {
      state = .sizes(length: length + length % 2)
    } else {
      state = length == 0 ? .chunkHeader : .skip(length + length % 2)
    }
  }

  private static func format(_ item: [UInt8]) throws(WAVFault) -> WAVHeader {
    var tag = item.integer(at: 0, bytes: 2)
    let channels = item.integer(at: 2, bytes: 2)
    let rate = item.integer(at: 4, bytes: 4)
    let frameBytes = item.integer(at: 12, bytes: 2)
    let bits = item.integer(at: 14, bytes: 2)
    if tag == 0xFFFE, item.count >= 40 { tag = item.integer(at: 24, bytes: 2) }
    let encoding: WAVHeader.Encoding
    switch (tag, bits) {
    case (1, 8), (1, 16), (1, 24), (1, 32): encoding = .integer(bits: bits)
    case (3, 32), (3, 64): encoding = .float(bits: bits)
    default: throw .unsupportedEncoding(tag: tag, bits: bits)
    }
    guard (1...64).contains(channels) else { throw .unsupportedChannels(channels) }
    guard Resampler.inputRates.contains(rate) else { throw .unsupportedRate(rate) }
    guard frameBytes == channels * bits / 8 else { throw .badFormat }
    return WAVHeader(encoding: encoding, channels: channels, sampleRate: rate, dataLength: nil)
  }
}

extension Array where Element == UInt8 {
  /// The little-endian unsigned number of `bytes` bytes at `offset`; the largest Int where it is larger.
  fileprivate func integer(at offset: Int, bytes: Int) -> Int {
    var value: UInt64 = 0
    for index in 0..<bytes { value |= UInt64(self[offset + index]) << UInt64(8 * index) }
    return Int(clamping: value)
  }
}
