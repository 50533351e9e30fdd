import AudioCapture
import CommandLineParsing
import Configuration
import Detection
import Glibc
import Platform
import Service

/// `hotword doctor`: what keeps the service from hearing and acting, place by place, each with the mend.
enum DoctorCommand {
  static func run(_ arguments: Arguments) {
    let isJSON = arguments.has("--json")
    var first: ExitCode?
    func tell(_ findings: [Finding]) {
      for finding in findings {
        if isJSON { Output.line(finding.json) } else { Output.write(finding.text) }
        if finding.state == .fault, first == nil { first = finding.exitCode }
      }
    }
    let loaded = LoadedSettings(arguments)
    let settings = loaded.settings
    tell(findings(loaded))
    tell(DevicesCheck.run())
    let (spotter, models) = models(settings)
    if settings.isFedByBroker {
      tell([.ok("input", "comes over the broker")])
    } else {
      tell(input(settings, spotter))
    }
    tell(RightsCheck.run())
    tell(models)
    tell(ServersCheck.run(settings))
    if let first { exit(first.rawValue) }
  }

  private static func input(_ settings: ServiceSettings, _ spotter: KeywordSpotter?) -> [Finding] {
    do throws(CaptureFault) {
      let isAttended = isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1
      let input = try InputName(settings.input)
      var isLive = false
      if case .alsa = input { isLive = true }
      return InputCheck(input: input, spotter: spotter, isAttended: isAttended && isLive).run()
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
