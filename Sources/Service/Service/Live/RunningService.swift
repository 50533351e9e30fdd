import Detection
import Platform

/// What a page can see and change of the running service. Any thread may use it.
package struct RunningService: Sendable {
  package let live: LiveTap
  /// What `/health` reports, and whether nothing is wrong.
  package let health: @Sendable () -> (report: JSON, isWell: Bool)
  /// Sets a model's sensitivity from its next step on, until the models change or the service ends.
  package let setSensitivity: @Sendable (_ model: String, _ sensitivity: Sensitivity) -> Void

  package init(
    live: LiveTap, health: @escaping @Sendable () -> (report: JSON, isWell: Bool),
    setSensitivity: @escaping @Sendable (_ model: String, _ sensitivity: Sensitivity) -> Void
  ) {
    self.live = live
    self.health = health
    self.setSensitivity = setSensitivity
  }
}
