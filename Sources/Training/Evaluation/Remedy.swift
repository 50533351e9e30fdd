/// Something that would bring a model nearer to its target.
public enum Remedy: Sendable, Equatable {
  /// The model learned from synthetic voices alone.
  case recordThePhrase
  case moreRecordings(have: Int)
  case moreSpeakers(have: Int)
  /// Few groups hold most of the misses.
  case enrol(groups: [String], missed: Int, of: Int)
  case longerPhrase(String, syllables: Int)
  case moreSound(hours: Double)
  /// A source gives more than its share of the false alarms, and raises the threshold for everyone.
  case learnSource(String)
  /// Too few recordings to tell.
  case measureMoreRecordings(have: Int, need: Int)
  case measureMoreHours(have: Double, need: Double)
  /// Misses come with noise.
  case noise

  /// One sentence without its full stop.
  public var message: String {
    switch self {
    case .recordThePhrase:
      "recordings of real people saying the phrase (train --positives): it knows synthetic voices only"
    case .moreRecordings(let have):
      "more recordings of the phrase: it learned from \(have); some hundreds are better"
    case .moreSpeakers(let have):
      "more speakers: it learned from \(Decimals.count(have, "session", "sessions")); twenty or more are better"
    case .enrol(let groups, let missed, let total):
      "the voices of \(groups.joined(separator: ", ")), \(missed) of \(total) misses: enrol them, or train on more "
        + "recordings of such voices"
    case .longerPhrase(let phrase, let syllables):
      "a longer phrase: \"\(phrase)\" has about \(Decimals.count(syllables, "syllable", "syllables")); four or more "
        + "are told apart better"
    case .moreSound(let hours):
      "more sound without the phrase (train --negatives): it learned from \(Decimals.text(hours, 1)) h; ten hours of "
        + "speech, music and noise are better"
    case .learnSource(let name):
      "sound like \(name) among the --negatives of the training: it gives more than its share of the false alarms"
    case .measureMoreRecordings(let have, let need):
      "\(need) recordings or more to measure on: \(have == 0 ? "there is none" : "\(have) leave the miss rate open")"
    case .measureMoreHours(let have, let need):
      "\(Decimals.short(need)) h or more to measure on: \(Decimals.text(have, 2)) h cannot count such a rate"
    case .noise:
      "noise of the place where it listens (train --noise), a nearer microphone, or the front end's noise suppression"
    }
  }
}
