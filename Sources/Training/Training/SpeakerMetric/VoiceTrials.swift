import Evaluation
import Platform
import Speakers

/// Comparisons of the voices of speakers with further clips of theirs and with those of others.
package struct VoiceTrials: Sendable {
  /// How a clip was rendered.
  package enum Rendering: String, Sendable, CaseIterable {
    case quiet, noisy, distant
  }

  /// A comparison of a voice with a clip.
  package struct Trial: Sendable {
    /// Whether the voice consists of parts as short as a hotword.
    package let isShort: Bool
    package let rendering: Rendering
    package let similarity: Double
    /// The numbers of vectors of the clip and of the voice.
    package let order: Int
    package let voice: Int
    package let isSame: Bool
  }

  /// The rates of some trials.
  package struct Rates: Sendable {
    package let trials: Int
    package let equalError: Double
    /// The share of the clips of the same speaker, and of others, that the odds accept.
    package let accepted: Double
    package let othersAccepted: Double
  }

  package let all: [Trial]

  private static let clips = 3
  /// Clips of others for each voice.
  private static let others = 40

  /// Three clips of each speaker, whole and as short as a hotword, against their further clips and against others'.
  package init(_ items: [SpeakerCorpus.Item], _ space: VoiceSpace, seed: UInt64, threads: Int) {
    let groups = Dictionary(grouping: items.indices) { items[$0].speaker }
      .filter { $0.value.count > Self.clips }
    let speakers = groups.keys.sorted()
    let random = RandomSource(seed: seed).stream(3)
    let tests = speakers.flatMap { speaker in
      groups[speaker]!.dropFirst(Self.clips).map { (speaker: speaker, index: $0) }
    }
    let places = Parallel.map(tests.count, threads: threads) { number in
      items[tests[number].index].renderings.map { ($0.0, space.place($0.1), $0.1.count) }
    }
    all = Parallel.map(speakers.count, threads: threads) { number -> [Trial] in
      var random = random.stream(number)
      let clips = groups[speakers[number]]!.prefix(Self.clips).map { items[$0].quiet }
      return [false, true].flatMap { isShort -> [Trial] in
        let voice = SpeechPrint(joining: isShort ? clips.map { $0.short(&random) ?? $0 } : clips)
        let place = space.place(voice)
        let own = tests.indices.filter { tests[$0].speaker == speakers[number] }
        let others = (0..<Self.others).map { _ in Int(random.next() % UInt64(tests.count)) }
          .filter { tests[$0].speaker != speakers[number] }
        return (own + others).flatMap { test in
          places[test].map { rendering, order, count in
            Trial(
              isShort: isShort, rendering: rendering, similarity: VoiceSpace.similarity(place, order),
              order: count, voice: voice.count, isSame: tests[test].speaker == speakers[number])
          }
        }
      }
    }.flatMap(\.self)
  }

  /// The rates of the trials that `isChosen`, by the odds of `space`.
  package func rates(_ space: VoiceSpace, _ isChosen: (Trial) -> Bool) -> Rates {
    let chosen = all.filter(isChosen).map {
      (
        evidence: space.evidence(similarity: $0.similarity, order: $0.order, voice: $0.voice),
        isSame: $0.isSame
      )
    }
    func accepted(_ isSame: Bool) -> Double {
      let trials = chosen.filter { $0.isSame == isSame }
      return Double(trials.count { $0.evidence >= 0 }) / Double(max(1, trials.count))
    }
    return Rates(
      trials: chosen.count, equalError: VoiceMetricFit.equalError(chosen).rate, accepted: accepted(true),
      othersAccepted: accepted(false))
  }
}

extension SpeechPrint {
  /// The vectors of a clip as short as a hotword.
  private static let shortCount = 80

  /// A random part that is as short as a hotword; nil for clips that are hardly longer.
  func short(_ random: inout RandomSource) -> SpeechPrint? {
    guard count > 2 * Self.shortCount else { return nil }
    return part(Int(random.next() % UInt64(count - Self.shortCount)), Self.shortCount)
  }
}
