import ESPHomeServer
import Networking
import Platform
import WyomingServer

/// The announcement of a device of ESPHome's native API on the local network (Zeroconf).
enum ESPHomeAnnouncement {
  private static let type = "_esphomelib._tcp"

  /// Announces the first port of `sockets`; nil without one that others can reach.
  ///
  /// - Parameter isRequired: whether it is a fault that this is not possible; otherwise it is a warning.
  static func make(
    _ info: DeviceInfo, _ sockets: [ListeningSocket], isRequired: Bool
  ) throws -> ServiceAnnouncement? {
    guard let port = ServiceAnnouncement.port(of: sockets) else {
      if isRequired { throw ServerFault.nothingToAnnounce }
      return nil
    }
    do {
      return try ServiceAnnouncement(logging: info.name, type: type, port: port, records: records(info))
    } catch {
      if isRequired { throw error }
      Log.warning("not announced, so enter this machine's address in Home Assistant: \(error.message)")
      return nil
    }
  }

  /// What Home Assistant reads before it connects.
  private static func records(_ info: DeviceInfo) -> [String] {
    let encryption = info.isEncrypted ? ["api_encryption=Noise_NNpsk0_25519_ChaChaPoly_SHA256"] : []
    return [
      "friendly_name=\(info.friendlyName)", "version=\(DeviceInfo.esphomeVersion)", "mac=\(info.address)",
      "platform=HOST", "board=host", "network=ethernet", "project_name=\(DeviceInfo.project)",
      "project_version=\(info.version)",
    ] + encryption
  }
}
