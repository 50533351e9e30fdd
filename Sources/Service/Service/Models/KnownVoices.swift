import Platform
import Speakers

/// The enrolled voices for the programs that detect hotwords.
package enum KnownVoices {
  /// The voices in the user's data folder; nil if none is enrolled with one of `keywords`.
  ///
  /// - Parameter onlyVoices: whether only enrolled voices count; then every hotword needs one.
  package static func load(
    for keywords: [String], onlyVoices: Bool
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
    var space: VoiceSpace?
    if !usable.isEmpty {
      do throws(VoiceFault) {
        space = try VoiceSpace.standard()
      } catch {
        if onlyVoices { throw error }
        Log.warning(error.message)
      }
    }
    let voices = EnrolledVoices(usable, space: space)
    if onlyVoices, let keyword = keywords.first(where: { !voices.know($0) }) {
      throw .noneEnrolled(keyword: keyword)
    }
    return keywords.contains { voices.know($0) } ? voices : nil
  }

  /// How likely the voice `name` spoke `order`, 0…1; nil if that cannot be said. The log tells of an order by another voice.
  package static func likeness(
    of order: [Int16], to name: String, among voices: EnrolledVoices
  ) -> Double? {
    let likeness = voices.likeness(of: order, to: name)
    if let likeness, likeness < EnrolledVoices.leastLikeness {
      let needed = "\(EnrolledVoices.leastLikeness) needed"
      Log.note("the order does not sound like \(name) (\(JSON.rounded(likeness, digits: 2)), \(needed))")
    }
    return likeness
  }

  /// Whether the voice `name` may have spoken `order`: also if that cannot be said.
  package static func comparison(
    with voices: EnrolledVoices
  ) -> @Sendable (_ order: [Int16], _ name: String) -> Bool {
    { order, name in
      likeness(of: order, to: name, among: voices).map { $0 >= EnrolledVoices.leastLikeness } ?? true
    }
  }

  /// The members of an output line for a judgement.
  package static func members(_ judgement: EnrolledVoices.Judgement?) -> [JSON.Member] {
    guard let judgement else { return [] }
    return [
      JSON.Member("speaker", judgement.name.map { .string($0) } ?? .null),
      JSON.Member("speakerScore", .rounded(judgement.score, digits: 6)),
    ]
  }
}
