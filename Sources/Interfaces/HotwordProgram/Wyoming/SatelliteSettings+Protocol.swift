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
  /// Who may connect to a satellite ignores the protocol if no option says it: the address of Home Assistant is to be set.
  static let satelliteWarning =
    "anyone in the network can connect and is sent what is said after the hotword; name Home Assistant's address with --allow"

  /// Where a satellite listens: with a key in the network, as no client is sent anything without it.
  init(_ settings: SatelliteSettings) throws {
    try self.init(
      settings.addresses, allowed: settings.allowed,
      isAnnounced: settings.isEncrypted || settings.zeroconf != nil,
      port: settings.isESPHome ? ESPHomeSatellite.port : WyomingSatellite.port)
  }
}
