import AudioCapture
import CommandLineParsing
import Configuration
import Corpora
import Detection
import Dialogue
import ESPHomeServer
import Hermes
import Networking
import Platform
import Recognition
import Speakers
import Understanding
import WyomingServer
import YAMLFormat

/// What reads bytes of files or peers that nobody vouches for.
enum Parser: String, CaseIterable {
  case json, settings, intents, grammar, sentence, model, voice, wave, table
  case wyoming, transcription, satellite, websocket, upgrade, answers, home, hermes, esphome, noise, device,
    web, address

  /// Set once, before the first bytes.
  nonisolated(unsafe) static var chosen = Parser.json

  private static let understander = try! Understander(IntentFile.standard())
  /// A command line that names a configuration file.
  private static let arguments = try! Arguments(
    ["--config", "fuzz"],
    for: CommandDefinition("run", "", options: [.value("--config", "FILE", "")], examples: []))
  /// The bytes 0…31: the key of the handshake among the seeds.
  private static let key: EncryptionKey? = {
    guard (try? Sodium.load()) != nil else { return nil }
    return EncryptionKey("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=")
  }()

  /// A handshake with a fixed nonce, whose accepting answer is among the seeds.
  private static let opening = try! WebSocketHandshake(
    WebAddress("ws://host/path", schemes: ["ws"], expected: ""), nonce: [UInt8](0..<16))
  private static let services = try! ServiceAnswers()
  private static let file = MemoryFile()
  nonisolated(unsafe) private static var page = try! WebRequests()

  /// Parses `bytes`; faults are expected, crashes are not.
  func parse(_ bytes: [UInt8]) {
    switch self {
    case .json:
      // What was read and is written again must be the same.
      guard let value = try? JSON(parsing: bytes) else { return }
      let again = try? JSON(parsing: Array(value.description.utf8))
      precondition(again == value)
    case .settings:
      for fault in Self.settings(of: bytes).flatMap(\.faults) { precondition(!fault.message.isEmpty) }
      // The same of YAML as of JSON.
      guard let value = try? YAMLReader.read(bytes, file: "fuzz").json, value.members != nil else { return }
      let again = try? YAMLReader.read(Array(YAMLWriter.text(of: value).utf8), file: "fuzz")
      precondition(again?.json == value)
    case .intents:
      guard let file = try? IntentFile(parsing: bytes, name: "fuzz"),
        let understander = try? Understander(file)
      else { return }
      Self.checkGrammar(of: file)
      // What is understood can also be listed.
      _ = try! IntentCatalogue(file, listsAll: false)
      _ = understander.interpret("turn on the light in the kitchen for five minutes")
    case .grammar:
      _ = (try? GrammarParser.parse(String(decoding: bytes, as: UTF8.self)))?.expandedWords
    case .sentence: _ = Self.understander.interpret(String(decoding: bytes.prefix(500), as: UTF8.self))
    case .model: _ = try? HotwordModel(decoding: bytes)
    case .voice: _ = try? EnrolledVoice(decoding: bytes)
    case .wave:
      var decoder = WAVDecoder()
      var samples: [Float] = []
      let half = bytes.count / 2
      for part in [bytes[..<half], bytes[half...]] { try? decoder.push(part, into: &samples) }
      _ = try? AudioFile.decode(bytes, name: "fuzz", limit: 80_000)
      Self.file.readAudio(bytes)
    case .table: _ = try? CommonVoice.parse(bytes, table: "fuzz.tsv")
    case .wyoming:
      var conversation = WakeConversation()
      for event in Self.events(bytes) { conversation.take(event) }
    case .transcription:
      var conversation = TranscriptionConversation()
      for event in Self.events(bytes) { conversation.take(event) }
    case .satellite:
      var conversation = SatelliteConversation()
      for event in Self.events(bytes) { conversation.take(event) }
    case .websocket:
      var decoder = WebSocketDecoder()
      let half = bytes.count / 2
      for part in [bytes[..<half], bytes[half...]] { _ = try? decoder.feed(part) }
    case .upgrade:
      var handshake = Self.opening
      let half = bytes.count / 2
      do {
        for part in [bytes[..<half], bytes[half...]] {
          guard let rest = try handshake.feed(part) else { continue }
          return precondition(rest.count <= bytes.count)
        }
      } catch {}
    case .answers: Self.services.take(bytes)
    case .home: try! Self.services.takeHome(bytes)
    case .hermes:
      var conversation = HermesConversation(managesDialogues: bytes.count % 2 == 0)
      for line in bytes.split(separator: 10) { conversation.take(line) }
      try! conversation.finish()
    case .esphome:
      var decoder = PlainFrameDecoder()
      let half = bytes.count / 2
      for part in [bytes[..<half], bytes[half...]] {
        for frame in (try? decoder.feed(part)) ?? [] { _ = try? ClientMessage(frame) }
      }
    case .noise:
      guard let key = Self.key else { return }
      var responder = NoiseResponder(key, name: "kitchen", address: "02a1b2c3d4e5")
      var outputs: [NoiseResponder.Output] = []
      let half = bytes.count / 2
      do {
        for part in [bytes[..<half], bytes[half...]] { try responder.feed(part, into: &outputs) }
      } catch {}
    case .device:
      var decoder = PlainFrameDecoder()
      var conversation = DeviceConversation()
      for frame in (try? decoder.feed(bytes[...])) ?? [] where !conversation.take(frame) { return }
    case .web: try? Self.page.answer(bytes)
    case .address:
      let text = String(decoding: bytes, as: UTF8.self)
      if let address = HTTPAddress(text) { precondition(HTTPAddress(address.description) == address) }
      if let address = try? ListenAddress(text) {
        precondition((try? ListenAddress(address.description)) == address)
      }
      _ = try? WebAddress(text, schemes: ["http", "https", "ws"], expected: "")
      // What is the loopback interface is this machine.
      if RequestHost.isLoopback(text) { precondition(RequestHost.isTrusted(text, machine: "hall")) }
      _ = RequestHost.isTrusted(text, machine: text)
      if let peers = try? AllowedPeers([text]) { precondition(peers.contains("127.0.0.1")) }
      _ = (try? AllowedPeers(["10.0.0.0/8", "fd00::/8"]))?.contains(text)
    }
  }

  /// The settings of a service and of a satellite with this configuration file.
  static func settings(of bytes: [UInt8]) -> [LoadedSettings] {
    [LoadedSettings(arguments, text: bytes), LoadedSettings(satellite: arguments, text: bytes)]
  }

  /// Recognizers accept the grammar of an intent file that is understood.
  static func checkGrammar(of file: IntentFile) {
    guard let grammar = try? Understanding.Grammar(file) else { return }
    let rules = try! GrammarParser.parse(grammar.jsgf)
    precondition(rules.rules.keys.contains("command"))
  }

  private static func events(_ bytes: [UInt8]) -> [WyomingEvent] {
    var decoder = WyomingDecoder(dataLimit: 64 << 10)
    let half = bytes.count / 2
    return [bytes[..<half], bytes[half...]].flatMap { (try? decoder.feed($0)) ?? [] }
  }
}
