import Assistant
import Clips
import CommandLine
import Platform
import Understanding

/// What the service listens to, for and with: defaults, overridden by `--config`, overridden by options.
struct ServiceSettings: Equatable {
  /// alsa:NAME, an audio file, or - for standard input.
  var input = "alsa:default"
  /// Model names or paths, each with its sensitivity where it has one of its own.
  var models = ["computer"]
  /// For models without their own; 0…1.
  var sensitivity: Double = 0.5
  var events = EventWriter.Form.text
  /// Play a file as if it were live.
  var pace = false
  /// Each stands in for those before it.
  var recognizers: [String] = []
  /// The intent file; nil for the default home.
  var intents: String?
  /// The service that understands; nil for the intent file alone.
  var understanding: String?
  var handlers = ["print"]
  /// Seconds that a recognizer gets from the end of what was said.
  var recognizerTimeout: Double = 15
  /// Seconds that a handler gets.
  var handlerTimeout: Double = 10
  /// Seconds of silence that end a command.
  var silence: Double = 0.8
  /// Seconds after the hotword within which something must be said.
  var noSpeechTimeout: Double = 4
  /// The longest command in seconds.
  var maximumLength: Double = 12
  /// Words that end a command before any silence does.
  var stopping = StoppingPhrases()
  /// What says replies and questions; nil for nothing.
  var speak: String?
  /// ALSA's name of the device that plays.
  var player = "default"
  /// Of what is played, 0…100.
  var volume: Double = 100
  /// Seconds of silence before words.
  var speakDelay: Double = 0
  /// Whether a sound tells that it listens, and another that it does not any more.
  var hasSounds = false
  /// Milliseconds from what is played to its echo in the microphone.
  var echoDelay = 40
  /// Whether nobody but enrolled voices may wake it.
  var onlyVoices = false
  /// Where the audio of wakes and near misses is kept; nil for nowhere.
  var keep: String?
  /// How much of it.
  var keepLimit = ClipLimit.standard

  init() {}

  /// The settings of a `run` command line, its configuration file included.
  init(_ arguments: Arguments) throws {
    if let file = arguments.value("--config") { try read(file) }
    if let input = arguments.value("--input") { self.input = input }
    if arguments.has("--model") { models = arguments.all("--model") }
    if let value = try arguments.number("--sensitivity", in: 0...1) { sensitivity = value }
    if let form = try arguments.choice("--events", of: EventWriter.Form.allCases.map(\.rawValue)) {
      events = EventWriter.Form(rawValue: form)!
    }
    if arguments.has("--pace") { pace = true }
    if arguments.has("--recognizer") { recognizers = arguments.all("--recognizer") }
    if let intents = arguments.value("--intents") { self.intents = intents }
    if let service = arguments.value("--understanding") { understanding = service }
    if arguments.has("--handler") { handlers = arguments.all("--handler") }
    if let speak = arguments.value("--speak") { self.speak = speak }
    if let text = arguments.value("--player") {
      guard let name = Self.device(text) else { throw arguments.badValue("--player", "alsa:NAME") }
      player = name
    }
    if arguments.has("--sounds") { hasSounds = true }
    if arguments.has("--only-voices") { onlyVoices = true }
    if let folder = arguments.value("--keep") {
      guard !folder.isEmpty else { throw arguments.badValue("--keep", "a folder") }
      keep = folder
    }
    if let text = arguments.value("--keep-limit") {
      guard let limit = ClipLimit(text) else { throw arguments.badValue("--keep-limit", ClipLimit.expected) }
      keepLimit = limit
    }
  }

  /// What says replies: the handler `speak` asks for a voice as well.
  var voice: String? { speak ?? (handlers.contains("speak") ? "espeak" : nil) }

  /// Whether anything but timers is played.
  var isHeard: Bool { voice != nil || hasSounds }

  private static func device(_ text: String) -> String? {
    text.hasPrefix("alsa:") && text.count > 5 ? String(text.dropFirst(5)) : nil
  }

  /// Seconds from the time-out of a command to that of the assistant, so that the command's own is told.
  private static let slack: Double = 2

  /// The same as the assistant's state machine takes them.
  var cycle: AssistantCycle.Settings {
    var cycle = AssistantCycle.Settings()
    cycle.endOfSpeech.silence = silence
    cycle.endOfSpeech.noSpeech = noSpeechTimeout
    cycle.endOfSpeech.longest = maximumLength
    cycle.stopping = stopping
    cycle.recognitionTimeout = recognizerTimeout * Double(max(1, recognizers.count)) + Self.slack
    cycle.handlingTimeout = handlerTimeout + Self.slack
    return cycle
  }

  /// Every key of a configuration file.
  static let keys = [
    "input", "models", "sensitivity", "events", "pace", "recognizer", "intents", "understanding", "handlers",
    "recognizer-timeout", "handler-timeout", "silence", "no-speech-timeout", "maximum-length",
    "stopping-phrases", "cancel-phrases", "speak", "player", "volume", "speak-delay", "sounds", "echo-delay",
    "only-voices", "keep", "keep-limit",
  ]

  private mutating func read(_ file: String) throws {
    let bytes = try Files.read(file, limit: YAMLReader.byteLimit)
    guard bytes.contains(where: { $0 > 0x20 }) else { throw ServiceFault.notSettings(file: file) }
    let root: YAMLNode
    do {
      root = try YAMLReader.read(bytes, file: file)
    } catch {
      throw ServiceFault.notYAML(error)
    }
    guard let entries = root.mapping else { throw ServiceFault.notSettings(file: file) }
    for entry in entries {
      let reader = SettingReader(file: file, entry: entry)
      switch entry.key {
      case "input": input = try reader.text()
      case "models": models = try reader.texts()
      case "sensitivity": sensitivity = try reader.number(in: 0...1)
      case "events": events = try reader.choice()
      case "pace": pace = try reader.truth()
      case "recognizer": recognizers = try reader.texts()
      case "intents": intents = try reader.text()
      case "understanding": understanding = try reader.text()
      case "handlers": handlers = try reader.texts()
      case "recognizer-timeout": recognizerTimeout = try reader.number(in: 1...300)
      case "handler-timeout": handlerTimeout = try reader.number(in: 1...300)
      case "silence": silence = try reader.number(in: 0.2...10)
      case "no-speech-timeout": noSpeechTimeout = try reader.number(in: 0.5...60)
      case "maximum-length": maximumLength = try reader.number(in: 1...60)
      case "stopping-phrases": stopping.done = try reader.texts(orNone: true)
      case "cancel-phrases": stopping.cancel = try reader.texts(orNone: true)
      case "speak": speak = try reader.text()
      case "player":
        guard let name = Self.device(try reader.text()) else { throw reader.bad("alsa:NAME") }
        player = name
      case "volume": volume = try reader.number(in: 0...100)
      case "speak-delay": speakDelay = try reader.number(in: 0...10)
      case "sounds": hasSounds = try reader.truth()
      case "echo-delay": echoDelay = Int(try reader.number(in: 0...500))
      case "only-voices": onlyVoices = try reader.truth()
      case "keep": keep = try reader.text()
      case "keep-limit": keepLimit = try reader.limit()
      default:
        let suggestion = Suggestion.nearest(to: entry.key, among: Self.keys)
        throw ServiceFault.unknownKey(entry.key, file: file, at: entry.keyPosition, suggestion: suggestion)
      }
    }
  }
}

/// One key's value, read as the type that the key takes.
private struct SettingReader {
  let file: String
  let entry: YAMLNode.Entry

  func text() throws(ServiceFault) -> String {
    guard let text = entry.value.text, !text.isEmpty, !entry.value.isNull else { throw bad("a text") }
    return text
  }

  func texts(orNone: Bool = false) throws(ServiceFault) -> [String] {
    if orNone, entry.value.sequence?.isEmpty ?? false { return [] }
    if let text = entry.value.text, !entry.value.isNull { return [text] }
    let texts = entry.value.sequence?.compactMap(\.text) ?? []
    guard !texts.isEmpty, texts.count == entry.value.sequence?.count else { throw bad("a list of texts") }
    return texts
  }

  func number(in range: ClosedRange<Double>) throws(ServiceFault) -> Double {
    guard let number = entry.value.json.number, range.contains(number) else {
      throw bad("a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  func truth() throws(ServiceFault) -> Bool {
    guard let truth = entry.value.json.bool else { throw bad("true or false") }
    return truth
  }

  func limit() throws(ServiceFault) -> ClipLimit {
    guard let limit = entry.value.text.flatMap(ClipLimit.init) else { throw bad(ClipLimit.expected) }
    return limit
  }

  func choice<Choice: CaseIterable & RawRepresentable>() throws(ServiceFault) -> Choice
  where Choice.RawValue == String {
    guard let choice = entry.value.text.flatMap(Choice.init(rawValue:)) else {
      throw bad(Choice.allCases.map(\.rawValue).joined(separator: " or "))
    }
    return choice
  }

  func bad(_ expected: String) -> ServiceFault {
    .badValue(key: entry.key, file: file, at: entry.value.position, expected: expected)
  }
}
