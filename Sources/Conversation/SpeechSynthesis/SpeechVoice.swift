/// Something that turns text into speech.
///
/// Voices may take their time: they run on a thread of their own.
public protocol SpeechVoice: Sendable {
  /// The speech of `text`, 16 kHz mono; empty for text without words.
  ///
  /// - Parameter isCancelled: asked while it works; true ends it with ``SpeechFault/cancelled``.
  func say(_ text: String, isCancelled: () -> Bool) throws(SpeechFault) -> [Int16]
}
