import Understanding

/// Sets the volume for the standard intent `SetVolume`.
public struct VolumeHandler: Handler {
  public init() {}

  public func handle(_ event: IntentEvent) throws(ActionFault) -> Answer? {
    let meaning = event.interpretation
    guard meaning.status == .ready, meaning.intent?.name == "SetVolume",
      let volume = meaning.slots.first(where: { $0.name == "volume" })?.value.number,
      (0...100).contains(volume)
    else { return nil }
    return Answer(meaning.reply, actions: [.volume(volume)])
  }
}
