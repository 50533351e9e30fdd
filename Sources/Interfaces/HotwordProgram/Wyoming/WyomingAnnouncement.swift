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
    let ports = sockets.compactMap { socket -> Int? in
      if case .host(_, let port) = socket.address, !socket.address.isLocal { port } else { nil }
    }
    guard let port = ports.first else { throw ServerFault.nothingToAnnounce }
    return try ServiceAnnouncement(name, type: type, port: port) { news in
      switch news {
      case .announced(let name): Log.note("announced as '\(name)'")
      case .failed(let reason): Log.warning("not announced: \(reason)")
      }
    }
  }
}
