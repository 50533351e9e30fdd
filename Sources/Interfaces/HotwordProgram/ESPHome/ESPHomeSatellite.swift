import CommandLineParsing
import Configuration
import Detection
import ESPHomeServer
import Glibc
import Networking
import Platform
import SpeechSynthesis
import Synchronization
import WyomingServer

/// A satellite that Home Assistant connects to by ESPHome's native API.
final class ESPHomeSatellite: SatelliteProtocol {
  static let port = 6_053

  private struct Parts {
    var machine: SatelliteMachine?
    var device: ESPHomeDevice?
  }

  let reach: WyomingReach
  private let models: [(model: HotwordModel, sensitivity: Sensitivity)]
  private let words: WakeWordChoice
  private let settings: SatelliteSettings
  private let key: (key: EncryptionKey, isNew: Bool)?
  private let info: DeviceInfo
  private let wakeWords: [WakeWord]
  private let memory: DeviceMemory
  private let parts = Mutex(Parts())

  init(_ settings: SatelliteSettings, name: String) throws {
    self.settings = settings
    let isEncrypted = !settings.isUnencrypted
    reach = try WyomingReach(settings)
    key = isEncrypted ? try EncryptionKey.load(Self.keyPath(settings)) : nil
    models = try Self.models(settings)
    wakeWords = models.map { WakeWord(id: $0.model.name, phrase: $0.model.phrase) }
    let sensitivities = models.map { ($0.model.name, $0.sensitivity.value) }
    var memory = DeviceMemory(
      active: models.prefix(min(settings.models.count, 2)).map(\.model.name),
      sensitivities: Dictionary(sensitivities) { first, _ in first })
    let path = Self.memoryPath(settings)
    let isFirst = !Files.exists(path)
    try memory.read(path)
    memory.offer(wakeWords.map(\.id))
    if isFirst { try memory.write(path) }
    self.memory = memory
    words = WakeWordChoice(memory)
    let announced = settings.zeroconf.flatMap { $0.isEmpty ? nil : $0 } ?? name
    info = DeviceInfo(
      title: announced, address: memory.address, version: Program.version, isEncrypted: isEncrypted,
      plays: settings.player != nil)
  }

  /// The file of the key: the standard one is in the user's data folder.
  static func keyPath(_ settings: SatelliteSettings) -> String {
    settings.key ?? UserFolders.data("esphome.key")
  }

  /// The file of what was set in Home Assistant: next to the key.
  private static func memoryPath(_ settings: SatelliteSettings) -> String {
    let key = keyPath(settings)
    return (key.hasSuffix(".key") ? String(key.dropLast(".key".count)) : key) + ".json"
  }

  /// The configured models, then all others that are installed and not personal; where only enrolled voices count, the former.
  private static func models(
    _ settings: SatelliteSettings
  ) throws -> [(model: HotwordModel, sensitivity: Sensitivity)] {
    let common = try Sensitivity(settings.sensitivity)
    let store = ModelStore.standard()
    var models: [(model: HotwordModel, sensitivity: Sensitivity)] = []
    for text in settings.models {
      let reference = try ModelReference(text)
      let model = try store.model(reference)
      if models.contains(where: { $0.model.name == model.name }) {
        throw DetectionFault.repeatedModel(reference.name)
      }
      models.append((model, reference.sensitivity ?? common))
    }
    if settings.onlyVoices { return models }
    for item in store.list() where !models.contains(where: { $0.model.name == item.name }) {
      do throws(DetectionFault) {
        let model = try HotwordModel(reading: item.path)
        if !model.isPersonal { models.append((model, common)) }
      } catch {
        Log.warning(error.message)
      }
    }
    return models
  }

  func spotter() throws -> KeywordSpotter { try KeywordSpotter(models) }

  var choice: WakeWordChoice? { words }

  /// Without the key, nobody is sent anything.
  var isOpenToAll: Bool { key == nil && reach.isOpenToAll }

  func player(_ speech: SpeechOutput?) throws -> SatellitePlayer {
    let machine = try SatelliteMachine(speech, words, savingTo: Self.memoryPath(settings))
    machine.setVolume(Double(memory.volume) * 100)
    parts.withLock { $0.machine = machine }
    return SatellitePlayer(speech, hasSounds: settings.hasSounds, hasMedia: true) { [weak machine] in
      machine?.resumeIfIdle()
    }
  }

  func handlers(_ link: SatelliteLink) throws -> @Sendable (ServedClient) -> any ClientHandler {
    guard let machine = parts.withLock({ $0.machine }) else { preconditionFailure("no player was made") }
    let device = try ESPHomeDevice(info, key: key?.key, wakeWords, memory, link, machine)
    parts.withLock { $0.device = device }
    if memory.isMuted { link.mute(true) }
    return { ESPHomeClient(device, $0) }
  }

  func note(_ event: SatelliteEvent) {
    let parts = parts.withLock { $0 }
    switch event {
    case .wake, .speaking: parts.machine?.occupy()
    default: break
    }
    parts.device?.note(event)
  }

  func setSensitivity(_ sensitivity: Sensitivity, of model: String) -> Bool {
    guard let device = parts.withLock({ $0.device }) else { return false }
    device.setSensitivity(sensitivity.value, of: model)
    return true
  }

  func announce(_ sockets: [ListeningSocket]) throws -> ServiceAnnouncement? {
    if key == nil, settings.zeroconf == nil { return nil }
    return try ESPHomeAnnouncement.make(info, sockets, isRequired: settings.zeroconf != nil)
  }

  var greeting: [UInt8] { settings.greeting }

  func advise() {
    guard let key else { return }
    if key.isNew, isatty(STDERR_FILENO) == 1 { KeyDisplay.show(key.key, on: STDERR_FILENO) }
    Log.note(
      "Home Assistant discovers '\(info.friendlyName)' and asks for its encryption key, which this prints: "
        + "hotword satellite --show-key --key \(Self.keyPath(settings))"
    )
  }

  func close() throws { try parts.withLock { $0.machine }?.close() }

  /// Prints the key, which is made if there is none yet.
  static func showKey(_ settings: SatelliteSettings) throws {
    let (key, isNew) = try EncryptionKey.load(keyPath(settings))
    if isNew {
      Log.note(
        "made a new key, in \(keyPath(settings)); for the key of a satellite that runs as a service, name its file with --key"
      )
    }
    KeyDisplay.show(key, on: STDOUT_FILENO)
  }
}
