import Espeak
import Platform

/// A voice of espeak-ng, in process.
public struct EspeakVoice: SpeechVoice {
  /// Words per minute.
  public static let rates = 80...450
  public static let pitches = 0...99
  /// Seconds after which the speech of a text is cut off.
  static let longest = 120.0

  private let espeak: Espeak
  private let style: Espeak.Style

  /// - Parameters:
  ///   - name: the voice or language, with or without a variant: `de`, `en-gb+f2`.
  ///   - rate: words per minute, within ``rates``.
  ///   - pitch: within ``pitches``; 50 is the voice's own.
  /// - Throws: ``SpeechFault/espeak(_:)`` and ``SpeechFault/noVoice(_:)``.
  public init(_ name: String = "en-us", rate: Int = 175, pitch: Int = 50) throws(SpeechFault) {
    do throws(EspeakFault) {
      espeak = try Espeak()
    } catch {
      throw .espeak(error)
    }
    guard let voice = espeak.voice(named: name) else { throw .noVoice(name) }
    style = Espeak.Style(voice: voice, wordsPerMinute: rate, pitch: pitch)
  }

  public func say(_ text: String, isCancelled: () -> Bool) throws(SpeechFault) -> [Int16] {
    let words = Self.withoutControlCharacters(text)
    guard words.contains(where: { !$0.isWhitespace }) else { return [] }
    var wasCancelled = false
    let speech = espeak.speak(.text(words), style, limit: Self.longest) {
      wasCancelled = isCancelled()
      return wasCancelled
    }
    if wasCancelled { throw .cancelled }
    guard let speech else { throw .rejected(voice: style.voice) }
    return Waveform.resampled(speech.samples.map { Float($0) * 0x1p-15 }, from: espeak.sampleRate)
  }

  /// The text with spaces for its control characters: espeak-ng reads some of them as commands.
  private static func withoutControlCharacters(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
  }
}
