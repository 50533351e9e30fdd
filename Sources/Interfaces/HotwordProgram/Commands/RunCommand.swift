import CommandLineParsing
import Configuration
import Glibc
import Platform
import Service

/// `hotword run`: the always-on service, in the foreground.
enum RunCommand: Command {
  static let definition = CommandDefinition(
    "run", "listen for hotwords and act on the commands that follow, until interrupted",
    options: [
      .value(
        "--config", "FILE",
        "read the settings from a YAML file (default: ~/.config/hotword/config.yaml or /etc/hotword/config.yaml)"
      ),
      .flag("--check", "report what is wrong with the settings and what they name, instead of listening"),
      SharedOptions.input,
      SharedOptions.model,
      SharedOptions.sensitivity,
      .value("--events", "json|text", "the format of the events (default: text)"),
      SharedOptions.pace,
      SharedOptions.recognizers,
      SharedOptions.intents,
      SharedOptions.understanding,
      .value(
        "--handler", "H", repeats: true,
        "acts on the intent; several are tried in order until one replies (default: print)"),
      .value("--hermes", "B", "connect to an MQTT broker as a Rhasspy (Hermes) service"),
      .value("--speak", "VOICE", "speak replies and questions (default: only report them)"),
      .value("--player", "alsa:NAME", "the device for speech, sounds and timers (default: alsa:default)"),
      .flag("--sounds", "play a sound when the recording of a command begins and ends"),
    ] + SharedOptions.keeping + [SharedOptions.onlyVoices, SharedOptions.metrics] + WebOptions.all + [
      .value(
        "--log", "auto|plain|journal|json",
        "the format of messages; journal is plain with priorities, auto selects by standard error (default: auto)"
      ),
      .value(
        "--log-level", "error|warning|notice|info|debug", "which messages are written (default: notice)"),
    ],
    notes: [
      SharedOptions.recognizerNote,
      SharedOptions.understandingNote,
      """
      H is print, the intent's own reply, with timers and volume; speak, the same with speech; \
      command:LINE that reads the event and prints a reply, or {"reply": …, "actions": […]}; \
      https://HOST/PATH[,key=FILE][,ca=FILE] that receives the event by POST; or \
      mqtt://HOST[/TOPIC][,user=NAME][,password=FILE][,site=ID].
      """,
      """
      B is mqtt://HOST[:PORT] or mqtts:, with options ,site=ID ,user=NAME ,password=FILE ,ca=FILE. \
      ,dialogue=elsewhere leaves what follows a hotword to another dialogue manager. With --input hermes the site's \
      audio comes from the broker too.
      """,
      "VOICE is espeak[:VOICE][,rate=WORDS][,pitch=P], or command:LINE that reads a text and prints a WAV.",
      "It reports the wake, the words, the intent and the reply as they happen. Every wake ends with one idle event.",
      """
      SIGHUP reloads the settings, the models and the intents without a gap in the audio. If something is \
      wrong with them, it is reported and the old ones stay in use. SIGINT and SIGTERM end the service.
      """,
    ],
    examples: [
      "hotword run", "hotword run --check",
      "hotword run --model computer --input alsa:plughw:CARD=Device,DEV=0",
      "hotword run --input evening.flac --pace --events json",
      "hotword run --speak espeak:en-gb,rate=160 --sounds",
      "hotword run --web --keep ~/.local/share/hotword/clips",
      "hotword run --keep ~/.local/share/hotword/clips --keep-limit 200MB",
      "arecord -r 16000 -c 1 -f S16_LE -t raw | hotword run --input -",
    ])

  static func run(_ arguments: Arguments) throws {
    let loaded = LoadedSettings(arguments)
    Log.configure(level: loaded.settings.logLevel, form: loaded.settings.log)
    if let file = loaded.file {
      if loaded.isNamed { Log.debug("settings from \(file)") } else { Log.note("settings from \(file)") }
    }
    if arguments.has("--check") { return check(loaded) }
    let settings = try loaded.checked()
    let tried = TriedModels()
    let load: @Sendable () -> LoadedSettings = { tried.added(to: LoadedSettings(arguments)) }
    try ServiceRun.run(settings, reloading: load) { access, service in
      let listen: @Sendable (String) -> Void = { path in
        tried.add(path)
        service.reload?()
      }
      return try WebPage.serve(
        access, service, teaching: WebPage.teaching(listen: listen), settings: { service.live.settings }
      ) {
        LoadedSettings(arguments, text: $0)
      }
    }
  }

  /// `--check`: prints all faults, and ends the process with the exit code of the first.
  private static func check(_ loaded: LoadedSettings) {
    let faults = ConfigurationCheck.faults(in: loaded)
    guard let first = faults.first else {
      return Output.write("\(loaded.file ?? "the settings"): nothing is wrong\n")
    }
    for fault in faults { Log.error(fault.message) }
    exit(first.exitCode.rawValue)
  }
}
