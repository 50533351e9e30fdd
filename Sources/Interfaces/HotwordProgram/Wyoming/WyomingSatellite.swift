import CommandLineParsing
import Configuration
import Detection
import Networking
import Platform
import Service
import SpeechSynthesis
import WyomingServer

/// A satellite that Home Assistant connects to by the Wyoming protocol.
final class WyomingSatellite: SatelliteProtocol {
  static let port = 10_700

  let reach: WyomingReach
  private let settings: SatelliteSettings
  private let name: String
  private let info: [UInt8]

  init(_ settings: SatelliteSettings, name: String) throws {
    self.settings = settings
    self.name = name
    reach = try WyomingReach(settings)
    let catalog = try Self.catalog(settings.models, sensitivity: settings.sensitivity)
    var offered = ServerInfo(version: Program.version)
    offered.offer(catalog)
    offered.offerSatellite(name, catalog)
    info = offered.event.encoded()
  }

  private static func catalog(_ models: [String], sensitivity: Double) throws -> WakeCatalog {
    let common = try Sensitivity(sensitivity)
    let store = ModelStore.standard()
    return WakeCatalog(
      try models.map { text in
        let reference = try ModelReference(text)
        let model = try store.model(reference)
        return WakeCatalog.Entry(name: model.name, model: model, sensitivity: reference.sensitivity ?? common)
      })
  }

  func spotter() throws -> KeywordSpotter {
    try KeywordSpotter(named: settings.models, sensitivity: settings.sensitivity)
  }

  var choice: WakeWordChoice? { nil }
  var isOpenToAll: Bool { reach.isOpenToAll }

  func player(_ speech: SpeechOutput?) -> SatellitePlayer {
    SatellitePlayer(speech, hasSounds: settings.hasSounds)
  }

  func handlers(_ link: SatelliteLink) -> @Sendable (ServedClient) -> any ClientHandler {
    { [info] _ in SatelliteClient(link, info: info) }
  }

  func note(_ event: SatelliteEvent) {}

  func setSensitivity(_ sensitivity: Sensitivity, of model: String) -> Bool { false }

  func announce(_ sockets: [ListeningSocket]) throws -> ServiceAnnouncement? {
    let announced = settings.zeroconf.map { $0.isEmpty ? name : $0 }
    return try WyomingAnnouncement.make(announced, sockets)
  }

  var greeting: [UInt8] { settings.greeting }

  func advise() {}

  func close() {}
}
