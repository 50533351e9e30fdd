/// Smooths the voice flag of the front end: speech begins with three voiced frames in a row and ends with thirty
/// frames without voice.
struct VoiceFlagSmoother: Sendable {
  private(set) var isSpeech = false
  private var voicedInARow = 0
  private var quietInARow = 0

  @_noAllocation @_noLocks
  mutating func push(_ isVoiced: Bool) {
    if isVoiced {
      voicedInARow += 1
      quietInARow = 0
      if voicedInARow >= 3 { isSpeech = true }
    } else {
      voicedInARow = 0
      quietInARow += 1
      if quietInARow >= 30 { isSpeech = false }
    }
  }
}
