import Platform
import YAMLFormat

/// A voice under `voice:`.
struct VoiceReference: Sendable {
  /// nil for any enrolled voice.
  let name: String?
  let position: SourcePosition
}

extension IntentFile {
  /// The voices that intents are restricted to and that are not among `enrolled`.
  package func voiceFaults(enrolled: [String]) -> [IntentFileFault] {
    voices.compactMap { voice in
      if voice.name.map(enrolled.contains) ?? !enrolled.isEmpty { return nil }
      let suggestion = voice.name.flatMap { nearestName(to: $0, among: enrolled) }
      return .invalid(
        file: name, position: voice.position,
        problem: .notEnrolled(voice: voice.name, suggestion: suggestion))
    }
  }
}
