/// A person's judgement of a clip.
public enum Label: String, Sendable, CaseIterable {
  /// A wake, and it was the word.
  case wake
  /// A wake, and it was not the word.
  case falseAlarm = "false-alarm"
  /// A near miss, and it was the word.
  case missed
  /// A near miss, and it was not the word.
  case rejection

  /// The label of a clip that was or was not the word.
  public init(_ kind: Clip.Kind, isWord: Bool) {
    switch kind {
    case .wake: self = isWord ? .wake : .falseAlarm
    case .nearMiss: self = isWord ? .missed : .rejection
    }
  }

  /// The kind of clip that can have it.
  public var kind: Clip.Kind {
    switch self {
    case .wake, .falseAlarm: .wake
    case .missed, .rejection: .nearMiss
    }
  }

  /// The folder of such clips, below their keyword's.
  public var folder: String {
    switch self {
    case .wake: "wakes"
    case .falseAlarm: "false-alarms"
    case .missed: "missed"
    case .rejection: "rejections"
    }
  }
}
