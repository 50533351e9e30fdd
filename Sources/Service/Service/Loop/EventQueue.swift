import Platform

/// The events for the service's one consumer.
///
/// Any thread may post an event. The listening thread, which may not lock, puts its records into a ``ListeningRing`` and
/// calls ``signal()``. Only the consumer calls ``take()`` and ``wait(until:)``.
package final class EventQueue: Sendable {
  private let events = JobQueue<ServiceEvent>()
  private let arrival: ThreadSignal

  package init() throws(SystemFault) { arrival = try ThreadSignal() }

  /// Adds an event and wakes the consumer.
  package func post(_ event: ServiceEvent) {
    events.append(event)
    arrival.send()
  }

  /// Wakes the consumer, which looks for records and for outputs that have made progress.
  package func signal() { arrival.send() }

  /// The oldest event; nil if there is none.
  package func take() -> ServiceEvent? { events.takeIfAny() }

  /// Waits for an event or a signal since the last call, until `deadline` on ``MonotonicClock`` at the latest.
  package func wait(until deadline: Double) { arrival.wait(until: deadline) }
}
