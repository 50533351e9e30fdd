import AudioCapture
import Configuration
import Platform
import Supervision

/// The always-on service in the foreground, from its settings to its end.
package enum ServiceRun {
  /// Listens until the stream ends or the process is requested to stop.
  ///
  /// - Parameters:
  ///   - load: reads the settings again, for a reload.
  ///   - serve: serves a page about the service, if the settings have one, for as long as its result lives.
  package static func run(
    _ settings: ServiceSettings, reloading load: @escaping @Sendable () -> LoadedSettings,
    web serve: (WebAccess, RunningService) throws -> AnyObject
  ) throws {
    let manager = ServiceManager.take()
    // Before anything that starts threads, as espeak-ng does.
    let signals = ServiceSignals()
    let bridge = try settings.hermes.map { try PlugIns.hermes($0, bringsAudio: settings.usesBrokerAudio) }
    let (source, pacing) = try source(settings, bridge)
    let supervisor = ServiceSupervisor(settings, isLive: pacing == .live && !settings.pace, manager: manager)
    let queue = try EventQueue()
    let surroundings = ServiceComponents.Surroundings(
      queue: queue, pacing: pacing, metrics: supervisor.metrics, heartbeat: supervisor.heartbeat)
    let prepare: @Sendable (ServiceSettings) throws -> ServiceComponents = {
      try ServiceComponents(started: $0, surroundings)
    }
    let reloader = Reloader(load, running: settings, supervisor: supervisor, queue, prepare: prepare)
    let live = settings.web.endpoint.map { _ in LiveTap(settings) }
    let events = EventOutput(queue, metrics: supervisor.metrics)
    func loop(_ components: ServiceComponents) throws -> ServiceLoop {
      let loop = try ServiceLoop(
        source: source, pacing: pacing, components: components, bridge: bridge, events: events, queue: queue,
        supervisor: supervisor, live: live)
      if let scope = components.hermes { try bridge?.start(scope, queue, metrics: supervisor.metrics) }
      return loop
    }
    // No variable holds the components: a reload replaces the loop's, and the old ones end with it.
    let loop = try loop(try prepare(settings))
    try events.start()
    try reloader.start()
    let listener = loop.listener
    try signals.start {
      queue.post(.stop)
      listener.stop()
    } reload: {
      reloader.request()
    }
    try supervisor.serve()
    var page: AnyObject?
    if let live {
      let service = RunningService(
        live: live, health: { supervisor.health },
        connections: {
          connections(
            of: live.settings, bridge, hasDevice: supervisor.metrics.stream.isDeviceThere.value > 0)
        }, reload: { reloader.request() },
        setSensitivity: { queue.post(.sensitivity($1, of: $0)) })
      page = try serve(settings.web, service)
    }
    try withExtendedLifetime(page) { try loop.run() }
  }

  /// What the service works with: the input, the broker, and the plug-ins of its settings.
  private static func connections(
    of settings: ServiceSettings, _ bridge: HermesBridge?, hasDevice: Bool
  ) -> [ServiceConnection] {
    func plugIns(_ kind: String, _ names: [String]) -> [ServiceConnection] {
      names.map { ServiceConnection(kind, ServiceConnection.withoutSecrets($0)) }
    }
    let recognizers = settings.recognizers.isEmpty ? ["chosen by the intent file"] : settings.recognizers
    return [ServiceConnection("input", settings.input, isConnected: hasDevice)]
      + (bridge.map { [$0.connection] } ?? []) + plugIns("recognizer", recognizers)
      + plugIns("understanding", settings.understanding.map { [$0] } ?? [])
      + plugIns("handler", settings.handlers) + plugIns("speech", settings.voice.map { [$0] } ?? [])
  }

  private static func source(
    _ settings: ServiceSettings, _ bridge: HermesBridge?
  ) throws -> (any AudioSource, Pacing) {
    if settings.usesBrokerAudio {
      guard let audio = bridge?.audio else { throw ServiceFault.noBroker }
      return (audio, .live)
    }
    let input = try InputName(settings.input)
    return (try input.open(paced: settings.pace), Pacing(input, isPaced: settings.pace))
  }
}
