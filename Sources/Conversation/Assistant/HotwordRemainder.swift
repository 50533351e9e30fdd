import PCM

/// Where the audio of a command begins after a hotword.
///
/// The end of a hotword is an estimate, which may be some hundredths of a second early. A recognizer takes the rest of the word for a
/// word of the command. So what is shorter than any word, and ends in a pause, still belongs to the hotword.
public enum HotwordRemainder {
  private static let frame = AudioFormat.samples(0.02)
  /// Frames that the remainder may have.
  private static let longest = 6
  /// Frames that the pause must have, or as many of them as there is audio for.
  private static let pause = 4
  /// Frames that the pause must have where the audio ends in it.
  private static let shortestPause = 2
  /// The maximum energy in the pause, relative to the loudest frame of the hotword: −20 dB.
  private static let quiet = 0.01

  /// - Parameters:
  ///   - samples: from the hotword's start until now, 16 kHz mono.
  ///   - end: the estimated end of the hotword, an index in `samples`.
  /// - Returns: the index of the first sample of the command: `end`, or that of the pause that follows within 0.12 s.
  public static func commandStart(_ samples: [Int16], end: Int) -> Int {
    guard end > 0, end < samples.count else { return end }
    let word = stride(from: 0, through: end - frame, by: frame).map { energy(samples[$0..<$0 + frame]) }
    let limit = quiet * (word.max() ?? 0)
    let isQuiet = stride(from: end, through: samples.count - frame, by: frame).prefix(longest + pause).map {
      energy(samples[$0..<$0 + frame]) < limit
    }
    let first = isQuiet.indices.prefix(longest + 1).first { first in
      let following = isQuiet[first...].prefix(pause)
      return following.count >= shortestPause && following.allSatisfy(\.self)
    }
    return end + (first ?? 0) * frame
  }

  private static func energy(_ samples: ArraySlice<Int16>) -> Double {
    samples.reduce(0) { $0 + Double($1) * Double($1) }
  }
}
