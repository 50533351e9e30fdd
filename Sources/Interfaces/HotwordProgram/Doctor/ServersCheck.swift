import Actions
import CommandLineParsing
import Configuration
import Networking
import Platform
import Recognition
import RemoteServices
import Service
import Understanding

/// Whether the recognizers, services, handlers and outputs exist and can be reached. Nothing is sent to them.
enum ServersCheck {
  /// The longest wait for a server in seconds.
  private static let timeout = 5.0

  static func run(_ settings: ServiceSettings) -> [Finding] {
    var findings: [Finding] = []
    var read: IntentFile?
    do throws(IntentFileFault) {
      read = try PlugIns.intents(settings.intents)
      findings.append(.ok("intents", settings.intents ?? "the built-in ones"))
    } catch {
      findings += error.allOfInput().map { .fault("intents", $0) }
    }
    // The rest is checked even if the intent file is faulty.
    guard let intents = read ?? (try? IntentFile.standard()) else { return findings }
    findings += recognizers(settings, intents)
    if let name = settings.understanding {
      findings.append(
        check("service", name, isVital: false) {
          _ = try PlugIns.understanding(name, language: intents.language)
        })
    }
    findings += settings.handlers.map { name in
      check("handler", name, isVital: true) {
        _ = try PlugIns.handler(
          name, timeout: timeout, timers: { (timers: Timers(), position: 0) }, volume: { (100, 100) },
          isCancelled: { false })
      }
    }
    if let broker = settings.hermes {
      findings.append(
        check("hermes", broker, isVital: true) {
          _ = try PlugIns.hermes(broker, bringsAudio: settings.usesBrokerAudio)
        })
    }
    return findings + OutputsCheck.run(settings) + speech(settings, intents)
  }

  /// The recognizers that are configured; of the default ones those up to the first that is available.
  private static func recognizers(_ settings: ServiceSettings, _ intents: IntentFile) -> [Finding] {
    let isChosen = !settings.recognizers.isEmpty
    let names = isChosen ? settings.recognizers : PlugIns.defaultRecognizers(for: intents)
    let sentences = KnownSentences(intents)
    var findings: [Finding] = []
    for name in names {
      let finding = check("recognizer", name, isVital: names.count == 1) {
        let recognizer = try PlugIns.recognizer([name], of: sentences) { _ in }
        if case .unavailable(let fault) = recognizer.availability { throw fault }
      }
      findings.append(finding)
      if !isChosen, finding.state == .ok { break }
    }
    return findings
  }

  /// Creates the plug-in, then connects to its server.
  ///
  /// - Parameter isVital: whether it has no fallback.
  private static func check(
    _ kind: String, _ name: String, isVital: Bool, making make: () throws -> Void
  ) -> Finding {
    do {
      try make()
      if let line = PlugIns.commandLine(name) {
        if let fault = ConfigurationCheck.fault(ofProgramIn: line, plugIn: name) { throw fault }
        return .ok(kind, name)
      }
      let plugIn = try PlugInName(name)
      guard let (endpoint, authorities) = try server(of: plugIn) else { return .ok(kind, name) }
      _ = try Connection(to: endpoint, authorities: authorities, Connection.Deadline(seconds: timeout))
      return .ok(kind, "\(plugIn.kind) at \(endpoint.peer) is reachable")
    } catch {
      let fault = Finding.fault(kind, error)
      return isVital ? fault : .warning(kind, "\(fault.message); the fallback is used")
    }
  }

  /// The address of a plug-in's server; nil for plug-ins without one.
  private static func server(
    of plugIn: PlugInName
  ) throws -> (endpoint: Connection.Endpoint, authorities: String?)? {
    guard plugIn.address.contains("://") else { return nil }
    if plugIn.kind == "wyoming" { return (try WyomingConnection.endpoint(plugIn.address), nil) }
    let schemes = ["http", "https", "ws", "wss", "mqtt", "mqtts"]
    var address = try WebAddress(plugIn.address, schemes: schemes, expected: "https://HOST[:PORT]")
    if address.scheme.hasPrefix("mqtt") {
      let isSecure = address.scheme == "mqtts"
      address = try WebAddress(
        "\(isSecure ? "https" : "http")://\(address.host):\(address.port ?? (isSecure ? 8883 : 1883))",
        schemes: schemes, expected: "mqtt://HOST[:PORT]")
    }
    return (.host(address), plugIn["ca"])
  }

  private static func speech(_ settings: ServiceSettings, _ intents: IntentFile) -> [Finding] {
    var findings: [Finding] = []
    if let name = settings.voice {
      findings.append(
        check("voice", name, isVital: true) {
          _ = try PlugIns.voice(name, language: intents.language, timeout: timeout)
        })
    }
    if settings.playsSound { findings.append(OutputsCheck.player(settings.player)) }
    return findings
  }
}
