import PCM
import Platform
import Understanding

/// Sets, cancels and reports timers: the standard intents `StartTimer`, `CancelTimer` and `TimerStatus`.
public struct TimerHandler: Handler {
  private let timers: @Sendable () -> (timers: Timers, position: SampleIndex)

  /// - Parameter timers: returns the running timers and the position in the stream.
  public init(timers: @escaping @Sendable () -> (timers: Timers, position: SampleIndex)) {
    self.timers = timers
  }

  public func handle(_ event: IntentEvent) throws(ActionFault) -> Answer? {
    let meaning = event.interpretation
    guard meaning.status == .ready else { return nil }
    let name = meaning.slots.first { $0.name == "name" }?.value.string
    switch meaning.intent?.name {
    case "StartTimer":
      guard let seconds = Self.seconds(meaning) else { return nil }
      guard seconds > 0, seconds <= Timers.longest else {
        return Answer("A timer can run for a second to a week.")
      }
      guard timers().timers.running.count < Timers.limit else {
        return Answer("There are \(Timers.limit) timers already.")
      }
      return Answer(meaning.reply, actions: [.timer(seconds: seconds, name: name)])
    case "CancelTimer":
      let choice = Self.choice(meaning, name)
      guard !timers().timers.chosen(choice).isEmpty else { return Answer(Self.none(name)) }
      return Answer(meaning.reply, actions: [.timerReset(choice)])
    case "TimerStatus":
      let (timers, position) = timers()
      let chosen = timers.chosen(name.map { .named($0) } ?? .all).map { ($0, $0.remaining(at: position)) }
      guard !chosen.isEmpty else { return Answer(Self.none(name)) }
      return Answer(chosen.sorted { $0.1 < $1.1 }.map(Self.status).joined(separator: " "))
    default: return nil
    }
  }

  /// The sum of `hours`, `minutes`, `seconds` and `duration` in seconds.
  private static func seconds(_ meaning: Interpretation) -> Double? {
    let parts = [("hours", 3600.0), ("minutes", 60), ("seconds", 1), ("duration", 1)].compactMap {
      part, unit in
      meaning.slots.first { $0.name == part }?.value.number.map { $0 * unit }
    }
    return parts.isEmpty ? nil : parts.reduce(0, +)
  }

  private static func choice(_ meaning: Interpretation, _ name: String?) -> Timers.Choice {
    if meaning.slots.contains(where: { $0.name == "all" && $0.value == true }) { return .all }
    return name.map { .named($0) } ?? .latest
  }

  private static func none(_ name: String?) -> String {
    name.map { "There is no \($0) timer." } ?? "No timer is running."
  }

  private static func status(_ timer: Timers.Timer, _ remaining: Double) -> String {
    let whole = Int(remaining.rounded(.up))
    let parts = [(whole / 3600, "hour"), (whole / 60 % 60, "minute"), (whole % 60, "second")]
      .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }
    let words =
      parts.isEmpty
      ? "Nothing"
      : parts.count == 1
        ? parts[0] : parts.dropLast().joined(separator: ", ") + " and " + parts[parts.count - 1]
    return "\(words) left\(timer.name.map { " on the \($0) timer" } ?? "")."
  }
}
