import AudioCapture
import Configuration
import Platform
import Supervision

/// The always-on service in the foreground, from its settings to its end.
package enum ServiceRun {
  /// Listens until the stream ends or the process is asked to stop.
  ///
  /// - Parameter load: reads the settings again, for a reload.
  package static func run(
    _ settings: ServiceSettings, reloading load: @escaping @Sendable () -> LoadedSettings
  ) throws {
    let manager = ServiceManager.take()
    // Before anything that starts threads, as espeak-ng does.
    let signals = ServiceSignals()
    let bridge = try settings.hermes.map { try PlugIns.hermes($0, bringsAudio: settings.isFedByBroker) }
    let (source, pacing) = try source(settings, bridge)
    let supervisor = Supervisor(settings, isLive: pacing == .live && !settings.pace, manager: manager)
    let components = try ServiceComponents(
      settings, pacing: pacing, metrics: supervisor.metrics, heartbeat: supervisor.heartbeat)
    let reloader = Reloader(load, running: settings, pacing: pacing, supervisor: supervisor)
    let loop = ServiceLoop(
      source: source, pacing: pacing, components: components, bridge: bridge, signals: signals,
      reloader: reloader, supervisor: supervisor)
    try loop.run()
  }

  private static func source(
    _ settings: ServiceSettings, _ bridge: HermesBridge?
  ) throws -> (any AudioSource, Pacing) {
    if settings.isFedByBroker {
      guard let audio = bridge?.audio else { throw ServiceFault.noBroker }
      return (audio, .live)
    }
    let input = try InputName(settings.input)
    return (try input.open(paced: settings.pace), Pacing(input, isPaced: settings.pace))
  }
}
