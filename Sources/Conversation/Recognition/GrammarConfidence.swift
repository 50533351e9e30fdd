import Glibc

/// How much of a grammar's result was really said.
///
/// A grammar always finds some sentence in whatever it hears, and its search has no posteriors. But where the decoder
/// computes all senones, its acoustic scores are relative to the best senone of each frame: the mean over the frames
/// of the words says how far the sentence lies behind an unconstrained "best of anything", without a second decoder.
/// The line between spoken grammar sentences and other speech was fitted on both; see the guide of this module.
struct GrammarConfidence {
  /// The mean acoustic score per frame at which confidence is 0.5.
  static let middle = -68.0
  /// The distance from the middle at which confidence is 0.73 or 0.27.
  static let spread = 3.0

  /// 0…1 for the words of a result; 0 when there are none.
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
