import Platform

/// What a recognizer heard.
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
    /// What else it may have been, best first.
    public let alternatives: [String]

    public init(text: String, start: Double, end: Double, confidence: Double, alternatives: [String] = []) {
      self.text = text
      self.start = start
      self.end = end
      self.confidence = confidence
      self.alternatives = alternatives
    }
  }

  /// Another reading of the whole.
  public struct Alternative: Sendable, Equatable {
    public let text: String
    /// 0…1, not above the transcript's own.
    public let confidence: Double

    public init(text: String, confidence: Double) {
      self.text = text
      self.confidence = confidence
    }
  }

  /// Empty when no speech was recognized, or none that the grammar has.
  public var text: String
  /// 0…1: how likely the text is what was said; 0.5 is the point to reject at.
  public var confidence: Double
  public var segments: [Segment]
  /// Other readings, best first, each text once, without `text` itself.
  public var alternatives: [Alternative]
  /// False for partial results.
  public var isFinal: Bool

  public init(
    text: String, confidence: Double, segments: [Segment] = [], alternatives: [Alternative] = [],
    isFinal: Bool = true
  ) {
    self.text = text
    self.confidence = confidence
    self.segments = segments
    self.alternatives = alternatives
    self.isFinal = isFinal
  }

  /// Transcripts of a grammar that are less sure than this are taken for something that it does not have.
  public static let doubt = 0.5

  /// A grammar's result, or where it is less sure than `doubt` no text, and what it might have been as alternatives.
  func rejectedBelow(_ doubt: Double) -> Transcript {
    if confidence >= doubt { return self }
    var rejected = Transcript(text: "", confidence: confidence, isFinal: isFinal)
    rejected.alternatives = [Alternative(text: text, confidence: confidence)] + alternatives
    return rejected
  }

  /// Nothing was said.
  public static let silence = Transcript(text: "", confidence: 0)

  /// The same with its segments `seconds` later, for audio that began within a longer recording.
  public func shifted(by seconds: Double) -> Transcript {
    var copy = self
    copy.segments = segments.map {
      Segment(
        text: $0.text, start: $0.start + seconds, end: $0.end + seconds, confidence: $0.confidence,
        alternatives: $0.alternatives)
    }
    return copy
  }

  /// The members `text`, `confidence`, `final`, `segments` and `alternatives` as the contract writes them.
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
