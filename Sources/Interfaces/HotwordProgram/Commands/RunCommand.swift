import CommandLineParsing
import Configuration
import Platform
import Service

/// `hotword run`: the always-on service, in the foreground.
enum RunCommand {
  static func run(_ arguments: Arguments) throws {
    let loaded = LoadedSettings(arguments)
    Log.configure(level: loaded.settings.logLevel, form: loaded.settings.log)
    if let file = loaded.file {
      if loaded.isNamed { Log.debug("settings from \(file)") } else { Log.note("settings from \(file)") }
    }
    if arguments.has("--check") { return try ConfigurationCheck.run(loaded) }
    try ServiceRun.run(try loaded.checked()) { LoadedSettings(arguments) }
  }
}
