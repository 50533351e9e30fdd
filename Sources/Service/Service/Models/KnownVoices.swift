import Detection
import Platform
import Speakers

/// The enrolled voices as `detect`, `score` and `run` ask them.
package enum KnownVoices {
  /// Those of the user's data folder; nil where none is enrolled with one of `keywords`.
  ///
  /// - Parameter onlyVoices: whether nobody else may wake; then every hotword needs a voice.
  package static func load(
    for keywords: [KeywordSpotter.Keyword], onlyVoices: Bool
  ) throws(VoiceFault) -> EnrolledVoices? {
    let store = VoiceStore.standard()
    var usable: [EnrolledVoice] = []
    for name in try store.names() {
      do throws(VoiceFault) {
        if let voice = try store.voice(name) { usable.append(voice) }
      } catch {
        if onlyVoices { throw error }
        Log.warning(error.message)
      }
    }
    let voices = EnrolledVoices(usable)
    if onlyVoices, let keyword = keywords.first(where: { !voices.know($0.name) }) {
      throw .noneEnrolled(keyword: keyword.name)
    }
    return keywords.contains { voices.know($0.name) } ? voices : nil
  }

  /// A judgement as the members of an output line.
  package static func members(_ judgement: EnrolledVoices.Judgement?) -> [JSON.Member] {
    guard let judgement else { return [] }
    return [
      JSON.Member("speaker", judgement.name.map { .string($0) } ?? .null),
      JSON.Member("speakerScore", .rounded(judgement.score, digits: 6)),
    ]
  }
}
