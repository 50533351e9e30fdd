import CommandLineParsing
import Glibc
import Networking
import Platform
import Service
import Supervision
import WyomingServer

/// `hotword serve`: a server of the Wyoming protocol for hotwords, speech to text and intents.
enum ServeCommand: Command {
  static let definition = CommandDefinition(
    "serve", "offer hotwords, speech to text and intents to other programs: a Wyoming server",
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
      SharedOptions.sensitivity, SharedOptions.onlyVoices,
      .flag(
        "--nearest",
        "of several streams that hear a hotword at the same time, only the nearest to the speaker reports it"),
      .value("--threshold", "T", "0 to 1: the detection score of all models, instead of sensitivities"),
      .value(
        "--refractory-seconds", "S", "seconds after a detection without another (default: the model's, 1.5)"),
      .value(
        "--trigger-level", "N", "accepted for compatibility, without effect; scores are smoothed anyway"),
      SharedOptions.recognizers, SharedOptions.intents, FollowedHome.option,
      .value(
        "--handler", "H", repeats: true,
        "carries intents out here: https://HOST/PATH, mqtt://HOST[/TOPIC] or command:LINE (default: the client carries them out)"
      ),
      .value("--handler-timeout", "S", "seconds for each handler (default: 10)"),
      .flag("--wake-only", "offer hotwords only, no speech to text and no intents"),
    ] + HomeSource.options + [
      .value("--language", "L", "with homeassistant: the language of the sentences (en)"),
      .optionalValue(
        "--zeroconf", "NAME", default: "hotword",
        "announce the server to Home Assistant under that name (default: hotword), through Avahi"),
      SharedOptions.metrics,
      .flag("--debug", "log what clients do"),
    ] + WebOptions.all,
    notes: [
      """
      Replaces wyoming-openwakeword: the same port, protocol and options. In Home Assistant add the \
      integration "Wyoming Protocol" with this machine's address and the port, then choose the wake word in the \
      voice assistant.
      """,
      """
      Speech to text recognizes the sentences of the intents, and answers as soon as the sentence is complete. Without --recognizer and \
      --intents it loads at the first request. Sentences are answered with their intent, which Home Assistant carries out, with what a \
      handler replies, or with a question.
      """,
      """
      With --homeassistant and --key, the sentences are those that 'hotword intents homeassistant' writes, and follow changes of names, areas \
      and exposed entities in Home Assistant. If it cannot be reached when the server starts, those of the last time are used.
      """, SharedOptions.recognizerNote,
      WyomingReach.note(port: port),
      "Audio of 4 to 384 kHz, 8 to 32 bit and any channel count is converted. SIGTERM ends the server.",
    ],
    examples: [
      "hotword serve --zeroconf", "hotword serve --allow 192.168.1.10",
      "hotword serve --uri tcp://127.0.0.1:10400 --model computer:0.6 --model jarvis",
      "hotword serve --intents home.yaml --recognizer builtin",
      "hotword serve --homeassistant http://homeassistant.local:8123 --key key.txt --zeroconf",
      "hotword serve --uri unix:///run/hotword/wake.sock --custom-model-dir ~/models --debug",
    ])

  private static let port = 10_400

  static func run(_ arguments: Arguments) throws {
    let reach = try WyomingReach(arguments, port: port)
    let manager = ServiceManager.take()
    let isPiped = reach.addresses.contains(.standardStreams)
    // Before anything that starts a thread, as following a home does.
    let signals = isPiped ? nil : SignalWatcher()
    if isPiped, reach.addresses.count > 1 { throw ServerFault.streamsAndSockets }
    let catalog = try WakeCatalog(arguments)
    let onlyVoices = arguments.has("--only-voices")
    let voices = try KnownVoices.load(for: catalog.entries.map(\.model.name), onlyVoices: onlyVoices)
    let home = try FollowedHome(arguments, command: name)
    let speech = try SpeechOffer(arguments, home: try home?.first())
    if let home, let speech { try home.follow { try speech.replace(with: $0) } }
    var offered = ServerInfo(version: Program.version)
    offered.offer(catalog)
    speech?.add(to: &offered)
    let info = offered.event.encoded()
    let nearest = arguments.has("--nearest") ? try NearestWake() : nil
    if arguments.has("--debug") { Log.configure(level: .debug, form: .auto) }
    let page = try ServerPage(arguments, models: catalog.entries.map(\.name))
    let status = try ServerStatus(arguments, models: catalog.entries.map(\.name))
    let sockets = try reach.addresses.flatMap { try ListeningSocket.open($0) }
    var limits = ServerLimits()
    limits.allowed = reach.allowed
    let server = try StreamServer(sockets, workers: workers, limits: limits) { client in
      let peer = client.peer
      let number = client.number
      let isOwn = peer == StreamServer.ownPeer
      let watch = { @Sendable (kind: ServerEvent.Kind) -> Void in
        if isOwn { return }
        let event = ServerEvent(kind, client: number, peer: peer)
        page?.note(event)
        status?.note(event)
      }
      watch(.connected)
      return WyomingClient(
        catalog, info: info, services: speech?.services, voices: voices.map { HeardVoices($0) },
        onlyVoices: onlyVoices, nearest: nearest, watch: watch
      ) {
        if !isOwn { Log.debug("\(peer): \($0)") }
      }
    }
    let announcement = try WyomingAnnouncement.make(arguments.value("--zeroconf"), sockets)
    try server.start()
    let names = catalog.entries.map(\.name).joined(separator: ", ")
    LoadedCode.release()
    let places = isPiped ? ["stdio://"] : sockets.map { "\($0.address)" }
    Log.note("listening for \(names) at \(places.joined(separator: ", "))")
    let web = try page?.serve(understands: speech != nil && home == nil)
    let pages = try status?.serve(server)
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
    withExtendedLifetime((web, pages)) {}
    server.stop()
  }

  /// One thread per processor that this process may use.
  private static var workers: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}
