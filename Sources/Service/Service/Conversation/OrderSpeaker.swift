import PCM
import Speakers
import Understanding

/// Who spoke an order: the voice that said the hotword, if the order sounds like it too.
package struct OrderSpeaker: Sendable {
  /// What the order's own sound says.
  struct Finding: Sendable {
    let speaker: TurnSpeaker
    /// How likely the voice of the hotword spoke the order, 0…1; nil if that is not known.
    let likeness: Double?
    /// Whether the order is ignored.
    let isRefused: Bool
  }

  /// Who said the hotword.
  private let hotword: TurnSpeaker
  private let order: [Int16]
  private let voices: EnrolledVoices?
  private let onlyVoices: Bool

  init(_ hotword: TurnSpeaker, _ order: [Int16], _ identifier: SpeakerIdentifier?) {
    self.hotword = hotword
    self.order = order
    voices = identifier?.voices
    onlyVoices = identifier?.onlyVoices ?? false
  }

  /// Compares the order with the voice. Not real-time safe.
  func find() -> Finding {
    guard case .enrolled(let name) = hotword, let voices,
      let likeness = KnownVoices.likeness(of: order, to: name, among: voices)
    else { return Finding(speaker: hotword, likeness: nil, isRefused: false) }
    let isSame = likeness >= EnrolledVoices.leastLikeness
    return Finding(
      speaker: isSame ? hotword : .notEnrolled, likeness: likeness, isRefused: !isSame && onlyVoices)
  }
}
