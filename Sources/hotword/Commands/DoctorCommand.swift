import AudioCapture
import CommandLine
import Detection
import Glibc
import Platform

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
    let (settings, finding) = settings(arguments)
    tell([finding])
    tell(DevicesCheck.run())
    let (spotter, models) = models(settings)
    do throws(CaptureFault) {
      let isAttended = isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1
      let input = try InputName(settings.input)
      var isLive = false
      if case .alsa = input { isLive = true }
      tell(InputCheck(input: input, spotter: spotter, isAttended: isAttended && isLive).run())
    } catch {
      tell([.fault("input", error)])
    }
    tell(RightsCheck.run())
    tell(models)
    tell(ServersCheck.run(settings))
    if let first { exit(first.rawValue) }
  }

  private static func settings(_ arguments: Arguments) -> (ServiceSettings, Finding) {
    do {
      let settings = try ServiceSettings(arguments)
      return (settings, .ok("settings", arguments.value("--config") ?? "the defaults and this command line"))
    } catch {
      var settings = ServiceSettings()
      if let input = arguments.value("--input") { settings.input = input }
      return (settings, .fault("settings", error))
    }
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
        let spotter = try Listening.spotter([name], sensitivity: settings.sensitivity)
        findings.append(
          .ok("model", "\(path), \"\(spotter.keywords[0].phrase)\"", [JSON.Member("path", .string(path))]))
        usable.append(name)
      } catch {
        findings.append(.fault("model", error))
      }
    }
    let spotter =
      usable.isEmpty ? nil : try? Listening.spotter(usable, sensitivity: settings.sensitivity)
    return (spotter, findings)
  }
}
