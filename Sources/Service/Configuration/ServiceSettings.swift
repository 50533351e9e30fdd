import Assistant
import Clips
import CommandLineParsing
import Platform
import Supervision

/// What the service listens to, for and with: defaults, overridden by the configuration file, overridden by options.
package struct ServiceSettings: Sendable, Equatable {
  /// alsa:NAME, an audio file, - for standard input, or hermes for what comes over the broker.
  package var input = "alsa:default"
  /// Model names or paths, each with its sensitivity where it has one of its own.
  package var models = ["computer"]
  /// For models without their own; 0…1.
  package var sensitivity: Double = 0.5
  package var events = EventForm.text
  /// Play a file as if it were live.
  package var pace = false
  /// Each stands in for those before it.
  package var recognizers: [String] = []
  /// The intent file; nil for the default home.
  package var intents: String?
  /// The service that understands; nil for the intent file alone.
  package var understanding: String?
  package var handlers = ["print"]
  /// The MQTT broker that the service is joined to; nil for none.
  package var hermes: String?
  /// Seconds that each recognizer gets from the end of what was said.
  package var recognizerTimeout: Double = 15
  /// Seconds that each handler gets.
  package var handlerTimeout: Double = 10
  /// Seconds of silence that end a command.
  package var silence: Double = 0.8
  /// Seconds after the hotword within which something must be said.
  package var noSpeechTimeout: Double = 4
  /// The longest command in seconds.
  package var maximumLength: Double = 12
  /// Words that end a command before any silence does.
  package var stopping = StoppingPhrases()
  /// What says replies and questions; nil for nothing.
  package var speak: String?
  /// ALSA's name of the device that plays.
  package var player = "default"
  /// Of what is played, 0…100.
  package var volume: Double = 100
  /// Seconds of silence before words.
  package var speakDelay: Double = 0
  /// Whether a sound tells that it listens, and another that it does not any more.
  package var hasSounds = false
  /// Milliseconds from what is played to its echo in the microphone.
  package var echoDelay = 40
  /// Whether nobody but enrolled voices may wake it.
  package var onlyVoices = false
  /// Where the audio of wakes and near misses is kept; nil for nowhere.
  package var keep: String?
  /// How much of it.
  package var keepLimit = ClipLimit.standard
  /// How messages are written, and which.
  package var log = Log.Form.auto
  package var logLevel = Log.Level.notice
  /// Where metrics and health are served; nil for nowhere.
  package var metrics: StatusAddress?

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
    if let broker = arguments.value("--hermes") { hermes = broker }
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
    if let form = try arguments.choice("--log", of: Log.Form.allCases.map(\.rawValue)) {
      log = Log.Form(rawValue: form)!
    }
    if let name = try arguments.choice("--log-level", of: Log.Level.allCases.map(\.name)) {
      logLevel = Log.Level(name: name)!
    }
    if let text = arguments.value("--metrics") {
      guard let address = StatusAddress(text) else {
        throw arguments.badValue("--metrics", StatusAddress.expected)
      }
      metrics = address
    }
  }

  /// What says replies: the handler `speak` asks for a voice as well.
  package var voice: String? { speak ?? (handlers.contains("speak") ? "espeak" : nil) }

  /// Whether all recognizers that are named are servers or commands, which may be down.
  package var reachOut: Bool {
    let own = ["builtin", "pocketsphinx", "pocketsphinx:dictation"]
    return !recognizers.isEmpty && recognizers.allSatisfy { !own.contains($0) }
  }

  /// Whether audio comes over the MQTT broker.
  package var isFedByBroker: Bool { input == "hermes" }

  /// Whether anything but timers is played.
  package var isHeard: Bool { voice != nil || hasSounds }

  static func device(_ text: String) -> String? {
    text.hasPrefix("alsa:") && text.count > 5 ? String(text.dropFirst(5)) : nil
  }

  /// What `log-level` takes, for messages.
  static let levels = alternatives(Log.Level.allCases.map(\.name))

  /// `a, b or c`
  static func alternatives(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.joined() }
    return words.dropLast().joined(separator: ", ") + " or \(last)"
  }

  /// Seconds from the time-out of a command to that of the assistant, so that the command's own is told.
  private static let slack: Double = 2

  /// Seconds that a job of the conversation may take before something must be stuck.
  package var longestJob: Double {
    let cycle = cycle
    return max(cycle.recognitionTimeout, cycle.understandingTimeout, cycle.handlingTimeout) + 60
  }

  /// The same as the assistant's state machine takes them.
  package var cycle: AssistantCycle.Settings {
    var cycle = AssistantCycle.Settings()
    cycle.endOfSpeech.silence = silence
    cycle.endOfSpeech.noSpeech = noSpeechTimeout
    cycle.endOfSpeech.longest = maximumLength
    cycle.stopping = stopping
    cycle.listensAfterWake = hermes.flatMap { try? PlugInName($0)["dialogue"] } != "elsewhere"
    let hearing = max(1, recognizers.count) + (reachOut ? 1 : 0)
    cycle.recognitionTimeout = recognizerTimeout * Double(hearing) + Self.slack
    cycle.handlingTimeout = handlerTimeout * Double(max(1, handlers.count)) + Self.slack
    return cycle
  }
}
