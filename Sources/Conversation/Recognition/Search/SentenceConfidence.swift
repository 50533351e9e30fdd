import Glibc

/// The confidence of a sentence found by the built-in recognizer.
///
/// A search always finds some sentence. The fit of a step is the log probability of the sentence's sound minus that of
/// the most probable sound, so its mean is the distance from the best unconstrained sequence of sounds. The threshold
/// was fitted to spoken commands and to other speech; see the README of this module.
struct SentenceConfidence {
  /// The mean fit per step at which the confidence is 0.5.
  static let middle = -0.95
  /// The distance from the middle at which the confidence is 0.73 or 0.27.
  static let spread = 0.12
  /// The lead in score over the best sentence of another meaning at which the confidence is 0.5, and the distance from it at which it
  /// is 0.73 or 0.27.
  private static let middleLead: Float = 2
  private static let leadSpread: Float = 2
  /// The distance in score at which an alternative has 1/e of the confidence of the best sentence.
  static let rivalSpread: Float = 4

  /// The confidence of the words of a sentence, 0…1; 0 for no words.
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

  /// The confidence in a sentence against the best of another meaning, 0…1, by its lead in score. Of two sentences that fit
  /// almost equally well, such as one with "on" and one with "off", neither is trusted.
  static func confidence(lead: Float) -> Double {
    Double(1 / (1 + exp((middleLead - lead) / leadSpread)))
  }
}
