import AudioCapture
import CommandLineParsing
import Detection
import Glibc
import Networking
import Platform
import Service
import SpeechSynthesis
import Supervision
import WyomingServer

/// `hotword satellite`: our microphone and hotword in front of Home Assistant's pipeline.
enum SatelliteCommand {
  private static let standardAddress = "tcp://0.0.0.0:10700"

  static func run(_ arguments: Arguments) throws {
    let manager = ServiceManager.take()
    let address = try ListenAddress(arguments.value("--uri") ?? standardAddress)
    if address == .standardStreams { throw ServerFault.satelliteOverStreams }
    let models = arguments.all("--model").isEmpty ? ["computer"] : arguments.all("--model")
    let sensitivity = try arguments.number("--sensitivity", in: 0...1) ?? 0.5
    let catalog = try catalog(models, sensitivity: sensitivity)
    let name = try name(arguments)
    let player = try player(arguments)
    var settings = SatelliteSession.Settings()
    settings.plays = player != nil
    settings.noSpeech = try arguments.number("--no-speech-timeout", in: 1...60) ?? settings.noSpeech
    let echoDelay = try arguments.integer("--echo-delay", in: 0...500) ?? 40
    let input = try InputName(arguments.value("--input") ?? "alsa:default")

    // Before anything that starts threads.
    let signals = ServiceSignals()
    let spotter = try KeywordSpotter(named: models, sensitivity: sensitivity)
    let output = try player.map { device in
      var output = SpeechOutput.Settings()
      output.device = device
      let ear = PlaybackHotwords(try KeywordSpotter(named: models, sensitivity: sensitivity))
      return SpeechOutput(nil, output) { ear.words(in: $0) }
    }
    output?.report { Log.warning($0.message) }
    let isLive = if case .alsa = input { true } else { false }
    let echoCanceller = try isLive ? output.map { try EchoCanceller($0.reference, delay: echoDelay) } : nil
    let voice = SatelliteVoice(output: output, hasSounds: arguments.has("--sounds"))
    let link = SatelliteLink(settings, speaker: voice) { Log.note($0) }
    let info = catalog.info(version: Program.version, satellite: name).encoded()

    let sockets = try ListeningSocket.open(address)
    let server = try StreamServer(sockets, workers: 1, clientLimit: 32) { _ in
      SatelliteClient(link, info: info)
    }
    let source = try input.open(paced: arguments.has("--pace"))
    let announced = arguments.value("--zeroconf").map { $0.isEmpty ? name : $0 }
    let announcement = try Announcing.announce(announced, sockets)
    try server.start()
    try signals.start(closing: source) {}
    let house = Housekeeping(server, announcement)
    try house.start()
    let words = spotter.keywords.map(\.name).joined(separator: ", ")
    Log.note("'\(name)' listens for \(words) at \(sockets.map { "\($0.address)" }.joined(separator: ", "))")
    manager.tell(.ready, .status("listens for \(words)"))
    try SatelliteEar(source, spotter, link, echoCanceller: echoCanceller).run(until: signals)
    manager.tell(.stopping)
    house.stop()
    server.stop()
  }

  private static func catalog(_ models: [String], sensitivity: Double) throws -> WakeCatalog {
    let common = try Sensitivity(sensitivity)
    let store = ModelStore.standard()
    return WakeCatalog(
      try models.map { text in
        let reference = try ModelReference(text)
        let model = try store.model(reference)
        return WakeCatalog.Entry(name: model.name, model: model, sensitivity: reference.sensitivity ?? common)
      })
  }

  private static func name(_ arguments: Arguments) throws -> String {
    if let name = arguments.value("--name") {
      guard (1...63).contains(name.utf8.count), PlainText.line(name) == name else {
        throw arguments.badValue("--name", "1 to 63 bytes on one line")
      }
      return name
    }
    var host = [CChar](repeating: 0, count: 64)
    gethostname(&host, host.count - 1)
    let name = host.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    return name.isEmpty ? "hotword" : name
  }

  /// ALSA's name of the device that answers are played on; nil for none.
  private static func player(_ arguments: Arguments) throws -> String? {
    let text = arguments.value("--player") ?? "alsa:default"
    if text == "none" { return nil }
    guard text.hasPrefix("alsa:"), text.count > "alsa:".count else {
      throw arguments.badValue("--player", "alsa:NAME or none")
    }
    return String(text.dropFirst("alsa:".count))
  }
}
