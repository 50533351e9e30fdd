import AudioCapture
import CommandLineParsing
import Configuration
import Platform
import Supervision

/// `hotword run`: the always-on service, in the foreground.
enum RunCommand {
  static func run(_ arguments: Arguments) throws {
    let loaded = LoadedSettings(arguments)
    Log.configure(level: loaded.settings.logLevel, form: loaded.settings.log)
    if let file = loaded.file {
      if loaded.isNamed { Log.debug("settings from \(file)") } else { Log.note("settings from \(file)") }
    }
    if arguments.has("--check") { return try ConfigurationCheck.run(loaded) }
    let settings = try loaded.checked()
    let manager = ServiceManager.take()
    // Before anything that starts threads, as espeak-ng does.
    let interruption = Interruption()
    let bridge = try settings.hermes.map { try PlugIns.hermes($0, bringsAudio: settings.isFedByBroker) }
    let (source, pacing) = try source(settings, bridge)
    let supervisor = Supervisor(settings, isLive: pacing == .live && !settings.pace, manager: manager)
    let equipment = try Equipment(settings, pacing: pacing, tally: supervisor.tally, pulse: supervisor.pulse)
    let service = Service(
      source: source, pacing: pacing, equipment: equipment, bridge: bridge, interruption: interruption,
      reloader: Reloader(arguments, running: settings, pacing: pacing, supervisor: supervisor),
      supervisor: supervisor)
    try service.run()
  }

  private static func source(
    _ settings: ServiceSettings, _ bridge: HermesBridge?
  ) throws -> (any AudioSource, Service.Pacing) {
    if settings.isFedByBroker {
      guard let audio = bridge?.audio else { throw ServiceFault.noBroker }
      return (audio, .live)
    }
    let input = try InputName(settings.input)
    return (try input.open(paced: settings.pace), pacing(of: input, isPaced: settings.pace))
  }

  private static func pacing(of input: InputName, isPaced: Bool) -> Service.Pacing {
    switch input {
    case .alsa: .live
    case .file: isPaced ? .live : .file
    case .standardInput: isPaced ? .live : .pipe
    }
  }
}
