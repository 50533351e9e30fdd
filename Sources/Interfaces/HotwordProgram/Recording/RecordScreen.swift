import Platform
import SoundCheck

/// The lines that `hotword record` prints.
enum RecordScreen {
  static func prompt(_ phrase: String, number: Int, of count: Int) -> String {
    "\(number) of \(count): say \"\(phrase)\""
  }

  static func recorded(_ take: Take) -> String {
    "  \(JSON.rounded(take.seconds, digits: 1)) s, \(SoundFlaw.decibels(take.level)) dBFS"
  }

  static func rejected(_ flaw: TakeFlaw) -> String { "  again: \(flaw.message)" }

  static func keys(canKeep: Bool) -> String {
    canKeep ? "  Enter keep  p play  r record again  q quit" : "  Enter record again  q quit"
  }
}
