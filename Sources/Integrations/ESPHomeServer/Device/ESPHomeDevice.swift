import Networking
import PCM
import Platform
import Synchronization
import WyomingServer

/// A satellite as a device of ESPHome's native API: its entities and its voice assistant, for all clients together.
///
/// Any client may read states and send commands; the first that subscribes to the voice assistant owns the satellite, and then the next
/// one: a Home Assistant that returns may do so before its old connection has ended. A state changes under a lock; what follows from it
/// is done without.
public final class ESPHomeDevice: Sendable {
  private struct State {
    var device: DeviceState
    var channels: [ObjectIdentifier: ESPHomeChannel] = [:]
    /// Those that wait until the voice assistant is free, in the order in which they subscribed.
    var waiting: [ESPHomeChannel] = []
    /// Counts the media that were requested: of an earlier request, the audio is discarded.
    var media = 0
  }

  public let info: DeviceInfo
  let plays: Bool
  private let key: EncryptionKey?
  private let link: SatelliteLink
  private let hardware: any SatelliteHardware
  private let fetcher: MediaFetcher
  /// For the media player, whose files may be long: answers and announcements do not wait for them.
  private let mediaFetcher: MediaFetcher
  private let phrases: [String: String]
  private let state: Mutex<State>

  /// - Parameters:
  ///   - key: nil for connections without encryption.
  ///   - wakeWords: those that Home Assistant can choose.
  public init(
    _ info: DeviceInfo, key: EncryptionKey?, _ wakeWords: [WakeWord], _ memory: DeviceMemory,
    _ link: SatelliteLink, _ hardware: any SatelliteHardware
  ) throws {
    self.info = info
    self.key = key
    self.link = link
    self.hardware = hardware
    plays = info.features.contains(.speaker)
    phrases = Dictionary(wakeWords.map { ($0.id, $0.phrase) }) { first, _ in first }
    fetcher = try MediaFetcher()
    mediaFetcher = try MediaFetcher()
    state = Mutex(State(device: DeviceState(wakeWords, memory, plays: plays)))
    if key != nil { try Sodium.load() }
  }

  /// Follows the satellite; it does not wait.
  public func note(_ event: SatelliteEvent) {
    switch event {
    case .muted, .unmuted: change { $0.noteMuted(event == .muted) }
    case .speaking: change { $0.noteSpeaking(true) }
    case .idle:
      change { $0.noteSpeaking(false) }
      hardware.rest()
    default: break
    }
  }

  // MARK: Clients

  func responder() -> NoiseResponder? {
    key.map { NoiseResponder($0, name: info.name, address: info.address) }
  }

  func phrase(_ model: String) -> String { phrases[model] ?? model }

  func add(_ channel: ESPHomeChannel) {
    state.withLock { $0.channels[ObjectIdentifier(channel)] = channel }
  }

  func remove(_ channel: ESPHomeChannel) {
    state.withLock { $0.channels[ObjectIdentifier(channel)] = nil }
    release(channel)
  }

  private func release(_ channel: ESPHomeChannel) {
    state.withLock { state in state.waiting.removeAll { $0 === channel } }
    // The audio that plays may already be another owner's.
    guard link.isOwned(by: channel) else { return }
    link.endAudio()
    link.release(channel)
    if let next = state.withLock({ $0.waiting.first }) { claim(next) }
  }

  var entities: [Entity] { state.withLock { $0.device.entities } }
  var states: [EntityState] { state.withLock { $0.device.states } }

  // MARK: Messages

  func receive(_ message: ClientMessage, from channel: ESPHomeChannel) {
    switch message {
    case .switchCommand(let key, let isOn): change { $0.setSwitch(key, isOn) }
    case .numberCommand(let key, let value): change { $0.setNumber(key, value) }
    case .mediaPlayerCommand(let command): change { $0.command(command) }
    case .voiceAssistantConfigurationRequest: configure(channel)
    case .voiceAssistantSetConfiguration(let names): change { $0.activate(names) }
    case .subscribeVoiceAssistant(let isSubscribed):
      if isSubscribed { claim(channel) } else { release(channel) }
    default:
      guard link.isOwned(by: channel) else { return }
      receiveOwned(message, from: channel)
    }
  }

  private func configure(_ channel: ESPHomeChannel) {
    let (words, active) = state.withLock { ($0.device.wakeWords, $0.device.memory.active) }
    channel.send([.configuration(available: words, active: active, limit: DeviceState.slots)])
  }

  private func claim(_ channel: ESPHomeChannel) {
    guard link.claim(by: channel) else {
      state.withLock { state in
        if !state.waiting.contains(where: { $0 === channel }) { state.waiting.append(channel) }
      }
      return PeerLog.warning(
        "\(channel.peer) waits: another client uses the voice assistant", from: channel.client.host)
    }
    let isConnected = state.withLock { state in
      state.waiting.removeAll { $0 === channel }
      return state.channels[ObjectIdentifier(channel)] != nil
    }
    guard isConnected else { return release(channel) }
    channel.client.keepPlace()
    link.handle(.received(WyomingEvent("run-satellite")))
  }

  private func receiveOwned(_ message: ClientMessage, from channel: ESPHomeChannel) {
    switch message {
    case .voiceAssistantEvent(let event): perform(channel.translate { $0.take(event) }, channel)
    case .voiceAssistantAudio(let bytes): perform(channel.translate { $0.take(audio: bytes) }, channel)
    case .voiceAssistantTimer(let timer): perform(channel.translate { $0.take(timer) }, channel)
    case .voiceAssistantResponse(isError: true):
      let text = JSON.Member("text", "Home Assistant cannot start the voice assistant")
      link.handle(.received(WyomingEvent("error", [text])))
    case .voiceAssistantAnnounce(let announcement): announce(announcement, channel)
    default: break
    }
  }

  private func perform(_ steps: [VoiceAssistant.Step], _ channel: ESPHomeChannel) {
    for step in steps {
      switch step {
      case .input(let input): link.handle(input)
      case .play(let samples): link.play(samples)
      case .endAudio: link.endAudio()
      case .send(let message): channel.send([message])
      case .fetch(let address):
        fetcher.fetch([address]) { [self] samples in
          guard link.isOwned(by: channel) else { return }
          if let samples {
            play(samples)
          } else {
            link.handle(.received(WyomingEvent("run-end")))
          }
        }
      }
    }
  }

  private func play(_ samples: [Int16]) {
    link.handle(.audioStarted)
    link.play(samples)
    link.endAudio()
  }

  private func announce(_ announcement: VoiceAssistantAnnouncement, _ channel: ESPHomeChannel) {
    guard plays else { return channel.send([.announceFinished(isSuccess: false)]) }
    fetcher.fetch(announcement.addresses) { [self] samples in
      guard link.isOwned(by: channel) else { return }
      guard let samples, !samples.isEmpty else { return channel.send([.announceFinished(isSuccess: false)]) }
      if announcement.startsConversation { link.handle(.continued) }
      play(samples)
    }
  }

  // MARK: Settings

  /// Sets the sensitivity of a wake word, 0…1, as Home Assistant does, and reports it there.
  public func setSensitivity(_ value: Double, of wakeWord: String) {
    change { $0.setSensitivity(value, of: wakeWord) }
  }

  private func change(_ body: (inout DeviceState) -> [DeviceState.Action]) {
    let (actions, channels) = state.withLock { (body(&$0.device), Array($0.channels.values)) }
    for action in actions { perform(action, channels) }
  }

  private func perform(_ action: DeviceState.Action, _ channels: [ESPHomeChannel]) {
    switch action {
    case .report(let states): for channel in channels { channel.report(states) }
    case .setVolume(let percent): hardware.setVolume(percent)
    case .mute(let isMuted): link.mute(isMuted)
    case .listen(let memory): hardware.listen(memory)
    case .pauseMedia: hardware.pauseMedia()
    case .resumeMedia: hardware.resumeMedia()
    case .stopMedia:
      state.withLock { $0.media += 1 }
      hardware.stopMedia()
    case .fetchMedia(let address, let isAnnouncement): fetch(address, isAnnouncement)
    case .save(let memory): hardware.save(memory)
    }
  }

  private func fetch(_ address: String, _ isAnnouncement: Bool) {
    let number = state.withLock { state in
      if !isAnnouncement { state.media += 1 }
      return state.media
    }
    if isAnnouncement {
      return fetcher.fetch([address]) { [self] samples in
        if let samples, !samples.isEmpty { play(samples) }
      }
    }
    let isOld: @Sendable () -> Bool = { [self] in state.withLock { $0.media != number } }
    mediaFetcher.fetch([address], isCancelled: isOld) { [self] samples in
      guard let samples, !samples.isEmpty else { return }
      guard state.withLock({ $0.media == number }) else { return }
      hardware.stopMedia()
      change { $0.noteMedia(isPlaying: true) }
      hardware.play(media: samples) { [self] in
        if state.withLock({ $0.media == number }) { change { $0.noteMedia(isPlaying: false) } }
      }
    }
  }
}
