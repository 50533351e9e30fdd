/// A recording, or a part of one, as its corpus tells of it.
public struct CorpusRecording: Sendable, Equatable {
  /// The file; of a part with its seconds behind, as in `talk.wav#t=1.5,2.25`.
  public let path: String
  /// Who speaks: recordings of one speaker are never split between training and measuring.
  public let speaker: String
  /// What is said; nil for noise.
  public let text: String?
  /// What the corpus itself wants it for; nil where it leaves that open.
  public let part: Part?

  /// What a corpus wants recordings for.
  public enum Part: Sendable, Equatable {
    case training
    case validation
    case testing
  }

  public init(path: String, speaker: String, text: String?, part: Part? = nil) {
    self.path = path
    self.speaker = speaker
    self.text = text
    self.part = part
  }
}
