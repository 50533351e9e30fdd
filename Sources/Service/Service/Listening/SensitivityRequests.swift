import Detection
import Synchronization

/// The levels at which a model detects: the usual one, and the one during playback.
package struct SensitivityLevels: Sendable {
  package let usual: PlaybackSensitivity.Level
  package let raised: PlaybackSensitivity.Level

  package init(usual: PlaybackSensitivity.Level, raised: PlaybackSensitivity.Level) {
    self.usual = usual
    self.raised = raised
  }

  /// Those of a model of `spotter` at a sensitivity. May allocate.
  package init(_ sensitivity: Sensitivity, of model: Int, _ spotter: KeywordSpotter) {
    usual = (sensitivity, spotter.threshold(for: sensitivity, of: model))
    raised = PlaybackSensitivity.raised(sensitivity, of: model, spotter)
  }
}

/// Changes of sensitivities for the listening thread, without a lock: of each model, the newest counts.
///
/// Models beyond ``capacity`` cannot be changed.
package final class SensitivityRequests: Sendable {
  package static let capacity = 32

  /// Sensitivity and threshold as the bits of two `Float`s, 0 for no change.
  private struct Slot: ~Copyable {
    let usual = Atomic<UInt64>(0)
    let raised = Atomic<UInt64>(0)
  }

  private let isPending = Atomic<Bool>(false)
  nonisolated(unsafe) private let slots: UnsafeMutablePointer<Slot>

  package init() {
    slots = .allocate(capacity: Self.capacity)
    for index in 0..<Self.capacity { (slots + index).initialize(to: Slot()) }
  }

  deinit {
    slots.deinitialize(count: Self.capacity)
    slots.deallocate()
  }

  /// Requests a change.
  ///
  /// - Returns: false for a model beyond ``capacity``.
  package func put(_ levels: SensitivityLevels, of model: Int) -> Bool {
    guard (0..<Self.capacity).contains(model) else { return false }
    slots[model].raised.store(Self.bits(levels.raised), ordering: .relaxed)
    slots[model].usual.store(Self.bits(levels.usual), ordering: .releasing)
    isPending.store(true, ordering: .releasing)
    return true
  }

  /// Whether something has been requested since the last call. Real-time safe.
  package func takePending() -> Bool {
    isPending.load(ordering: .relaxed) && isPending.exchange(false, ordering: .acquiring)
  }

  /// The change of a model; nil if there is none. Real-time safe.
  package func take(_ model: Int) -> SensitivityLevels? {
    guard (0..<Self.capacity).contains(model) else { return nil }
    let usual = slots[model].usual.exchange(0, ordering: .acquiring)
    guard usual != 0 else { return nil }
    let raised = slots[model].raised.load(ordering: .relaxed)
    return SensitivityLevels(usual: Self.level(usual), raised: Self.level(raised))
  }

  private static func bits(_ level: PlaybackSensitivity.Level) -> UInt64 {
    UInt64(Float(level.sensitivity.value).bitPattern) << 32 | UInt64(Float(level.threshold).bitPattern)
  }

  private static func level(_ bits: UInt64) -> PlaybackSensitivity.Level {
    let sensitivity = Double(Float(bitPattern: UInt32(bits >> 32)))
    let threshold = Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    return ((try? Sensitivity(sensitivity)) ?? .standard, threshold)
  }
}
