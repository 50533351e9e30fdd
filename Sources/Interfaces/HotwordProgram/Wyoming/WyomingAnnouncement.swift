import Networking
import Platform
import WyomingServer

/// The announcement of a Wyoming server on the local network (Zeroconf).
enum WyomingAnnouncement {
  private static let type = "_wyoming._tcp"

  /// Announces the first port of `sockets` that others can reach, under `name`; nil if there is no name.
  ///
  /// - Throws: ``ServerFault`` for a name or sockets that cannot be announced, ``NetworkFault`` without Avahi.
  static func make(_ name: String?, _ sockets: [ListeningSocket]) throws -> ServiceAnnouncement? {
    guard let name else { return nil }
    guard (1...ServiceAnnouncement.nameLimit).contains(name.utf8.count), PlainText.line(name) == name else {
      throw ServerFault.badAnnouncedName(name)
    }
    guard let port = ServiceAnnouncement.port(of: sockets) else { throw ServerFault.nothingToAnnounce }
    return try ServiceAnnouncement(logging: name, type: type, port: port)
  }
}
