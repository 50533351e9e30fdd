import Assistant
import Clips
import CommandLineParsing
import Networking
import Platform

/// The settings of the service: defaults, overridden by the configuration file, overridden by options.
package struct ServiceSettings: Sendable, Equatable {
  /// alsa:NAME, an audio file, - for standard input, or hermes for audio from the MQTT broker.
  package var input = "alsa:default"
  /// Model names or paths, each with its own sensitivity if it has one (`M:0.7`).
  package var models = ["computer"]
  /// For models without one of their own; 0…1.
  package var sensitivity: Double = 0.5
  package var events = EventForm.text
  /// Play a file as if it were live.
  package var pace = false
  /// Each is used if those before it fail.
  package var recognizers: [String] = []
  /// The intent file; nil for the default intents.
  package var intents: String?
  /// The remote understanding service; nil for the intent file alone.
  package var understanding: String?
  package var handlers = ["print"]
  /// The MQTT broker that the service connects to; nil for none.
  package var hermes: String?
  /// Seconds that each recognizer has from the end of speech.
  package var recognizerTimeout: Double = 15
  /// Seconds that each handler has.
  package var handlerTimeout: Double = 10
  /// The end-of-speech timeout: seconds of silence that end a command.
  package var silence: Double = 0.8
  /// Seconds after the hotword within which speech must begin.
  package var noSpeechTimeout: Double = 4
  /// The longest command in seconds.
  package var maximumLength: Double = 12
  /// Phrases that end a command without a silence.
  package var stopping = StoppingPhrases()
  /// The speech synthesizer for replies and prompts; nil for none.
  package var speak: String?
  /// The ALSA name of the playback device.
  package var player = "default"
  /// The playback volume, 0…100.
  package var volume: Double = 100
  /// Seconds of silence before spoken text.
  package var speakDelay: Double = 0
  /// Whether a sound marks the start of listening, and another its end.
  package var hasSounds = false
  /// Milliseconds from playback to its echo in the microphone.
  package var echoDelay = 40
  /// Whether only enrolled voices can trigger a hotword.
  package var onlyVoices = false
  /// The folder for clips of wakes and near misses; nil for none.
  package var keep: String?
  /// How many of them.
  package var keepLimit = ClipLimit.standard
  /// The format of log messages, and the least severe level that is logged.
  package var log = Log.Form.auto
  package var logLevel = Log.Level.notice
  /// The address of the metrics and health pages; nil for none.
  package var metrics: HTTPAddress?
  /// The page for browsers.
  package var web = WebAccess()

  package init() {}

  /// Takes what the options of a `run` command line override.
  mutating func take(_ arguments: Arguments) throws {
    if let input = arguments.value("--input") { self.input = input }
    if arguments.has("--model") { models = arguments.all("--model") }
    if let value = try arguments.number("--sensitivity", in: 0...1) { sensitivity = value }
    if let form = try arguments.choice("--events", of: EventForm.allCases.map(\.rawValue)) {
      events = EventForm(rawValue: form)!
    }
    if arguments.has("--pace") { pace = true }
    if arguments.has("--recognizer") { recognizers = arguments.all("--recognizer") }
    if let intents = arguments.value("--intents") { self.intents = intents }
    if let service = arguments.value("--understanding") { understanding = service }
    if arguments.has("--handler") { handlers = arguments.all("--handler") }
    if let broker = arguments.value("--hermes") {
      if Self.hasEmptySite(broker) { throw ConfigurationFault.emptySite(place: nil) }
      hermes = broker
    }
    if let speak = arguments.value("--speak") { self.speak = speak }
    if let text = arguments.value("--player") {
      guard let name = Self.device(text) else { throw arguments.badValue("--player", "alsa:NAME") }
      player = name
    }
    if arguments.has("--sounds") { hasSounds = true }
    if arguments.has("--only-voices") { onlyVoices = true }
    if let folder = try arguments.clipFolder() { keep = folder }
    if let limit = try arguments.clipLimit() { keepLimit = limit }
    if let form = try arguments.choice("--log", of: Log.Form.allCases.map(\.rawValue)) {
      log = Log.Form(rawValue: form)!
    }
    if let name = try arguments.choice("--log-level", of: Log.Level.allCases.map(\.name)) {
      logLevel = Log.Level(name: name)!
    }
    if let address = try arguments.metricsAddress() { metrics = address }
    try web.take(arguments)
  }

  /// The speech synthesizer; the handler `speak` implies one.
  package var voice: String? { speak ?? (handlers.contains("speak") ? "espeak" : nil) }

  /// Whether all recognizers in ``recognizers`` are servers or commands, which may be unavailable.
  package var hasOnlyRemoteRecognizers: Bool {
    let own = ["combined", "builtin", "pocketsphinx", "pocketsphinx:dictation"]
    return !recognizers.isEmpty && recognizers.allSatisfy { !own.contains($0) }
  }

  /// Whether audio comes from the MQTT broker.
  package var usesBrokerAudio: Bool { input == "hermes" }

  /// Whether anything other than alarms is played.
  package var playsSound: Bool { voice != nil || hasSounds }

  /// Whether the name of an MQTT broker has an empty site.
  static func hasEmptySite(_ broker: String) -> Bool { (try? PlugInName(broker))?["site"] == "" }

  static func device(_ text: String) -> String? {
    text.hasPrefix("alsa:") && text.count > 5 ? String(text.dropFirst(5)) : nil
  }

  /// The values of `log-level`, for messages.
  static let levels = alternatives(Log.Level.allCases.map(\.name))

  /// `a, b or c`
  static func alternatives(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.joined() }
    return words.dropLast().joined(separator: ", ") + " or \(last)"
  }

  /// Seconds from the timeout of a recognizer or handler to that of the assistant, so that the former is reported.
  private static let slack: Double = 2

  /// Seconds after which a job of the conversation counts as stuck.
  package var longestJob: Double {
    let cycle = cycle
    return max(cycle.recognitionTimeout, cycle.understandingTimeout, cycle.handlingTimeout) + 60
  }

  /// The settings of the assistant's state machine.
  package var cycle: AssistantCycle.Settings {
    var cycle = AssistantCycle.Settings()
    cycle.endOfSpeech.silence = silence
    cycle.endOfSpeech.noSpeech = noSpeechTimeout
    cycle.endOfSpeech.longest = maximumLength
    cycle.stopping = stopping
    cycle.listensAfterWake = hermes.flatMap { try? PlugInName($0)["dialogue"] } != "elsewhere"
    let attempts = max(1, recognizers.count) + (hasOnlyRemoteRecognizers ? 1 : 0)
    cycle.recognitionTimeout = recognizerTimeout * Double(attempts) + Self.slack
    cycle.handlingTimeout = handlerTimeout * Double(max(1, handlers.count)) + Self.slack
    return cycle
  }
}
