import CommandLineParsing
import Detection
import Glibc
import Networking
import Platform
import Supervision
import WyomingServer

/// `hotword serve`: a wake word server of the Wyoming protocol.
enum ServeCommand: Command {
  static let definition = CommandDefinition(
    "serve", "detect hotwords for other programs: a Wyoming wake word server, for Home Assistant",
    options: [
      .value(
        "--uri", "URI", repeats: true,
        "tcp://HOST:PORT, unix:///PATH or stdio:// (default: tcp://127.0.0.1:10400)"),
      WyomingReach.allow,
      .value(
        "--model", "M", repeats: true,
        "a model to offer, a name or path; M:0.7 sets its sensitivity (default: all installed models except personal ones)"
      ),
      .value(
        "--preload-model", "M", repeats: true,
        "a model for clients that request none (default: all offered models)"),
      .value("--custom-model-dir", "DIR", repeats: true, "a folder to search for models first"),
      SharedOptions.sensitivity,
      .value("--threshold", "T", "0 to 1: the detection score of all models, instead of sensitivities"),
      .value(
        "--refractory-seconds", "S", "seconds after a detection without another (default: the model's, 1.5)"),
      .value(
        "--trigger-level", "N", "accepted for compatibility, without effect; scores are smoothed anyway"),
      .optionalValue(
        "--zeroconf", "NAME", default: "hotword",
        "announce the server to Home Assistant under that name (default: hotword), through Avahi"),
      .flag("--debug", "log what clients do"),
    ],
    notes: [
      """
      Replaces wyoming-openwakeword: the same port, protocol and options. In Home Assistant add the \
      integration "Wyoming Protocol" with this machine's address and the port, then choose the wake word in the \
      voice assistant.
      """,
      WyomingReach.note(port: port),
      "Audio of 4 to 384 kHz, 8 to 32 bit and any channel count is converted. SIGTERM ends the server.",
    ],
    examples: [
      "hotword serve --zeroconf", "hotword serve --allow 192.168.1.10",
      "hotword serve --uri tcp://127.0.0.1:10400 --model computer:0.6 --model jarvis",
      "hotword serve --uri unix:///run/hotword/wake.sock --custom-model-dir ~/models --debug",
    ])

  private static let port = 10_400

  static func run(_ arguments: Arguments) throws {
    let reach = try WyomingReach(arguments, port: port)
    let manager = ServiceManager.take()
    let isPiped = reach.addresses.contains(.standardStreams)
    if isPiped, reach.addresses.count > 1 { throw ServerFault.streamsAndSockets }
    let catalog = try catalog(arguments)
    let info = catalog.info(version: Program.version).encoded()
    if arguments.has("--debug") { Log.configure(level: .debug, form: .auto) }
    let signals = isPiped ? nil : SignalWatcher()
    let sockets = try reach.addresses.flatMap { try ListeningSocket.open($0) }
    var limits = ServerLimits()
    limits.allowed = reach.allowed
    let server = try StreamServer(sockets, workers: workers, limits: limits) { client in
      let peer = client.peer
      return WakeClient(catalog, info: info) { Log.debug("\(peer): \($0)") }
    }
    let announcement = try WyomingAnnouncement.make(arguments.value("--zeroconf"), sockets)
    try server.start()
    let names = catalog.entries.map(\.name).joined(separator: ", ")
    let places = isPiped ? ["stdio://"] : sockets.map { "\($0.address)" }
    Log.note("listening for \(names) at \(places.joined(separator: ", "))")
    manager.send(.ready, .status("listening for \(names)"))
    if isPiped {
      try StandardStreams.serve(by: server)
    } else {
      while signals?.next(within: 1) == nil {
        server.sweep()
        announcement?.refresh()
      }
    }
    manager.send(.stopping)
    server.stop()
  }

  /// One thread per processor that this process may use.
  private static var workers: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  private static func catalog(_ arguments: Arguments) throws -> WakeCatalog {
    let sensitivity = try Sensitivity(try arguments.number("--sensitivity", in: 0...1) ?? 0.5)
    let threshold = try arguments.number("--threshold", in: 0...1)
    let refractory = try arguments.number("--refractory-seconds", in: 0...60)
    if let level = try arguments.integer("--trigger-level", in: 1...1_000), level > 1 {
      Log.note("--trigger-level has no effect: scores are already smoothed over several steps")
    }
    let folders = arguments.all("--custom-model-dir")
    for folder in folders where !Files.isDirectory(folder) {
      throw SystemFault.cannotRead(path: folder, code: ENOENT)
    }
    let store = ModelStore(folders: folders + ModelStore.standard().folders)

    func entry(_ reference: ModelReference, _ path: String) throws -> WakeCatalog.Entry {
      var model = try HotwordModel(reading: path)
      if let threshold { model.decision.threshold = min(max(threshold, 0.001), 0.999) }
      if let refractory { model.decision.refractory = refractory }
      let own = threshold == nil ? reference.sensitivity ?? sensitivity : .standard
      return WakeCatalog.Entry(name: name(of: path), model: model, sensitivity: own)
    }

    let standard = try arguments.all("--preload-model").map { try ModelReference($0) }
    var references = try arguments.all("--model").map { try ModelReference($0) }
    let offersAll = references.isEmpty
    references += standard
    var entries: [WakeCatalog.Entry] = []
    for reference in references {
      let made = try entry(reference, store.path(of: reference))
      if !entries.contains(where: { $0.name == made.name }) { entries.append(made) }
    }
    if offersAll {
      for item in store.list() where !entries.contains(where: { $0.name == item.name }) {
        do {
          let found = try entry(ModelReference(name: item.name), item.path)
          if !found.model.isPersonal { entries.append(found) }
        } catch let fault as DetectionFault {
          Log.warning(fault.message)
        }
      }
      entries.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }
    if entries.isEmpty { throw ServerFault.noModels(folders: store.folders) }
    let names = try standard.map { name(of: try store.path(of: $0)) }
    return WakeCatalog(entries, standard: names)
  }

  /// The name of a model's file without its suffix.
  private static func name(of path: String) -> String {
    let file = path.split(separator: "/").last.map(String.init) ?? path
    return file.hasSuffix(ModelStore.suffix) ? String(file.dropLast(ModelStore.suffix.count)) : file
  }
}
