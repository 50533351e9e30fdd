import PCM

/// Holds back the end of an order until its voice has been compared, where only enrolled voices may give orders.
///
/// Speech is sent as it arrives, and the pause after it only when the order so far has been compared: until then no recognizer
/// can find the end of the order. Speech without a pause is compared every two seconds.
struct OrderHold: Sendable, Equatable {
  /// The pause after which the order is compared, in seconds.
  static let pause = 0.3
  /// Seconds of a pause that are sent before.
  static let sent = 0.1
  /// Seconds of speech without a pause that are sent without a comparison.
  static let longest = 2.0

  /// The enrolled voice that said the hotword.
  let speaker: String
  /// The end of the speech so far, of what was given to be compared, and of what was accepted.
  private var spoken: SampleIndex
  private var asked: SampleIndex
  private var accepted: SampleIndex

  /// - Parameter start: the position after the hotword.
  init(speaker: String, from start: SampleIndex) {
    self.speaker = speaker
    spoken = start
    asked = start
    accepted = start
  }

  /// Whether there is speech that is not known to be by the voice.
  var isOpen: Bool { spoken > accepted }

  /// Takes where the speech ended last.
  mutating func note(speechUntil end: SampleIndex) { spoken = max(spoken, end) }

  /// Whether the order is to be compared at `position`.
  func isDue(at position: SampleIndex) -> Bool {
    guard spoken > asked else { return false }
    return position - spoken >= AudioFormat.samples(Self.pause)
      || position - asked >= AudioFormat.samples(Self.longest)
  }

  /// The order up to `position` is being compared.
  mutating func ask(at position: SampleIndex) { asked = max(asked, position) }

  /// The order up to `position` is by the voice.
  mutating func accept(until position: SampleIndex) { accepted = max(accepted, position) }

  /// Up to where the stream may be sent at `position`.
  func limit(at position: SampleIndex) -> SampleIndex {
    isOpen ? min(position, spoken + AudioFormat.samples(Self.sent)) : position
  }
}
