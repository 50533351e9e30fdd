import Assistant
import Configuration
import Platform
import Supervision

/// The supervisor of `run`, which also reports reloads.
package typealias ServiceSupervisor = Supervisor<ServiceMetrics>

extension ServiceSupervisor {
  /// - Parameters:
  ///   - isLive: whether audio comes all the time: from a microphone.
  ///   - manager: the service manager.
  package convenience init(_ settings: ServiceSettings, isLive: Bool, manager: ServiceManager) {
    self.init(
      settings, isLive: isLive, manager: manager,
      metrics: ServiceMetrics(endings: AssistantEvent.IdleReason.allCases.map(\.rawValue)))
  }

  /// A reload has begun.
  package func reloading() {
    manager.send(
      .reloading(at: UInt64(MonotonicClock.now() * 1e6)), .status("reloading the configuration"))
  }

  /// A reload is complete; the service listens for `keywords`.
  package func reloaded(_ keywords: [String]) {
    metrics.reloads.add()
    ready(keywords)
  }

  /// The new configuration was rejected; the old one stays.
  package func refused() {
    metrics.failedReloads.add()
    manager.send(.ready, .status(status))
  }
}

extension ServiceMetrics {
  /// Counts an event.
  package func note(_ event: AssistantEvent) {
    switch event.kind {
    case .wake(let wake, _): stream.keyword(wake.keyword).wakes.add()
    case .transcript: transcripts.add()
    case .idle(let reason): end(reason.rawValue)
    case .error: errors.add()
    case .ready, .listening, .partial, .intent, .prompt, .action, .reply, .device: break
    }
  }
}
