import Networking
import Platform

/// The answer to `describe`: what a server offers.
public struct ServerInfo: Sendable {
  private let version: String
  private var programs: [String: JSON] = [:]
  private var satellite: JSON?

  /// - Parameter version: the version of the program.
  public init(version: String) { self.version = version }

  /// Adds hotwords.
  public mutating func offer(_ catalog: WakeCatalog) {
    let models = catalog.entries.map { entry in
      let language = entry.model.training["language"]?.string ?? "en"
      return artifact(
        entry.name, entry.model.phrase,
        [JSON.Member("languages", [.string(language)]), JSON.Member("phrase", .string(entry.model.phrase))])
    }
    add("wake", "always-on hotword detection", models)
  }

  /// Adds speech to text.
  ///
  /// - Parameters:
  ///   - recognizer: its name.
  ///   - language: its language; empty for any.
  public mutating func offerTranscription(by recognizer: String, language: String) {
    let features = ["requires_external_vad", "prefers_auto_gain_enabled", "prefers_noise_reduction_enabled"]
    add(
      "asr", "speech to text", [model(recognizer, "speech to text by \(recognizer)", language)],
      features.map { JSON.Member($0, false) } + [JSON.Member("supports_transcript_streaming", false)])
  }

  /// Adds the understanding of sentences in `language`: intents for the client to carry out, or carried out here.
  public mutating func offerConversation(language: String) {
    let model = model("intents", "the sentences of the intent file", language)
    add("intent", "intents", [model])
    add("handle", "intents", [model], [JSON.Member("supports_home_control", true)])
  }

  /// Adds a satellite, which detects the hotwords of `catalog` itself.
  public mutating func offerSatellite(_ name: String, _ catalog: WakeCatalog) {
    satellite = artifact(
      name, name,
      [
        JSON.Member("area", .null), JSON.Member("has_vad", false),
        JSON.Member("active_wake_words", .array(catalog.entries.map { .string($0.name) })),
        JSON.Member("max_active_wake_words", .number(Double(catalog.entries.count))),
        JSON.Member("supports_trigger", false),
      ])
  }

  public var event: WyomingEvent {
    let kinds = ["asr", "tts", "handle", "intent", "wake", "mic", "snd"]
    let members = kinds.map { JSON.Member($0, .array(programs[$0].map { [$0] } ?? [])) }
    return WyomingEvent("info", members + (satellite.map { [JSON.Member("satellite", $0)] } ?? []))
  }

  private mutating func add(
    _ kind: String, _ description: String, _ models: [JSON], _ more: [JSON.Member] = []
  ) {
    programs[kind] = artifact(
      "hotword", "hotword: \(description)", [JSON.Member("models", .array(models))] + more)
  }

  private func model(_ name: String, _ description: String, _ language: String) -> JSON {
    let languages: [JSON] = language.isEmpty ? [] : [.string(language)]
    return artifact(name, description, [JSON.Member("languages", .array(languages))])
  }

  private func artifact(_ name: String, _ description: String, _ more: [JSON.Member]) -> JSON {
    .object(
      [
        JSON.Member("name", .string(name)), JSON.Member("attribution", Self.attribution),
        JSON.Member("installed", true), JSON.Member("description", .string(description)),
        JSON.Member("version", .string(version)),
      ] + more)
  }

  private static let attribution: JSON = ["name": "the hotword authors", "url": ""]
}
