import AudioCapture
import CommandLine
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
    let input = try InputName(settings.input)
    let pacing = pacing(of: input, isPaced: settings.pace)
    let supervisor = Supervisor(settings, input: input, manager: manager)
    let equipment = try Equipment(settings, pacing: pacing, tally: supervisor.tally, pulse: supervisor.pulse)
    let service = Service(
      source: try input.open(paced: settings.pace), pacing: pacing, equipment: equipment,
      interruption: interruption,
      reloader: Reloader(arguments, running: settings, pacing: pacing, supervisor: supervisor),
      supervisor: supervisor)
    try service.run()
  }

  private static func pacing(of input: InputName, isPaced: Bool) -> Service.Pacing {
    switch input {
    case .alsa: .live
    case .file: isPaced ? .live : .file
    case .standardInput: isPaced ? .live : .pipe
    }
  }
}
