import CAvahi
import Platform

/// A service that others on the network find by itself, announced by the Avahi daemon for as long as this object lives.
///
/// Where the name is taken, the daemon's next free one is announced instead. A daemon that is started again is told
/// again. One thread at a time.
public final class ServiceAnnouncement {
  /// What has become of the announcement.
  public enum Status: Sendable, Equatable {
    /// Under this name.
    case announced(String)
    case failed(reason: String)
  }

  private let pointer: OpaquePointer
  private let listener: Listener

  /// The most bytes of a name.
  public static let nameLimit = 63

  /// - Parameters:
  ///   - name: at most ``nameLimit`` bytes.
  ///   - type: as `_wyoming._tcp`.
  ///   - port: where this host serves.
  ///   - report: called on any thread.
  /// - Throws: ``NetworkFault/missingAvahi(reason:)``, ``NetworkFault/cannotAnnounce(reason:)``.
  public init(
    _ name: String, type: String, port: Int, report: @escaping @Sendable (Status) -> Void
  ) throws(NetworkFault) {
    if let reason = avahi_load() { throw .missingAvahi(reason: String(cString: reason)) }
    let listener = Listener(report)
    var reason = [CChar](repeating: 0, count: Int(avahi_reason_size))
    let opened = avahi_announce(
      name, type, UInt16(port),
      { context, isAnnounced, text in
        let words = text.map { PlainText.line(String(cString: $0), limit: 200) } ?? ""
        Unmanaged<Listener>.fromOpaque(context!).takeUnretainedValue()
          .report(isAnnounced ? .announced(words) : .failed(reason: words))
      }, Unmanaged.passUnretained(listener).toOpaque(), &reason)
    guard let opened else { throw .cannotAnnounce(reason: NetworkLibrary.text(reason)) }
    pointer = opened
    self.listener = listener
  }

  deinit { avahi_withdraw(pointer) }

  /// Announces anew where the daemon has been started again; call it every second or so.
  public func refresh() { avahi_tend(pointer) }

  private final class Listener: Sendable {
    let report: @Sendable (Status) -> Void

    init(_ report: @escaping @Sendable (Status) -> Void) { self.report = report }
  }
}
