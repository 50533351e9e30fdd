import Glibc
import PCM
import Platform

/// Identifies the speaker of a hotword among the enrolled voices.
public struct EnrolledVoices: Sendable {
  /// The result of an identification.
  public struct Judgement: Sendable, Equatable {
    /// The speaker's name; nil for an unknown speaker.
    public let name: String?
    /// The similarity to the nearest enrolled voice, 0…1; that voice is the speaker from 0.5 on.
    public let score: Double

    package init(name: String?, score: Double) {
      self.name = name
      self.score = score
    }
  }

  private struct Known {
    let name: String
    let keyword: String
    let prints: [VoicePrint]
    let likeness: Double
  }

  /// All speech of a voice.
  private struct Spoken {
    let place: [Float]
    /// Vectors of the speech.
    let count: Int
  }

  private let known: [Known]
  private let spoken: [String: Spoken]
  private let metric: VoiceMetric
  private let space: VoiceSpace?

  /// - Parameter space: compares orders with the voices; nil to identify hotwords only.
  public init(_ voices: [EnrolledVoice], space: VoiceSpace? = nil) {
    self.init(voices, metric: .standard, space: space)
  }

  package init(_ voices: [EnrolledVoice], metric: VoiceMetric, space: VoiceSpace? = nil) {
    self.metric = metric
    self.space = space
    var spoken: [String: Spoken] = [:]
    for voice in voices {
      // Hotwords alone are too little: many orders of the same person from across the room would be rejected.
      if let space, !voice.orders.isEmpty, let print = SpeechPrint(voice.speech) {
        spoken[voice.name] = Spoken(place: space.place(print), count: print.count)
      }
    }
    self.spoken = spoken
    known = voices.flatMap { voice in
      voice.keywords.map { keyword in
        let prints = voice.prints(of: keyword)
        return Known(
          name: voice.name, keyword: keyword, prints: prints, likeness: metric.likeness(prints))
      }
    }
  }

  /// Whether a voice is enrolled with the hotword.
  public func know(_ keyword: String) -> Bool { known.contains { $0.keyword == keyword } }

  /// Seconds before a hotword's estimated start that the identification needs, for the background noise.
  public static let lead = 1.0
  /// Seconds by which the hotword may begin earlier or end later than estimated.
  public static let slack = 0.15

  /// Identifies the speaker of `keyword` in `word`, a range of `samples`. Takes about 10 ms per voice; not real-time safe.
  ///
  /// - Returns: nil if no voice is enrolled with the hotword.
  public func judge(_ samples: [Int16], word: Range<Int>, keyword: String) -> Judgement? {
    let candidates = known.filter { $0.keyword == keyword }
    guard !candidates.isEmpty else { return nil }
    guard let print = VoicePrint(samples, word: Self.widened(word)) else {
      return Judgement(name: nil, score: 0)
    }
    let scores = candidates.map {
      metric.score(metric.evidence(print, of: $0.prints, likeness: $0.likeness))
    }
    let best = scores.indices.max { scores[$0] < scores[$1] }!
    return Judgement(name: scores[best] >= 0.5 ? candidates[best].name : nil, score: scores[best])
  }

  /// Compares an order of any words with the voice `name`. Not real-time safe.
  ///
  /// - Returns: 0…1; the voice may have spoken the order from 0.5 on. nil if the order has less than 0.3 s of sounds, or the
  ///   voice is not enrolled with orders.
  public func likeness(of order: [Int16], to name: String) -> Double? {
    guard let space, let voice = spoken[name], let print = SpeechPrint(order) else { return nil }
    let similarity = VoiceSpace.similarity(voice.place, space.place(print))
    let evidence = space.evidence(similarity: similarity, order: print.count, voice: voice.count)
    return 1 / (1 + exp(-evidence))
  }

  /// The likeness from which an order is accepted.
  public static let leastLikeness = 0.5

  /// Clips with a lower ``consistency(_:)`` are probably not of one person.
  ///
  /// Chosen on half of the sessions of four hotwords, four clips at a time. Of the other half it is above that of 39 of 48 sets of
  /// three people's clips, of 19 of 48 sets of two people's, and of 6 of 54 sets of one person's.
  public static let leastConsistency = 0.65

  /// The similarity of the clips of an enrolment to each other, 0…1.
  public static func consistency(_ prints: [VoicePrint]) -> Double {
    let metric = VoiceMetric.standard
    guard prints.count > 1 else { return 0 }
    let scores = prints.indices.map { index in
      var others = prints
      let own = others.remove(at: index)
      return metric.score(metric.evidence(own, of: others, likeness: metric.likeness(others)))
    }
    return scores.reduce(0, +) / Double(scores.count)
  }

  /// The range in which a hotword's phrase is searched.
  public static func widened(_ word: Range<Int>) -> Range<Int> {
    let slack = AudioFormat.samples(slack)
    return max(0, word.lowerBound - slack)..<word.upperBound + slack
  }
}
