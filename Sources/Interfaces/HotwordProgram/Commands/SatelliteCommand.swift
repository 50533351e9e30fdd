import AudioCapture
import CommandLineParsing
import Configuration
import Detection
import Glibc
import Networking
import Platform
import Service
import SpeechSynthesis
import Supervision
import WyomingServer

/// `hotword satellite`: a microphone and hotword for Home Assistant's voice pipeline.
enum SatelliteCommand: Command {
  static let definition = CommandDefinition(
    "satellite", "run a voice satellite of Home Assistant: detect the hotword, stream what follows",
    options: [
      .value(
        "--config", "FILE",
        "read the settings from a YAML file (default: ~/.config/hotword/satellite.yaml or /etc/hotword/satellite.yaml)"
      ),
      .flag(
        "--esphome",
        "be a voice device by ESPHome's native API, encrypted, in place of the Wyoming protocol (port 6053)"),
      .value(
        "--key", "FILE",
        "the file of the encryption key for --esphome, made at the first start (default: ~/.local/share/hotword/esphome.key)"
      ),
      .flag("--show-key", "print the encryption key as text and as a QR code, and end"),
      .flag("--unencrypted", "with --esphome, connect without encryption"),
      .value("--uri", "URI", "tcp://HOST:PORT or unix:///PATH (default: tcp://127.0.0.1:10700)"),
      WyomingReach.allow,
      .value("--name", "NAME", "the satellite's name in Home Assistant (default: this machine's name)"),
      SharedOptions.model,
      SharedOptions.sensitivity,
      SharedOptions.onlyVoices,
      SharedOptions.input,
      SharedOptions.pace,
      .value("--player", "alsa:NAME|none", "the device that plays answers (default: alsa:default)"),
      .flag("--sounds", "play a sound when the recording of a command begins and ends"),
      .value("--echo-delay", "MS", "milliseconds from playback to its echo in the input (default: 40)"),
      .value(
        "--no-speech-timeout", "S", "seconds after the hotword in which speech must begin (default: 5)"),
      .value(
        "--duck", "PERCENT",
        "turn other players down to this part of their volume from the hotword to the end of the answer"),
      .value(
        "--control", "unix:///PATH",
        "a socket at which programs read what happens, as JSON lines, and write wake, mute, unmute or stop"),
      .optionalValue(
        "--zeroconf", "NAME", default: "",
        "announce the satellite to Home Assistant under that name (default: --name), through Avahi"),
    ] + SharedOptions.keeping + [SharedOptions.metrics] + WebOptions.all,
    notes: [
      """
      In Home Assistant add the integration "Wyoming Protocol" with this machine's address and port 10700. The speech after \
      the hotword goes to its voice assistant, and the answer is played here. Nothing is sent before the hotword.
      """,
      WyomingReach.note(port: WyomingSatellite.port),
      """
      With --esphome, Home Assistant discovers the satellite and asks for its encryption key. It then chooses up to two wake words of the \
      installed models, each with an assistant of its own; --model names those of the first start. It listens at \
      tcp://0.0.0.0:\(ESPHomeSatellite.port) and is announced unless --uri names a local address.
      """,
      """
      The configuration file has the options as keys, with models for --model: "name: Kitchen", "models: [computer]". \
      Options override it.
      """,
      """
      SIGUSR1 acts as the hotword (push to talk), SIGUSR2 mutes the microphone or ends that. One Home Assistant server at a time uses the \
      satellite. SIGTERM ends the satellite.
      """,
    ],
    examples: [
      "hotword satellite --esphome --name Kitchen",
      "hotword satellite --name Kitchen --allow 192.168.1.10 --zeroconf",
      "hotword satellite --model jarvis --input alsa:plughw:CARD=Device,DEV=0 --player none",
    ])

  static func run(_ arguments: Arguments) throws {
    let manager = ServiceManager.take()
    let settings = try SatelliteSettings(arguments)
    if arguments.has("--show-key") { return try ESPHomeSatellite.showKey(settings) }
    let loop = try ListeningLoop(signals: SignalWatcher.stopping + [SIGUSR1, SIGUSR2])
    let name = settings.name ?? machineName
    let home: any SatelliteProtocol =
      settings.isESPHome
      ? try ESPHomeSatellite(settings, name: name) : try WyomingSatellite(settings, name: name)
    if home.reach.addresses.contains(.standardStreams) { throw ServerFault.satelliteOverStreams }
    var session = SatelliteSession.Settings()
    session.plays = settings.player != nil
    session.noSpeech = settings.noSpeechTimeout
    let input = try InputName(settings.input)

    let spotter = try home.spotter()
    let voices = try KnownVoices.load(for: spotter.keywords.map(\.name), onlyVoices: settings.onlyVoices)
    let speech = try settings.player.map { device in
      var output = SpeechOutput.Settings()
      output.device = device
      return SpeechOutput(nil, output, words: PlaybackHotwords(try home.spotter()))
    }
    speech?.report { Log.warning($0.message) }
    let echoCanceller =
      try input.isDevice ? speech.map { try EchoCanceller($0.reference, delay: settings.echoDelay) } : nil
    let output = try home.player(speech)
    let control = SatelliteControl()
    let metrics = SatelliteMetrics()
    let page = SatellitePage(settings, spotter)
    let players = try settings.duck.map { try DuckedPlayers(percent: $0) }
    let isBy = settings.onlyVoices ? voices.map { KnownVoices.comparison(with: $0) } : nil
    let link = SatelliteLink(session, speaker: output, isBy: isBy) { event, position in
      control.tell(event.json(at: position))
      page?.live.note(event.json(at: position))
      metrics.note(event)
      players?.note(event)
      home.note(event)
    } log: {
      Log.note($0)
    }

    let sockets = try home.reach.addresses.flatMap { try ListeningSocket.open($0) }
    var limits = ServerLimits()
    limits.clients = 32
    limits.allowed = home.reach.allowed
    let server = try StreamServer(sockets, workers: 1, limits: limits, handler: home.handlers(link))
    LoadedCode.release()
    try loop.listen { () throws(CaptureFault) in try input.open(paced: settings.pace) }
    let controls = try settings.control.map { try control.server(at: ListenAddress($0), link) }
    try controls?.start()
    let announcement = try home.announce(sockets)
    try server.start()
    if home.isOpenToAll { Log.warning(WyomingReach.satelliteWarning) }
    let words = spotter.keywords.map(\.name).filter { home.choice?.isActive($0) ?? true }
    let phrases = words.isEmpty ? "no hotword" : words.joined(separator: ", ")
    Log.note(
      "'\(name)' is listening for \(phrases) at \(sockets.map { "\($0.address)" }.joined(separator: ", "))")
    home.advise()
    let supervisor = Supervisor(
      settings.shown, isLive: input.isDevice && !settings.pace, manager: manager, metrics: metrics
    ) {
      let problem = server.problem(answering: home.greeting)
      return (problem.map { [$0] } ?? [], [JSON.Member("connected", .bool(link.isConnected))])
    }
    try supervisor.serve()
    let web = try page?.serve(link, spotter, home, supervisor, isESPHome: settings.isESPHome) {
      LoadedSettings(satellite: arguments, text: $0)
    }
    let listener = SatelliteListener(
      spotter, link, echoCanceller: echoCanceller, voices: voices, onlyVoices: settings.onlyVoices,
      choice: home.choice, supervisor: supervisor,
      clips: try SatelliteClips(settings, Pacing(input, isPaced: settings.pace)), page: page)
    supervisor.ready(words)
    try supervisor.start()
    let signal = try loop.forEachFrame {
      supervisor.heartbeat.round()
      server.sweep()
      controls?.sweep()
      announcement?.refresh()
    } onSignal: { signal in
      switch signal {
      case SIGUSR1: link.press()
      case SIGUSR2: link.mute(!link.isMuted)
      default: return false
      }
      return true
    } _: {
      listener.push($0)
      return true
    }
    withExtendedLifetime(web) {}
    supervisor.stopping()
    if signal == nil { listener.finish() } else { listener.stop() }
    server.stop()
    controls?.stop()
    try players?.close()
    try home.close()
    loop.close()
  }

  private static var machineName: String {
    var host = [CChar](repeating: 0, count: 64)
    gethostname(&host, host.count - 1)
    let name = host.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    return name.isEmpty ? "hotword" : name
  }
}
