import Glibc
import Synchronization

/// What the consumer requests of the listening thread, without a lock.
package final class ListeningControl: Sendable {
  private let isStopped = Atomic<Bool>(false)
  private let mustRestart = Atomic<Bool>(false)
  package let sensitivities = SensitivityRequests()
  /// A retained ``ListeningChange``, or 0.
  private let change = Atomic<UInt>(0)

  deinit { submitted()?.release() }

  /// Whether the listening must end.
  package var isStopping: Bool { isStopped.load(ordering: .acquiring) }

  /// Ends the listening after the frame that is being read.
  package func stop() { isStopped.store(true, ordering: .releasing) }

  /// Lets the detector forget what it has processed; a ``ListeningRecord/Kind/restarted`` record follows.
  package func restart() { mustRestart.store(true, ordering: .releasing) }

  /// Whether a restart has been requested since the last call. Real-time safe.
  package func takeRestart() -> Bool {
    mustRestart.load(ordering: .relaxed) && mustRestart.exchange(false, ordering: .acquiring)
  }

  /// Hands over new parts, in place of those that the listening thread has not taken yet.
  ///
  /// - Returns: the ones that it has not taken.
  package func submit(_ new: ListeningChange) -> ListeningChange? {
    let bits = UInt(bitPattern: Unmanaged.passRetained(new).toOpaque())
    return Self.unpack(change.exchange(bits, ordering: .acquiringAndReleasing))?.takeRetainedValue()
  }

  /// The parts to go on with; nil if there are none. Real-time safe while there are none.
  package func takeChange() -> ListeningChange? {
    guard change.load(ordering: .relaxed) != 0 else { return nil }
    return submitted()?.takeRetainedValue()
  }

  private func submitted() -> Unmanaged<ListeningChange>? {
    Self.unpack(change.exchange(0, ordering: .acquiringAndReleasing))
  }

  private static func unpack(_ bits: UInt) -> Unmanaged<ListeningChange>? {
    UnsafeRawPointer(bitPattern: bits).map { Unmanaged.fromOpaque($0) }
  }
}
