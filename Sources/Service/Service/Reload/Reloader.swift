import Configuration
import Platform
import Supervision
import Synchronization

/// Reads the configuration anew when asked, on a thread of its own, and holds what it makes until the loop takes it.
///
/// Whatever is wrong with the new one is told, and the service goes on with the old one.
final class Reloader: Sendable {
  private struct Request: Sendable {}

  private let load: @Sendable () -> LoadedSettings
  private let running: ServiceSettings
  private let pacing: Pacing
  private let supervisor: Supervisor
  private let requests = JobQueue<Request>()
  private let made = Mutex<ServiceComponents?>(nil)
  private let isReady = Atomic<Bool>(false)

  /// - Parameters:
  ///   - load: reads the settings again.
  ///   - running: the settings at the start.
  init(
    _ load: @escaping @Sendable () -> LoadedSettings, running: ServiceSettings, pacing: Pacing,
    supervisor: Supervisor
  ) {
    self.load = load
    self.running = running
    self.pacing = pacing
    self.supervisor = supervisor
  }

  /// Starts the thread, which lives as long as the process.
  func start() throws(SystemFault) {
    try DetachedThread.start { [self] in
      while true {
        _ = requests.take()
        while requests.takeIfAny() != nil {}
        supervisor.reloading()
        if !reload() { supervisor.refused() }
      }
    }
  }

  /// Asks for a new configuration; any thread may.
  func ask() { requests.append(Request()) }

  /// What was made and not taken yet; `body` says whether it takes it.
  func offer(_ body: (ServiceComponents) throws -> Bool) rethrows {
    guard isReady.load(ordering: .acquiring) else { return }
    guard let components = made.withLock({ $0 }), try body(components) else { return }
    made.withLock { current in
      // Another one may have been made meanwhile.
      guard current === components else { return }
      current = nil
      isReady.store(false, ordering: .relaxed)
    }
  }

  private func reload() -> Bool {
    let loaded = load()
    var faults = loaded.faults
    if faults.isEmpty {
      do {
        let components = try ServiceComponents(
          loaded.settings, pacing: pacing, metrics: supervisor.metrics, heartbeat: supervisor.heartbeat)
        tellOfRestart(loaded.settings)
        made.withLock { $0 = components }
        isReady.store(true, ordering: .releasing)
        return true
      } catch let fault as any Fault {
        faults.append(fault)
      } catch {
        Log.error("unexpected fault: \(error)")
      }
    }
    for fault in faults { Log.error(fault.message) }
    Log.error("the configuration is not changed; listening goes on with the old one")
    return false
  }

  /// Tells of what a reload does not change.
  private func tellOfRestart(_ new: ServiceSettings) {
    let changes = [
      ("input", new.input != running.input), ("pace", new.pace != running.pace),
      ("metrics", new.metrics != running.metrics), ("hermes", new.hermes != running.hermes),
    ]
    for (key, isChanged) in changes where isChanged {
      Log.warning("\(key): changes only with a restart")
    }
  }
}
