import Networking
import Platform

/// What a served client has sent: its bytes as events, which wait for their turn.
struct WyomingInbox {
  var events: [WyomingEvent] = []
  /// When an event began of which more must come; nil between events. On the monotonic clock.
  private(set) var awaitsRestSince: Double?
  private var decoder = WyomingDecoder()

  /// Takes the next bytes of `peer`.
  ///
  /// - Throws: ``NetworkFault/notUnderstood(peer:reason:)``.
  mutating func receive(_ bytes: ArraySlice<UInt8>, from peer: String) throws(NetworkFault) {
    do throws(WyomingDecoder.Violation) {
      let found = try decoder.feed(bytes)
      let began = found.isEmpty ? awaitsRestSince : nil
      awaitsRestSince = decoder.isWithinEvent ? began ?? MonotonicClock.now() : nil
      events += found
    } catch {
      throw .notUnderstood(peer: peer, reason: "sent what is no Wyoming event (\(error))")
    }
  }
}
