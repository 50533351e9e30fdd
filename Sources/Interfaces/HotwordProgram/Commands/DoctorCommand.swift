import AudioCapture
import CommandLineParsing
import Configuration
import Detection
import Glibc
import Platform
import Service

/// `hotword doctor`: checks everything that the service or the satellite uses, and prints the problems with suggested fixes.
enum DoctorCommand: Command {
  static let definition = CommandDefinition(
    "doctor", "check the microphone, the settings and what they need, with suggested fixes",
    options: [
      .value(
        "--config", "FILE",
        "the settings of 'hotword run' or 'hotword satellite', which are checked too (default: as 'hotword run' finds them)"
      ),
      .flag("--satellite", "check the settings of 'hotword satellite', as it finds them"),
      SharedOptions.input,
      .value("--model", "M", repeats: true, "a hotword to detect (default: computer)"),
      .flag("--no-input", "do not open the input, because a service uses it"),
      .flag("--json", "print the findings as JSON, one per line"),
    ],
    notes: [
      """
      It checks the settings, the sound devices, the input and its sound quality, real-time permissions, models, \
      intents, recognizers, services and handlers; for a satellite the loudspeaker, the address to listen at, and \
      Home Assistant. Each line is ok, warning or fault, with the suggested fix. On a terminal \
      it asks you to be quiet and then to say the hotword, and reports the score. It connects to servers but sends them nothing.
      """,
      "The exit code is 0 if the service or the satellite can run, else the code of the first fault.",
    ],
    examples: [
      "hotword doctor", "hotword doctor --satellite",
      "hotword doctor --input alsa:plughw:CARD=Device,DEV=0 --json",
    ])

  static func run(_ arguments: Arguments) throws {
    let isJSON = arguments.has("--json")
    var first: ExitCode?
    func report(_ findings: [Finding]) {
      for finding in findings {
        if isJSON { Output.line(finding.json) } else { Output.write(finding.text) }
        if finding.state == .fault, first == nil { first = finding.exitCode }
      }
    }
    let loop = try ListeningLoop(signals: nil)
    let loaded = isOfSatellite(arguments) ? LoadedSettings(satellite: arguments) : LoadedSettings(arguments)
    let settings = loaded.settings
    report(findings(loaded))
    report(DevicesCheck.run())
    let (spotter, models) = models(settings)
    if settings.usesBrokerAudio {
      report([.ok("input", "comes from the MQTT broker")])
    } else if !arguments.has("--no-input") {
      report(input(settings, spotter, loop))
    }
    report(PermissionsCheck.run())
    report(models)
    report(loaded.satellite.map { SatelliteCheck.run($0, spotter) } ?? ServersCheck.run(settings))
    if let first { exit(first.rawValue) }
  }

  /// Whether a satellite is checked: if an option says so, its file is named, or only it has a file.
  private static func isOfSatellite(_ arguments: Arguments) -> Bool {
    if arguments.has("--satellite") { return true }
    if let file = arguments.value("--config") { return SatelliteSettings.areIn(file) }
    return ConfigurationSearch.standard().first == nil
      && ConfigurationSearch.standard("satellite.yaml").first != nil
  }

  private static func input(
    _ settings: ServiceSettings, _ spotter: KeywordSpotter?, _ loop: ListeningLoop
  ) -> [Finding] {
    do throws(CaptureFault) {
      let isAttended = isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1
      let input = try InputName(settings.input)
      return InputCheck(
        input: input, spotter: spotter, isAttended: isAttended && input.isDevice, loop: loop
      ).run()
    } catch {
      return [.fault("input", error)]
    }
  }

  private static func findings(_ loaded: LoadedSettings) -> [Finding] {
    guard loaded.faults.isEmpty else { return loaded.faults.map { .fault("settings", $0) } }
    return [.ok("settings", loaded.file ?? "the defaults and this command line")]
  }

  /// The models that can be loaded, as one spotter.
  private static func models(_ settings: ServiceSettings) -> (KeywordSpotter?, [Finding]) {
    let store = ModelStore.standard()
    var usable: [String] = []
    var findings: [Finding] = []
    for name in settings.models {
      do {
        let reference = try ModelReference(name)
        let path = try store.path(of: reference)
        let spotter = try KeywordSpotter(named: [name], sensitivity: settings.sensitivity)
        findings.append(
          .ok("model", "\(path), \"\(spotter.keywords[0].phrase)\"", [JSON.Member("path", .string(path))]))
        usable.append(name)
      } catch {
        findings.append(.fault("model", error))
      }
    }
    let spotter =
      usable.isEmpty ? nil : try? KeywordSpotter(named: usable, sensitivity: settings.sensitivity)
    return (spotter, findings)
  }
}
