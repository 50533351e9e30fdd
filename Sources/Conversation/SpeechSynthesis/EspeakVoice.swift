import CSpeech
import Platform

/// A voice of espeak-ng, in process; the library is opened by the first one.
public struct EspeakVoice: Voice {
  /// Words per minute that espeak-ng can speak.
  public static let rates = 80...450
  public static let pitches = 0...99
  /// Seconds at which a text that never ends is cut.
  static let longest = 120

  private let name: String
  private let rate: Int
  private let pitch: Int

  /// - Parameters:
  ///   - name: the voice or language, with a variant where one is wanted: `de`, `en-gb+f2`.
  ///   - rate: words per minute, within ``rates``.
  ///   - pitch: within ``pitches``; 50 is the voice's own.
  /// - Throws: ``SpeechFault/noLibrary(reason:)`` and ``SpeechFault/noVoice(_:)``.
  public init(_ name: String = "en-us", rate: Int = 175, pitch: Int = 50) throws(SpeechFault) {
    if let reason = espeakLock.withLock({ _ in speech_load() }) {
      throw .noLibrary(reason: String(cString: reason))
    }
    var found = [CChar](repeating: 0, count: Int(speech_name_size))
    let isFound = espeakLock.withLock { _ in speech_find_voice(name, &found) }
    guard isFound else { throw .noVoice(name) }
    self.name = String(decoding: found.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    self.rate = rate
    self.pitch = pitch
  }

  public func say(_ text: String, isCancelled: () -> Bool) throws(SpeechFault) -> [Int16] {
    let words = Self.spoken(text)
    guard words.contains(where: { !$0.isWhitespace }) else { return [] }
    let limit = Int(speech_rate()) * Self.longest
    let (said, take) = withoutActuallyEscaping(isCancelled) { isCancelled in
      let take = Take(limit: limit, isCancelled: isCancelled)
      let said = name.withCString { name in
        var manner = speech_manner(voice: name, words_per_minute: Int32(rate), pitch: Int32(pitch))
        let context = Unmanaged.passUnretained(take).toOpaque()
        return espeakLock.withLock { _ in speech_say(words, &manner, receive, context) }
      }
      take.isCancelled = { false }
      return (said, take)
    }
    if take.wasCancelled { throw .cancelled }
    guard said else { throw .unspeakable(voice: name) }
    return Waveform.resampled(take.samples.map { Float($0) * 0x1p-15 }, from: Int(speech_rate()))
  }

  /// The text without control characters, some of which espeak-ng takes for commands.
  private static func spoken(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
  }
}

/// What espeak-ng has said so far.
private final class Take {
  var samples: [Int16] = []
  let limit: Int
  var isCancelled: () -> Bool
  var wasCancelled = false

  init(limit: Int, isCancelled: @escaping () -> Bool) {
    self.limit = limit
    self.isCancelled = isCancelled
  }
}

private func receive(
  _ context: UnsafeMutableRawPointer?, _ samples: UnsafePointer<Int16>?, _ count: Int
) -> Bool {
  let take = Unmanaged<Take>.fromOpaque(context!).takeUnretainedValue()
  take.samples += UnsafeBufferPointer(start: samples, count: count)
  take.wasCancelled = take.isCancelled()
  return !take.wasCancelled && take.samples.count < take.limit
}
