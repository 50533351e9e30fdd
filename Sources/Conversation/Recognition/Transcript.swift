import Platform

/// The result of a recognizer.
public struct Transcript: Sendable, Equatable {
  /// The maximum length in characters of a text from a command or a server.
  package static let textLimit = 10_000

  /// One word or phrase with its place.
  public struct Segment: Sendable, Equatable {
    public let text: String
    /// Seconds from the start of the session's audio.
    public let start: Double
    public let end: Double
    /// 0…1
    public let confidence: Double
    /// Other words that are possible here, best first.
    public let alternatives: [String]

    public init(text: String, start: Double, end: Double, confidence: Double, alternatives: [String] = []) {
      self.text = text
      self.start = start
      self.end = end
      self.confidence = confidence
      self.alternatives = alternatives
    }
  }

  /// Another possible text.
  public struct Alternative: Sendable, Equatable {
    public let text: String
    /// 0…1, at most that of the transcript.
    public let confidence: Double

    public init(text: String, confidence: Double) {
      self.text = text
      self.confidence = confidence
    }
  }

  /// Empty where no speech was recognized, or no sentence of the grammar.
  public var text: String
  /// The probability that the text is correct, 0…1; 0.5 is the threshold for rejection.
  public var confidence: Double
  public var segments: [Segment]
  /// Other possible texts, best first, without duplicates and without `text`.
  public var alternatives: [Alternative]
  /// False for partial results.
  public var isFinal: Bool
  /// Whether a partial result is a sentence after which no word is expected that would change it, and silence has followed: the
  /// end of speech, known earlier than from a pause.
  public var isComplete: Bool

  public init(
    text: String, confidence: Double, segments: [Segment] = [], alternatives: [Alternative] = [],
    isFinal: Bool = true, isComplete: Bool = false
  ) {
    self.text = text
    self.confidence = confidence
    self.segments = segments
    self.alternatives = alternatives
    self.isFinal = isFinal
    self.isComplete = isComplete
  }

  /// The minimum confidence of a sentence of a grammar; below it the transcript has no text.
  public static let minimumConfidence = 0.5

  /// The transcript; if its confidence is below `minimum`, without text and with the text as the first alternative.
  func rejectedBelow(_ minimum: Double) -> Transcript {
    if confidence >= minimum { return self }
    var rejected = Transcript(text: "", confidence: confidence, isFinal: isFinal)
    rejected.alternatives = [Alternative(text: text, confidence: confidence)] + alternatives
    return rejected
  }

  /// The transcript of no speech.
  public static let silence = Transcript(text: "", confidence: 0)

  /// The transcript with its segments `seconds` later, for audio from within a longer recording.
  public func shifted(by seconds: Double) -> Transcript {
    var copy = self
    copy.segments = segments.map {
      Segment(
        text: $0.text, start: $0.start + seconds, end: $0.end + seconds, confidence: $0.confidence,
        alternatives: $0.alternatives)
    }
    return copy
  }

  /// The members `text`, `confidence`, `final`, `segments` and `alternatives` of `hotword transcribe`.
  public var json: JSON {
    [
      "text": .string(text),
      "confidence": .rounded(confidence),
      "final": .bool(isFinal),
      "segments": .array(
        segments.map {
          [
            "text": .string($0.text), "start": .rounded($0.start), "end": .rounded($0.end),
            "confidence": .rounded($0.confidence),
            "alternatives": .array($0.alternatives.map { .string($0) }),
          ]
        }),
      "alternatives": .array(
        alternatives.map { ["text": .string($0.text), "confidence": .rounded($0.confidence)] }),
    ]
  }
}
