import PCM
import Platform

/// The number of one listening turn; answers that carry an older one are ignored.
public typealias Session = Int

/// Who spoke the hotword, where voices are enrolled.
public struct Speaker: Sendable, Equatable {
  /// nil for a stranger.
  public let name: String?
  /// 0…1
  public let score: Double

  public init(name: String?, score: Double) {
    self.name = name
    self.score = score
  }
}

/// A hotword that was found in the stream.
public struct Wake: Sendable, Equatable {
  public let keyword: String
  /// Where the word begins and ends, in the raw stream's clock.
  public let start: SampleIndex
  public let end: SampleIndex
  /// 0…1
  public let score: Double
  /// nil where no voice is enrolled.
  public var speaker: Speaker?

  public init(
    keyword: String, start: SampleIndex, end: SampleIndex, score: Double, speaker: Speaker? = nil
  ) {
    self.keyword = keyword
    self.start = start
    self.end = end
    self.score = score
    self.speaker = speaker
  }
}

/// What came of understanding a text.
public enum Understood: Sendable, Equatable {
  /// An intent that can be carried out.
  case ready
  /// The user must be asked something first.
  case ask(prompt: String)
  /// Nothing to carry out; `reply` may say so.
  case refused(reply: String?)
  /// The user took it back.
  case cancelled(reply: String?)
  /// The voice may not; `reason` is for the log.
  case forbidden(reply: String?, reason: String)
}

/// What is listened for.
public enum Goal: Sendable, Equatable {
  /// A command, to be understood and carried out.
  case command
  /// A text alone; with `endsBySilence` false it lasts until it is asked for, or is too long.
  case text(endsBySilence: Bool)
}

/// What happens to an assistant; see ``AssistantCycle``.
public enum AssistantInput: Sendable, Equatable {
  /// A hotword was found.
  case woke(Wake)
  /// The stream has grown to `end` by one 10 ms frame with this voice-activity flag and level in dBFS.
  case frame(end: SampleIndex, voiced: Bool, level: Float)
  /// The stream has grown to `end` by samples that were lost (zeros in the history).
  case gap(end: SampleIndex)
  /// The capture device went away, or came back.
  case deviceLost
  case deviceRecovered
  /// The stream is over.
  case streamEnded
  /// A timer rang; `result` holds the fields of the `action` event.
  case rang(result: JSON)
  /// Someone else leads the conversation and wants it to listen, without a hotword, once `prompt` is said.
  case summoned(prompt: String?, Goal)
  /// Who summoned it wants the result of what was heard so far, or nothing of it.
  case dismissed(wantsResult: Bool)
  /// Some part failed, and another one makes up for it.
  case trouble(code: Int32, message: String)
  /// The recognizer has heard this much so far.
  case partial(Session, text: String)
  /// The recognizer's result; empty `text` means that it heard no speech. `result` holds the fields of the event.
  case transcript(Session, text: String, result: JSON)
  case recognitionFailed(Session, code: Int32, message: String)
  /// The text's meaning; `result` holds the fields of the `intent` event.
  case understood(Session, Understood, result: JSON)
  case understandingFailed(Session, code: Int32, message: String)
  /// The prompt was spoken; the stream stood at `end` then.
  case asked(Session, end: SampleIndex)
  /// A part of what carries the intent out; `result` holds the fields of the `action` event.
  case acted(Session, result: JSON)
  /// The intent was carried out; `result` holds the fields of the `action` event.
  case handled(Session, reply: String?, result: JSON)
  case handlingFailed(Session, code: Int32, message: String)
}

/// What the owner of an ``AssistantCycle`` must do, in this order.
public enum AssistantAction: Sendable, Equatable {
  /// Start a recognizer; its audio begins at `from`.
  case startRecognizer(Session, from: SampleIndex)
  /// Hand it the history's samples `range`, which follow the last ones.
  case feed(Session, range: Range<SampleIndex>)
  /// No more audio comes: ask for the final result.
  case finishRecognizer(Session)
  /// Its result is no longer wanted.
  case cancelRecognizer(Session)
  case understand(Session, text: String)
  /// Ask the user; answer with `asked` once it was said.
  case ask(Session, prompt: String)
  /// Carry out what was understood; answer with `handled` or `handlingFailed`.
  case act(Session)
  /// Stop speaking; a command in flight may run to its end, its answer is ignored.
  case interrupt(Session)
  case report(AssistantEvent)
}
