/// A text-to-speech engine.
///
/// It may take long: it is called on the player's thread.
public protocol SpeechVoice: Sendable {
  /// The speech of `text`, 16 kHz mono; empty for a text without words.
  ///
  /// - Parameter isCancelled: called during the synthesis; true ends it with ``SpeechFault/cancelled``.
  func say(_ text: String, isCancelled: () -> Bool) throws(SpeechFault) -> [Int16]
}
