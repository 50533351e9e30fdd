import Configuration
import Networking

extension SatelliteSettings {
  /// The frames of ESPHome's native API that begin a connection: an empty hello, encrypted and not.
  private static let encryptedHello: [UInt8] = [1, 0, 0]
  private static let plainHello: [UInt8] = [0, 0, 1]

  /// Whether Home Assistant needs the key to connect.
  var isEncrypted: Bool { isESPHome && !isUnencrypted }

  /// What a client sends first, to which a satellite of these settings answers.
  var greeting: [UInt8] {
    if !isESPHome { return WyomingEvent("describe").encoded() }
    return isEncrypted ? Self.encryptedHello : Self.plainHello
  }
}

extension WyomingReach {
  /// The warning about a satellite that any program in the network can use.
  static let satelliteWarning =
    "anyone in the network can connect and is sent what is said after the hotword; name Home Assistant's address with --allow"

  /// Where a satellite listens, and who may connect. With a key it listens in the network: no client is sent anything without it.
  init(_ settings: SatelliteSettings) throws {
    try self.init(
      settings.addresses, allowed: settings.allowed,
      isAnnounced: settings.isEncrypted || settings.zeroconf != nil,
      port: settings.isESPHome ? ESPHomeSatellite.port : WyomingSatellite.port)
  }
}
