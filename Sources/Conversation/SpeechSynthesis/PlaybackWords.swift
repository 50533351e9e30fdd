/// Finds the hotwords in what is played, so that the program does not react to itself. Only the player's thread uses it.
public protocol PlaybackWords: Sendable {
  /// Begins with the next speech.
  func reset()
  /// Takes its next samples.
  ///
  /// - Returns: the hotwords found in the samples since `reset`; one that is growing is returned again.
  func push(_ samples: ArraySlice<Int16>) -> [PlaybackReference.Word]
  /// Ends the speech.
  func finish() -> [PlaybackReference.Word]
}
