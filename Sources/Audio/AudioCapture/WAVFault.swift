import PCM
import Platform

extension WAVHeader {
  /// Reads the header at the start of `bytes`.
  ///
  /// - Returns: the header and the offset of the first sample; nil if `bytes` ends before that.
  /// - Throws: ``WAVFault`` for anything except a RIFF/WAVE header that we can decode.
  public static func decode(_ bytes: [UInt8]) throws(WAVFault) -> (header: WAVHeader, offset: Int)? {
    var decoder = WAVDecoder()
    let offset = try decoder.pushHeader(bytes[...])
    return decoder.header.map { ($0, offset) }
  }
}

/// Why a RIFF/WAVE stream cannot be decoded.
public enum WAVFault: Error, Equatable {
  case noRIFF
  case noFormatBeforeData
  case badFormat
  case unsupportedEncoding(tag: Int, bits: Int)
  case unsupportedChannels(Int)
  case unsupportedRate(Int)

  /// The fault as text.
  public var reason: String {
    switch self {
    case .noRIFF: "no RIFF/WAVE header"
    case .noFormatBeforeData: "a WAV stream with samples before its format"
    case .badFormat: "a WAV format that contradicts itself"
    case .unsupportedEncoding(let tag, let bits): "WAV encoding \(tag) of \(bits) bits is not supported"
    case .unsupportedChannels(let count): "a WAV stream of \(count) channels"
    case .unsupportedRate(let rate): "a sample rate of \(rate) Hz"
    }
  }
}
