import Configuration
import Platform
import Supervision

/// Prepares a new configuration on a thread of its own: reads each file once, and creates and starts all that can fail.
///
/// The service's consumer receives ``ServiceEvent/prepared(_:)`` and replaces its components, which cannot fail. If anything
/// is wrong with the new configuration, all faults are logged, and the service continues with the old one.
package final class Reloader: Sendable {
  private struct Request: Sendable {}

  private let load: @Sendable () -> LoadedSettings
  private let check: @Sendable (LoadedSettings) -> [any Fault]
  private let prepare: @Sendable (ServiceSettings) throws -> ServiceComponents
  private let running: ServiceSettings
  private let supervisor: ServiceSupervisor
  private let queue: EventQueue
  private let requests = JobQueue<Request>()

  /// - Parameters:
  ///   - load: reads the settings again.
  ///   - check: finds all faults of settings of which one is known.
  ///   - prepare: creates components and starts their threads.
  ///   - running: the settings at the start.
  package init(
    _ load: @escaping @Sendable () -> LoadedSettings, running: ServiceSettings, supervisor: ServiceSupervisor,
    _ queue: EventQueue,
    check: @escaping @Sendable (LoadedSettings) -> [any Fault] = {
      ConfigurationCheck.faults(in: $0, opensDevices: false)
    },
    prepare: @escaping @Sendable (ServiceSettings) throws -> ServiceComponents
  ) {
    self.load = load
    self.check = check
    self.prepare = prepare
    self.running = running
    self.supervisor = supervisor
    self.queue = queue
  }

  /// Starts the thread, which lives as long as the process.
  package func start() throws(SystemFault) {
    try DetachedThread.start { [self] in
      while true {
        _ = requests.take()
        while requests.takeIfAny() != nil {}
        supervisor.reloading()
        if !reload() { supervisor.refused() }
      }
    }
  }

  /// Requests a reload; any thread may call it. Requests that come during a reload are one more reload.
  package func request() { requests.append(Request()) }

  private func reload() -> Bool {
    let loaded = load()
    var faults = loaded.faults
    if faults.isEmpty {
      do {
        let components = try prepare(loaded.settings)
        logNeedsOfRestart(loaded.settings)
        queue.post(.prepared(components))
        return true
      } catch let fault as any Fault {
        faults.append(fault)
      } catch {
        Log.error("unexpected fault: \(error)")
      }
    }
    // The preparation ends at its first fault.
    for fault in check(loaded) where !faults.contains(where: { $0.message == fault.message }) {
      faults.append(fault)
    }
    for fault in faults { Log.error(fault.message) }
    Log.error("the configuration is unchanged; the service continues with the old one")
    return false
  }

  /// Logs what a reload does not change.
  private func logNeedsOfRestart(_ new: ServiceSettings) {
    let changes = [
      ("input", new.input != running.input), ("pace", new.pace != running.pace),
      ("metrics", new.metrics != running.metrics), ("web", new.web != running.web),
      ("hermes", new.hermes != running.hermes),
    ]
    for (key, isChanged) in changes where isChanged {
      Log.warning("\(key): changes only after a restart; run 'systemctl restart hotword' or start it again")
    }
  }
}
