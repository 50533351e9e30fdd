import Detection
import Platform

/// What a page can see and change of the running service. Any thread may use it.
package struct RunningService: Sendable {
  package let live: LiveTap
  /// Whether there is audio to show; a server has only events.
  package let hasStream: Bool
  /// What `/health` reports, and whether nothing is wrong.
  package let health: @Sendable () -> (report: JSON, isWell: Bool)
  /// What the service works with.
  package let connections: @Sendable () -> [ServiceConnection]
  /// Requests a reload, as SIGHUP does; nil if the program reloads nothing.
  package let reload: (@Sendable () -> Void)?
  /// Sets a model's sensitivity from its next step on, until the models change or the service ends.
  package let setSensitivity: @Sendable (_ model: String, _ sensitivity: Sensitivity) -> Void

  package init(
    live: LiveTap, hasStream: Bool = true, health: @escaping @Sendable () -> (report: JSON, isWell: Bool),
    connections: @escaping @Sendable () -> [ServiceConnection] = { [] },
    reload: (@Sendable () -> Void)? = nil,
    setSensitivity: @escaping @Sendable (_ model: String, _ sensitivity: Sensitivity) -> Void
  ) {
    self.live = live
    self.hasStream = hasStream
    self.health = health
    self.connections = connections
    self.reload = reload
    self.setSensitivity = setSensitivity
  }
}
