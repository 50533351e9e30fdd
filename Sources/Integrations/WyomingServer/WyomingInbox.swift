import Networking
import Platform

/// The decoded events of a client that wait to be handled.
struct WyomingInbox {
  var events: [WyomingEvent] = []
  /// When the current incomplete event began, on the monotonic clock; nil between events.
  private(set) var incompleteSince: Double?
  private var decoder = WyomingDecoder(dataLimit: Self.dataLimit)

  /// The maximum size of the data block of an event in bytes: what clients send is short.
  private static let dataLimit = 64 << 10

  /// Bytes of events that are not complete or not handled yet.
  var heldBytes: Int { events.reduce(decoder.heldBytes) { $0 + $1.payload.count } }

  /// Decodes the next bytes of `peer`.
  ///
  /// - Throws: ``NetworkFault/notUnderstood(peer:reason:)``.
  mutating func receive(_ bytes: ArraySlice<UInt8>, from peer: String) throws(NetworkFault) {
    do throws(WyomingDecoder.Violation) {
      let found = try decoder.feed(bytes)
      let began = found.isEmpty ? incompleteSince : nil
      incompleteSince = decoder.isWithinEvent ? began ?? MonotonicClock.now() : nil
      events += found
    } catch {
      throw .notUnderstood(peer: peer, reason: "sent an invalid Wyoming event (\(error))")
    }
  }
}
