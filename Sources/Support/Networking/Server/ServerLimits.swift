/// What a server grants its clients.
public struct ServerLimits: Sendable {
  /// The maximum number of connections. Lower if the process may not open as many descriptors.
  public var clients = 1_000
  /// Bytes kept for all clients together: messages that are not complete or not handled yet, and answers that are not read yet.
  /// Above this, the client that occupies most is disconnected.
  public var bytes = 64 << 20
  /// Who may connect.
  public var allowed = AllowedPeers.anyone

  public init() {}
}

/// Which client gives up its place when another wants to connect and no place is free: the one that has been idle for longest,
/// of the host with most connections. So neither idle connections nor one host can occupy all places.
///
/// A value without sockets or clock.
struct ClientPlaces {
  /// One connection.
  struct Place {
    let number: UInt64
    /// The client's address without the port.
    let host: String
    /// When it last sent something.
    let lastActive: Double
    /// Whether it keeps its place in any case.
    let isKept: Bool
  }

  /// Seconds after which a client counts as idle.
  static let idle = 10.0

  /// The place to free for a client from `host` at `now`; nil if that client must be refused.
  static func toFree(_ places: [Place], for host: String, at now: Double) -> Place? {
    let counts = Dictionary(places.map { ($0.host, 1) }, uniquingKeysWith: +)
    let own = counts[host] ?? 0
    return places.filter { !$0.isKept && (now - $0.lastActive >= idle || counts[$0.host]! > own + 1) }
      .min { (-counts[$0.host]!, $0.lastActive) < (-counts[$1.host]!, $1.lastActive) }
  }
}
