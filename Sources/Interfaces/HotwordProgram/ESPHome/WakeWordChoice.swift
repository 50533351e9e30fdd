import Detection
import ESPHomeServer
import Synchronization

/// Which of a spotter's models count, and with which sensitivities. Any thread may change it; the listening loop follows.
final class WakeWordChoice: Sendable {
  private let memory: Mutex<DeviceMemory>
  private let version = Atomic<Int>(0)

  init(_ memory: DeviceMemory) { self.memory = Mutex(memory) }

  func change(_ memory: DeviceMemory) {
    self.memory.withLock { $0 = memory }
    version.add(1, ordering: .releasing)
  }

  /// Whether it has changed since the last call with the same `seen`.
  func hasChanged(since seen: inout Int) -> Bool {
    let now = version.load(ordering: .acquiring)
    defer { seen = now }
    return now != seen
  }

  func isActive(_ model: String) -> Bool { memory.withLock { $0.active.contains(model) } }

  /// Sets the sensitivities of `spotter`.
  func apply(to spotter: KeywordSpotter) {
    let memory = memory.withLock { $0 }
    for (index, keyword) in spotter.keywords.enumerated() {
      guard let value = memory.sensitivities[keyword.name], let sensitivity = try? Sensitivity(value) else {
        continue
      }
      spotter.setSensitivity(sensitivity, of: index)
    }
  }
}
