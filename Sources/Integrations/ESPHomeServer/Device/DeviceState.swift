/// The settings of a satellite that Home Assistant shows and changes, and the states of its entities.
///
/// A state machine without I/O: methods change the state and return what is to be done.
struct DeviceState: Sendable {
  enum Action: Sendable, Equatable {
    /// Report these to all clients that have subscribed to states.
    case report([EntityState])
    case setVolume(percent: Double)
    case mute(Bool)
    case listen(DeviceMemory)
    case pauseMedia, resumeMedia, stopMedia
    case fetchMedia(String, isAnnouncement: Bool)
    case save(DeviceMemory)
  }

  /// The number of wake words that are active at the same time.
  static let slots = 2
  private static let player: UInt32 = 1
  private static let mute: UInt32 = 2
  private static let volume: UInt32 = 3
  private static let sensitivity: ClosedRange<UInt32> = 4...5
  private static let step: Float = 0.05

  let wakeWords: [WakeWord]
  private let plays: Bool
  private(set) var memory: DeviceMemory
  private var playback = EntityState.Playback.idle
  /// Whether an answer or announcement plays.
  private var isSpeaking = false
  private var isSpeakerMuted = false

  /// - Parameters:
  ///   - wakeWords: those that can be chosen.
  ///   - plays: whether there is a loudspeaker.
  init(_ wakeWords: [WakeWord], _ memory: DeviceMemory, plays: Bool) {
    self.wakeWords = wakeWords
    self.memory = memory
    self.plays = plays
  }

  var entities: [Entity] {
    var entities = [
      Entity(key: Self.mute, id: "mute", name: "Mute", icon: "mdi:microphone-off", kind: .toggle)
    ]
    if plays {
      entities.append(
        Entity(
          key: Self.player, id: "media_player", name: "Media Player", icon: "mdi:speaker", kind: .mediaPlayer)
      )
      entities.append(
        Entity(
          key: Self.volume, id: "volume", name: "Volume", icon: "mdi:volume-high",
          kind: .number(0...100, step: 1, unit: "%")))
    }
    for (slot, key) in Self.sensitivity.enumerated() {
      entities.append(
        Entity(
          key: key, id: "wake_word_\(slot + 1)_sensitivity", name: "Wake word \(slot + 1) sensitivity",
          icon: "mdi:ear-hearing", kind: .number(0...1, step: 0.01, unit: "")))
    }
    return entities
  }

  /// The states of all entities.
  var states: [EntityState] {
    [.toggle(key: Self.mute, isOn: memory.isMuted)] + (plays ? playerStates : []) + sensitivities
  }

  private var playerStates: [EntityState] {
    [
      .mediaPlayer(
        key: Self.player, isSpeaking ? .playing : playback, volume: memory.volume, isMuted: isSpeakerMuted),
      .number(key: Self.volume, (memory.volume * 100).rounded()),
    ]
  }

  private var sensitivities: [EntityState] {
    Self.sensitivity.enumerated().map { slot, key in
      guard slot < memory.active.count else { return .number(key: key, nil) }
      return .number(key: key, Float(memory.sensitivity(of: memory.active[slot])))
    }
  }

  /// Makes up to two of the known wake words active; others are ignored.
  mutating func activate(_ names: [String]) -> [Action] {
    var active: [String] = []
    for name in names.prefix(1_000) where wakeWords.contains(where: { $0.id == name }) {
      if !active.contains(name), active.count < Self.slots { active.append(name) }
    }
    guard active != memory.active else { return [] }
    memory.activate(active)
    return [.listen(memory), .save(memory), .report(sensitivities)]
  }

  mutating func setSwitch(_ key: UInt32, _ isOn: Bool) -> [Action] { key == Self.mute ? [.mute(isOn)] : [] }

  /// The microphone has been muted, or no longer.
  mutating func noteMuted(_ isMuted: Bool) -> [Action] {
    guard memory.isMuted != isMuted else { return [] }
    memory.isMuted = isMuted
    return [.report([.toggle(key: Self.mute, isOn: isMuted)]), .save(memory)]
  }

  mutating func setNumber(_ key: UInt32, _ value: Float) -> [Action] {
    guard value.isFinite else { return [] }
    if key == Self.volume, plays { return setVolume(value / 100) }
    guard Self.sensitivity.contains(key) else { return [] }
    let slot = Int(key - Self.sensitivity.lowerBound)
    guard slot < memory.active.count else { return [.report(sensitivities)] }
    return setSensitivity(Double(value), of: memory.active[slot])
  }

  /// Sets the sensitivity of a known wake word, active or not.
  mutating func setSensitivity(_ value: Double, of wakeWord: String) -> [Action] {
    guard wakeWords.contains(where: { $0.id == wakeWord }) else { return [] }
    memory.sensitivities[wakeWord] = min(1, max(0, value))
    return [.listen(memory), .save(memory), .report(sensitivities)]
  }

  private mutating func setVolume(_ volume: Float) -> [Action] {
    memory.volume = min(1, max(0, volume))
    isSpeakerMuted = false
    return [.setVolume(percent: Double(memory.volume) * 100), .save(memory), .report(playerStates)]
  }

  mutating func command(_ command: MediaPlayerCommand) -> [Action] {
    guard plays, command.key == Self.player else { return [] }
    var actions: [Action] = []
    if let volume = command.volume, volume.isFinite { actions += setVolume(volume) }
    if let address = command.address {
      actions.append(.fetchMedia(address, isAnnouncement: command.isAnnouncement))
    }
    if let verb = command.verb { actions += perform(verb) }
    return actions
  }

  private mutating func perform(_ verb: MediaPlayerCommand.Verb) -> [Action] {
    switch verb {
    case .play: return playback == .paused ? change(.playing, .resumeMedia) : [.report(playerStates)]
    case .pause: return playback == .playing ? change(.paused, .pauseMedia) : [.report(playerStates)]
    case .toggle: return perform(playback == .paused ? .play : .pause)
    case .stop: return change(.idle, .stopMedia)
    case .mute, .unmute:
      isSpeakerMuted = verb == .mute
      return [
        .setVolume(percent: isSpeakerMuted ? 0 : Double(memory.volume) * 100), .report(playerStates),
      ]
    case .volumeUp: return setVolume(memory.volume + Self.step)
    case .volumeDown: return setVolume(memory.volume - Self.step)
    }
  }

  private mutating func change(_ playback: EntityState.Playback, _ action: Action) -> [Action] {
    self.playback = playback
    return [action, .report(playerStates)]
  }

  /// Media begins to play, or has ended.
  mutating func noteMedia(isPlaying: Bool) -> [Action] {
    playback = isPlaying ? .playing : .idle
    return [.report(playerStates)]
  }

  /// An answer or announcement plays, or no longer.
  mutating func noteSpeaking(_ isSpeaking: Bool) -> [Action] {
    guard plays, self.isSpeaking != isSpeaking else { return [] }
    self.isSpeaking = isSpeaking
    return [.report(playerStates)]
  }
}
