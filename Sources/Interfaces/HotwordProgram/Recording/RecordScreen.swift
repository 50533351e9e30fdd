import Platform
import SoundCheck

/// The recording in words.
enum RecordScreen {
  static func prompt(_ phrase: String, number: Int, of count: Int) -> String {
    "\(number) of \(count): say \"\(phrase)\""
  }

  static func taken(_ take: Take) -> String {
    "  \(JSON.rounded(take.seconds, digits: 1)) s, \(SoundFlaw.decibels(take.level)) dBFS"
  }

  static func refused(_ flaw: TakeFlaw) -> String { "  again: \(flaw.message)" }

  static func keys(canKeep: Bool) -> String {
    canKeep ? "  Enter keep  p play  r once more  q quit" : "  Enter once more  q quit"
  }
}
