import Platform
import Understanding

/// A recognized intent, the input of handlers.
public struct IntentEvent: Sendable, Equatable {
  /// Seconds since the stream began.
  public var time: Double
  /// The hotword before the command; nil for typed text.
  public var keyword: String?
  /// The name of the speaker, if voices are enrolled.
  public var speaker: String?
  public var interpretation: Interpretation

  public init(time: Double, interpretation: Interpretation, keyword: String? = nil, speaker: String? = nil) {
    self.time = time
    self.interpretation = interpretation
    self.keyword = keyword
    self.speaker = speaker
  }

  /// The `intent` line of `run --events json`, and the standard input of commands.
  public var json: JSON {
    var members: [JSON.Member] = [JSON.Member("event", "intent"), JSON.Member("time", .rounded(time))]
    if let keyword { members.append(JSON.Member("keyword", .string(keyword))) }
    if let speaker { members.append(JSON.Member("speaker", .string(speaker))) }
    return .object(members + interpretation.members)
  }
}
