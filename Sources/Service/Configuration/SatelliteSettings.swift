import Clips
import CommandLineParsing
import Networking
import Platform

/// The settings of `satellite`: defaults, overridden by the configuration file, overridden by options.
package struct SatelliteSettings: Sendable, Equatable {
  /// The addresses to listen on; empty for the standard one.
  package var addresses: [String] = []
  /// Who may connect besides this machine; empty for anyone who reaches the address.
  package var allowed: [String] = []
  /// The name in Home Assistant; nil for the machine's.
  package var name: String?
  /// Model names or paths, each with its own sensitivity if it has one (`M:0.7`).
  package var models = ["computer"]
  /// For models without one of their own; 0…1.
  package var sensitivity: Double = 0.5
  /// alsa:NAME, an audio file, or - for standard input.
  package var input = "alsa:default"
  /// Play a file as if it were live.
  package var pace = false
  /// The ALSA name of the playback device; nil for none.
  package var player: String? = "default"
  /// Whether a sound marks the start of listening, and another its end.
  package var hasSounds = false
  /// Milliseconds from playback to its echo in the microphone.
  package var echoDelay = 40
  /// Seconds after the hotword within which speech must begin.
  package var noSpeechTimeout: Double = 5
  /// Whether only enrolled voices can trigger a hotword.
  package var onlyVoices = false
  /// To what percentage other players are turned down; nil for not at all.
  package var duck: Int?
  /// The control socket, `unix:///PATH`; nil for none.
  package var control: String?
  /// Whether Home Assistant connects by ESPHome's native API, in place of Wyoming.
  package var isESPHome = false
  /// The file of the encryption key of ESPHome's native API; nil for the standard one.
  package var key: String?
  /// Whether connections of ESPHome's native API are not encrypted.
  package var isUnencrypted = false
  /// The name to announce by Avahi, empty for ``name``; nil for no announcement.
  package var zeroconf: String?
  /// The folder for clips of wakes and near misses; nil for none.
  package var keep: String?
  /// How many of them.
  package var keepLimit = ClipLimit.standard
  /// The address of the metrics and health pages; nil for none.
  package var metrics: HTTPAddress?
  /// The page for browsers.
  package var web = WebAccess()

  /// Every key of the configuration file.
  package static let keys =
    [
      "uri", "allow", "name", "models", "sensitivity", "input", "pace", "player", "sounds", "echo-delay",
      "no-speech-timeout", "only-voices", "duck", "control", "zeroconf", "esphome", "key", "unencrypted",
      "keep", "keep-limit", "metrics",
    ] + WebAccess.keys
  static let expectedName = "1 to 63 bytes on one line"

  static func isName(_ text: String) -> Bool {
    (1...63).contains(text.utf8.count) && PlainText.line(text) == text
  }

  static let expectedSocket = "unix:///PATH"

  /// Whether `text` is the address of a socket in the file system.
  static func isSocket(_ text: String) -> Bool { text.hasPrefix("unix:///") && text.utf8.count > 8 }

  package init() {}

  /// Reads the file that `--config` names, or the first that `search` finds, and what the options override.
  ///
  /// - Throws: the last fault; the others are logged.
  package init(_ arguments: Arguments, search: ConfigurationSearch = .standard("satellite.yaml")) throws {
    let loaded = Self.load(arguments, search: search)
    try throwAll(loaded.faults)
    self = loaded.settings
  }

  /// As ``init(_:search:)``, with all faults.
  ///
  /// - Parameter text: what the file shall contain; nil to read it.
  static func load(
    _ arguments: Arguments, search: ConfigurationSearch = .standard("satellite.yaml"), text: [UInt8]? = nil
  ) -> (settings: SatelliteSettings, file: String?, faults: [any Fault]) {
    var settings = SatelliteSettings()
    let file = arguments.value("--config") ?? search.first
    var faults = file.map { settings.read($0, text: text) } ?? []
    if let fault = fault(of: { try settings.take(arguments) }) { faults.append(fault) }
    if let fault = settings.web.fault { faults.append(fault) }
    return (settings, file, faults)
  }

  /// Whether the keys of `file` are those of a satellite: at least one of them is no key of `run`, and all are keys here.
  package static func areIn(_ file: String) -> Bool {
    var names: [String] = []
    let faults = SettingReader.read(file) { names.append($0.entry.key) }
    return faults.isEmpty && names.allSatisfy(keys.contains)
      && !names.allSatisfy(ServiceSettings.keys.contains)
  }

  /// What a page shows of it.
  package var shown: ServiceSettings {
    var shown = ServiceSettings()
    shown.input = input
    shown.models = models
    shown.sensitivity = sensitivity
    shown.onlyVoices = onlyVoices
    shown.handlers = []
    shown.keep = keep
    shown.keepLimit = keepLimit
    shown.metrics = metrics
    shown.web = web
    return shown
  }

  private mutating func read(_ file: String, text: [UInt8]?) -> [any Fault] {
    SettingReader.read(file, text: text) { (reader) throws(ConfigurationFault) in try set(reader) }
  }

  private mutating func set(_ reader: SettingReader) throws(ConfigurationFault) {
    switch reader.entry.key {
    case "uri": addresses = try reader.texts()
    case "allow": allowed = try reader.texts()
    case "name": name = try reader.satelliteName()
    case "models": models = try reader.texts()
    case "sensitivity": sensitivity = try reader.number(in: 0...1)
    case "input": input = try reader.text()
    case "pace": pace = try reader.truth()
    case "player": player = try reader.deviceOrNone()
    case "sounds": hasSounds = try reader.truth()
    case "echo-delay": echoDelay = Int(try reader.number(in: 0...500))
    case "no-speech-timeout": noSpeechTimeout = try reader.number(in: 1...60)
    case "only-voices": onlyVoices = try reader.truth()
    case "duck": duck = Int(try reader.number(in: 0...100))
    case "control": control = try reader.socket()
    case "zeroconf": zeroconf = try reader.textOrTruth()
    case "esphome": isESPHome = try reader.truth()
    case "key": key = try reader.path()
    case "unencrypted": isUnencrypted = try reader.truth()
    case "keep": keep = try reader.path()
    case "keep-limit": keepLimit = try reader.limit()
    case "metrics": metrics = try reader.address()
    default: if try !web.set(reader) { throw reader.unknown(among: Self.keys) }
    }
  }

  private mutating func take(_ arguments: Arguments) throws {
    if arguments.has("--uri") { addresses = arguments.all("--uri") }
    if arguments.has("--allow") { allowed = arguments.all("--allow") }
    if let name = arguments.value("--name") {
      guard Self.isName(name) else { throw arguments.badValue("--name", Self.expectedName) }
      self.name = name
    }
    if arguments.has("--model") { models = arguments.all("--model") }
    if let value = try arguments.number("--sensitivity", in: 0...1) { sensitivity = value }
    if let input = arguments.value("--input") { self.input = input }
    if arguments.has("--pace") { pace = true }
    if let text = arguments.value("--player") {
      player = ServiceSettings.device(text)
      guard player != nil || text == "none" else { throw arguments.badValue("--player", "alsa:NAME or none") }
    }
    if arguments.has("--sounds") { hasSounds = true }
    if let delay = try arguments.integer("--echo-delay", in: 0...500) { echoDelay = delay }
    if let seconds = try arguments.number("--no-speech-timeout", in: 1...60) { noSpeechTimeout = seconds }
    if arguments.has("--only-voices") { onlyVoices = true }
    if let percent = try arguments.integer("--duck", in: 0...100) { duck = percent }
    if let text = arguments.value("--control") {
      guard Self.isSocket(text) else { throw arguments.badValue("--control", Self.expectedSocket) }
      control = text
    }
    if let name = arguments.value("--zeroconf") { zeroconf = name }
    if arguments.has("--esphome") { isESPHome = true }
    if let key = arguments.value("--key") { self.key = key }
    if arguments.has("--unencrypted") { isUnencrypted = true }
    if let folder = try arguments.clipFolder() { keep = folder }
    if let limit = try arguments.clipLimit() { keepLimit = limit }
    if let address = try arguments.metricsAddress() { metrics = address }
    try web.take(arguments)
  }
}
