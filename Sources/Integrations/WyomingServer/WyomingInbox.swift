import Networking
import Platform

/// The decoded events of a client that wait to be handled.
struct WyomingInbox {
  var events: [WyomingEvent] = []
  /// Bytes of JSON from which the waiting events were parsed.
  private var text = 0
  /// When the current incomplete event began, on the monotonic clock; nil between events.
  private(set) var incompleteSince: Double?
  private var decoder = WyomingDecoder(dataLimit: Self.dataLimit)

  /// The maximum size of the data block of an event in bytes: what clients send is short.
  private static let dataLimit = 64 << 10

  /// The memory of a parsed value for a byte of its text: that of `[[0],[0],…]`, which needs most.
  private static let parsedBytes = 25

  /// Bytes of events that are not complete or not handled yet, about.
  var heldBytes: Int {
    events.reduce(decoder.heldBytes + (events.isEmpty ? 0 : Self.parsedBytes * text)) {
      $0 + $1.payload.count
    }
  }

  /// Decodes the next bytes of `peer`.
  ///
  /// - Throws: ``NetworkFault/notUnderstood(peer:reason:)``.
  mutating func receive(_ bytes: ArraySlice<UInt8>, from peer: String) throws(NetworkFault) {
    if events.isEmpty { text = 0 }
    do throws(WyomingDecoder.Violation) {
      let before = decoder.heldBytes
      let found = try decoder.feed(bytes)
      let taken = before + bytes.count - decoder.heldBytes
      text += found.reduce(found.isEmpty ? 0 : taken) { $0 - $1.payload.count }
      let began = found.isEmpty ? incompleteSince : nil
      incompleteSince = decoder.isWithinEvent ? began ?? MonotonicClock.now() : nil
      events += found
    } catch {
      throw .notUnderstood(peer: peer, reason: "sent an invalid Wyoming event (\(error))")
    }
  }
}
