import Glibc

/// How much of a sentence was really said: how well its sounds fit, against those that would fit best.
///
/// A search finds some sentence in whatever it hears. A step's fit is the logarithm of how likely the sentence's sound
/// is against the likeliest of all, so that its mean says how far the sentence lies behind "anything at all". The line
/// between what was said and what was not was fitted on spoken commands and on other speech; see the module's guide.
struct SentenceConfidence {
  /// The mean fit per step at which confidence is 0.5.
  static let middle = -0.95
  /// The distance from the middle at which confidence is 0.73 or 0.27.
  static let spread = 0.12
  /// How far the score of a sentence lies behind the best one's where it is a third as likely.
  static let rivalSpread: Float = 4

  /// 0…1 for the words of a sentence; 0 when there are none.
  static func confidence(of words: some Sequence<Hypothesis.Word>) -> Double {
    var fit: Float = 0
    var steps = 0
    for word in words {
      fit += word.fit
      steps += word.steps.count
    }
    guard steps > 0 else { return 0 }
    return 1 / (1 + exp((middle - Double(fit) / Double(steps)) / spread))
  }
}
