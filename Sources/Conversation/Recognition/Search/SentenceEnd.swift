/// When a sentence is over, by the search of the built-in recognizer.
///
/// Silence must have followed it, and its score must exceed that of each sentence which goes on, or which is not complete yet. Silence
/// between words has a cost at each step, so a sentence that may go on is waited for longer. Chosen with orders of coffee and of a
/// home; the README of this module has the measurements.
enum SentenceEnd {
  /// The shortest silence in seconds.
  static let silence = 0.16
  /// The lowest mean score of silence in it: not somebody who speaks on.
  static let fit: Float = -3
  /// The least lead over sentences that go on.
  static let lead: Float = 7

  static func isReached(_ ending: SentenceSearch.Ending, stepSeconds: Double) -> Bool {
    Double(ending.silence) * stepSeconds >= silence && ending.fit >= fit && ending.lead >= lead
  }
}
