import CAvahi
import Glibc
import Platform

/// A service that the Avahi daemon announces on the network (Zeroconf, mDNS) for as long as this object exists.
///
/// If the name is taken, the daemon's next free one is announced instead. One thread at a time uses it.
public final class ServiceAnnouncement {
  /// The state of the announcement.
  public enum Status: Sendable, Equatable {
    /// Under this name.
    case announced(String)
    case failed(reason: String)
  }

  private let pointer: OpaquePointer
  private let listener: Listener

  /// The maximum size of a name in bytes.
  public static let nameLimit = 63

  /// Checks that the daemon is running, without an announcement.
  ///
  /// - Throws: ``NetworkFault/missingAvahi(reason:)``, ``NetworkFault/cannotAnnounce(reason:)``.
  public static func check() throws(NetworkFault) {
    if let reason = avahi_load() { throw .missingAvahi(reason: String(cString: reason)) }
    var reason = [CChar](repeating: 0, count: Int(avahi_reason_size))
    guard avahi_check(&reason) else { throw .cannotAnnounce(reason: NetworkLibrary.text(reason)) }
  }

  /// - Parameters:
  ///   - name: up to ``nameLimit`` bytes.
  ///   - type: such as `_wyoming._tcp`.
  ///   - port: the port of the service on this host.
  ///   - records: texts of the form `KEY=VALUE`, each up to 255 bytes.
  ///   - report: called on any thread.
  /// - Throws: ``NetworkFault/missingAvahi(reason:)``, ``NetworkFault/cannotAnnounce(reason:)``.
  public init(
    _ name: String, type: String, port: Int, records: [String] = [],
    report: @escaping @Sendable (Status) -> Void
  ) throws(NetworkFault) {
    if let reason = avahi_load() { throw .missingAvahi(reason: String(cString: reason)) }
    let listener = Listener(report)
    var reason = [CChar](repeating: 0, count: Int(avahi_reason_size))
    let texts = records.map { strdup($0) }
    defer { for text in texts { free(text) } }
    let opened = avahi_announce(
      name, type, UInt16(port), texts.map { UnsafePointer($0) }, Int32(texts.count),
      { context, isAnnounced, text in
        let line = text.map { PlainText.line(String(cString: $0), limit: 200) } ?? ""
        Unmanaged<Listener>.fromOpaque(context!).takeUnretainedValue()
          .report(isAnnounced ? .announced(line) : .failed(reason: line))
      }, Unmanaged.passUnretained(listener).toOpaque(), &reason)
    guard let opened else { throw .cannotAnnounce(reason: NetworkLibrary.text(reason)) }
    pointer = opened
    self.listener = listener
  }

  /// As ``init(_:type:port:records:report:)``, with the state written to the log.
  package convenience init(logging name: String, type: String, port: Int, records: [String] = [])
    throws(NetworkFault)
  {
    try self.init(name, type: type, port: port, records: records) { news in
      switch news {
      case .announced(let name): Log.note("announced as '\(name)'")
      case .failed(let reason): Log.warning("not announced: \(reason)")
      }
    }
  }

  /// The first port of `sockets` that other hosts can reach; nil if there is none.
  package static func port(of sockets: [ListeningSocket]) -> Int? {
    sockets.lazy.compactMap { socket in
      if case .host(_, let port) = socket.address, !socket.address.isLocal { port } else { nil }
    }.first
  }

  deinit { avahi_withdraw(pointer) }

  /// Announces the service again after the daemon has restarted; call it every second or so.
  public func refresh() { avahi_refresh(pointer) }

  private final class Listener: Sendable {
    let report: @Sendable (Status) -> Void

    init(_ report: @escaping @Sendable (Status) -> Void) { self.report = report }
  }
}
