import Platform

extension ServiceSettings {
  /// Every key of a configuration file.
  package static let keys =
    [
      "input", "models", "sensitivity", "events", "pace", "recognizer", "intents", "understanding",
      "handlers",
      "recognizer-timeout", "handler-timeout", "silence", "no-speech-timeout", "maximum-length",
      "stopping-phrases", "cancel-phrases", "speak", "player", "volume", "speak-delay", "sounds",
      "echo-delay",
      "only-voices", "keep", "keep-limit", "log", "log-level", "metrics", "hermes",
    ] + WebAccess.keys

  /// Takes the settings of `file`; an invalid key is skipped.
  ///
  /// - Parameter text: what the file shall contain; nil to read it.
  /// - Returns: all faults of the file.
  mutating func read(_ file: String, text: [UInt8]? = nil) -> [any Fault] {
    SettingReader.read(file, text: text) { (reader) throws(ConfigurationFault) in try set(reader) }
  }

  private mutating func set(_ reader: SettingReader) throws(ConfigurationFault) {
    switch reader.entry.key {
    case "input": input = try reader.text()
    case "models": models = try reader.texts()
    case "sensitivity": sensitivity = try reader.number(in: 0...1)
    case "events": events = try reader.choice()
    case "pace": pace = try reader.truth()
    case "recognizer": recognizers = try reader.texts()
    case "intents": intents = try reader.path()
    case "understanding": understanding = try reader.text()
    case "hermes": hermes = try reader.broker()
    case "handlers": handlers = try reader.texts()
    case "recognizer-timeout": recognizerTimeout = try reader.number(in: 1...300)
    case "handler-timeout": handlerTimeout = try reader.number(in: 1...300)
    case "silence": silence = try reader.number(in: 0.2...10)
    case "no-speech-timeout": noSpeechTimeout = try reader.number(in: 0.5...60)
    case "maximum-length": maximumLength = try reader.number(in: 1...60)
    case "stopping-phrases": stopping.done = try reader.texts(orNone: true)
    case "cancel-phrases": stopping.cancel = try reader.texts(orNone: true)
    case "speak": speak = try reader.text()
    case "player": player = try reader.device()
    case "volume": volume = try reader.number(in: 0...100)
    case "speak-delay": speakDelay = try reader.number(in: 0...10)
    case "sounds": hasSounds = try reader.truth()
    case "echo-delay": echoDelay = Int(try reader.number(in: 0...500))
    case "only-voices": onlyVoices = try reader.truth()
    case "keep": keep = try reader.path()
    case "keep-limit": keepLimit = try reader.limit()
    case "log": log = try reader.choice()
    case "log-level": logLevel = try reader.level()
    case "metrics": metrics = try reader.address()
    default: if try !web.set(reader) { throw reader.unknown(among: Self.keys) }
    }
  }
}
