/// What the device of a satellite uses of its machine. Any thread calls it; no method waits.
public protocol SatelliteHardware: Sendable {
  /// - Parameter percent: 0…100.
  func setVolume(_ percent: Double)
  /// Plays samples of 16 kHz below answers; `then` is called once, when they have been played or cannot be.
  func play(media samples: [Int16], then: @escaping @Sendable () -> Void)
  func pauseMedia()
  func resumeMedia()
  func stopMedia()
  /// Answers and announcements are over: media may play again.
  func rest()
  /// Listens for the active wake words with their sensitivities.
  func listen(_ memory: DeviceMemory)
  func save(_ memory: DeviceMemory)
}
