import Networking
import PCM
import Platform

/// The format of the samples in a client's chunks: little-endian integers, channels interleaved.
public struct AudioShape: Sendable, Equatable {
  /// Samples per second, in ``rates``.
  public let rate: Int
  /// Bytes per sample, 1 to 4.
  public let width: Int
  /// 1 to 64.
  public let channels: Int

  public static let rates = 4_000...384_000

  /// 16 kHz, 16 bit, mono: the default for clients that state no format.
  public static let standard = AudioShape(rate: AudioFormat.sampleRate, width: 2, channels: 1)

  private init(rate: Int, width: Int, channels: Int) {
    self.rate = rate
    self.width = width
    self.channels = channels
  }

  /// The format that a Wyoming event states; nil if it is not supported.
  ///
  /// - Parameter other: the values that the event leaves out.
  public init?(_ event: WyomingEvent, or other: AudioShape) {
    func whole(_ name: String, _ other: Int, _ range: ClosedRange<Int>) -> Int? {
      guard let value = event[name], value != .null else { return other }
      guard let number = value.number, let whole = Int(exactly: number), range.contains(whole) else {
        return nil
      }
      return whole
    }
    guard let rate = whole("rate", other.rate, Self.rates), let width = whole("width", other.width, 1...4),
      let channels = whole("channels", other.channels, 1...64)
    else { return nil }
    self.init(rate: rate, width: width, channels: channels)
  }

  /// The answer to a client that sends another format.
  static let refusal = WyomingEvent.error(
    "unsupported audio format; send \(rates.lowerBound) to \(rates.upperBound) Hz, 1 to 4 bytes per sample, 1 to 64 channels",
    code: "unsupported-audio")

  public var bytesPerFrame: Int { width * channels }
  public var bytesPerSecond: Int { rate * bytesPerFrame }
}

extension WyomingEvent {
  /// The event that tells a client what is wrong.
  static func error(_ text: String, code: String) -> WyomingEvent {
    WyomingEvent("error", [JSON.Member("text", .string(text)), JSON.Member("code", .string(code))])
  }
}
