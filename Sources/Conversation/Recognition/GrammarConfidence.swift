import Glibc

/// The confidence of a sentence that PocketSphinx found with a grammar.
///
/// A grammar search always finds some sentence and has no posteriors. But if the decoder computes all senones, acoustic
/// scores are relative to the best senone of each frame: their mean over the frames of the words is the distance from
/// the best unconstrained sequence, without a second decoder. The threshold between sentences of the grammar and other
/// speech was fitted to recordings of both; see the README of this module.
struct GrammarConfidence {
  /// The mean acoustic score per frame at which the confidence is 0.5.
  static let middle = -68.0
  /// The distance from the middle at which the confidence is 0.73 or 0.27.
  static let spread = 3.0

  /// The confidence of the words of a result, 0…1; 0 for no words.
  static func confidence(of words: some Sequence<SphinxDecoder.Segment>) -> Double {
    var acoustic = 0
    var frames = 0
    for word in words {
      acoustic += word.acoustic
      frames += word.frames.count
    }
    guard frames > 0 else { return 0 }
    return 1 / (1 + exp((middle - Double(acoustic) / Double(frames)) / spread))
  }
}
