import Understanding

/// Sets the volume for the standard intents `SetVolume`, `VolumeUp`, `VolumeDown`, `Mute` and `Unmute`.
public struct VolumeHandler: Handler {
  /// The default step in percent.
  private static let step = 10.0

  private let volume: @Sendable () -> (now: Double, audible: Double)

  /// - Parameter volume: returns the volume and the last volume above 0, both 0…100.
  public init(volume: @escaping @Sendable () -> (now: Double, audible: Double)) { self.volume = volume }

  public func handle(_ event: IntentEvent) throws(ActionFault) -> Answer? {
    let meaning = event.interpretation
    guard meaning.status == .ready, let name = meaning.intent?.name, let target = target(name, meaning)
    else { return nil }
    if target == volume().now, name == "VolumeUp" { return Answer("It is at its loudest.") }
    return Answer(meaning.reply, actions: [.volume(target)])
  }

  /// The volume that the intent `name` requests; nil for other intents.
  private func target(_ name: String, _ meaning: Interpretation) -> Double? {
    func number(_ slot: String) -> Double? { meaning.slots.first { $0.name == slot }?.value.number }
    let (now, audible) = volume()
    let step = max(0, number("step") ?? Self.step)
    switch name {
    case "SetVolume": return number("volume").flatMap { (0...100).contains($0) ? $0 : nil }
    case "VolumeUp": return now > 0 ? min(100, now + step) : audible
    case "VolumeDown": return max(0, now - step)
    case "Mute": return 0
    case "Unmute": return now > 0 ? now : audible
    default: return nil
    }
  }
}
