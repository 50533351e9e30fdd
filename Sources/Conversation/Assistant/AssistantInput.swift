import PCM
import Platform

/// The number of one listening turn; results with an older number are ignored.
public typealias Session = Int

/// The speaker of the hotword, if voices are enrolled.
public struct Speaker: Sendable, Equatable {
  /// nil for an unknown speaker.
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
  /// Where the word begins and ends in the stream.
  public let start: SampleIndex
  public let end: SampleIndex
  /// Where the audio of the command begins: at the end of the word, or of what is left of its sound.
  public var commandStart: SampleIndex
  /// 0…1
  public let score: Double
  /// nil if no voice is enrolled.
  public var speaker: Speaker?

  public init(
    keyword: String, start: SampleIndex, end: SampleIndex, score: Double, speaker: Speaker? = nil
  ) {
    self.keyword = keyword
    self.start = start
    self.end = end
    commandStart = end
    self.score = score
    self.speaker = speaker
  }
}

/// The result of understanding a text.
public enum Understood: Sendable, Equatable {
  /// An intent that can be carried out.
  case ready
  /// The user must answer a question first.
  case ask(prompt: String)
  /// The text is no command; `reply` may explain it.
  case notUnderstood(reply: String?)
  /// The user cancelled the command.
  case cancelled(reply: String?)
  /// The speaker has no permission; `reason` is for the log.
  case forbidden(reply: String?, reason: String)
}

/// The purpose of listening.
public enum Goal: Sendable, Equatable {
  /// A command, to be understood and carried out.
  case command
  /// A command with one of these intents.
  case intents([String])
  /// A transcript only; with `endsBySilence` false the listening lasts until it is dismissed or too long.
  case text(endsBySilence: Bool)
}

/// The inputs of an ``AssistantCycle``.
public enum AssistantInput: Sendable, Equatable {
  /// A hotword was found.
  case woke(Wake)
  /// The stream has grown to `end` by one 10 ms frame with this voice-activity flag and level in dBFS.
  case frame(end: SampleIndex, voiced: Bool, level: Float)
  /// The stream has grown to `end` by samples that were lost (zeros in the history).
  case gap(end: SampleIndex)
  /// The capture device was lost, or works again.
  case deviceLost
  case deviceRecovered
  /// The device is lost, and the stream would have grown to `until` by now.
  case waited(until: SampleIndex)
  /// The stream is over.
  case streamEnded
  /// A timer rang; `result` holds the fields of the `action` event.
  case rang(result: JSON)
  /// Another program requests listening without a hotword, after `prompt` has been spoken.
  case summoned(prompt: String?, Goal)
  /// Another program ends the listening, with or without a result.
  case dismissed(wantsResult: Bool)
  /// A part failed, and another one replaces it.
  case trouble(code: Int32, message: String)
  /// The recognizer has loaded, or processed more of the audio that it was fed.
  case recognizerAdvanced(Session)
  /// The recognizer's text so far.
  case partial(Session, text: String)
  /// The recognizer has found that the sentence is complete.
  case sentenceEnded(Session)
  /// The recognizer's result; an empty `text` means no words. `result` holds the fields of the event.
  case transcript(Session, text: String, result: JSON)
  case recognitionFailed(Session, code: Int32, message: String)
  /// The text's meaning; `result` holds the fields of the `intent` event.
  case understood(Session, Understood, result: JSON)
  case understandingFailed(Session, code: Int32, message: String)
  /// The prompt has been spoken, up to the stream position `end`.
  case asked(Session, end: SampleIndex)
  /// One action of the handler; `result` holds the fields of the `action` event.
  case acted(Session, result: JSON)
  /// The intent was carried out; `result` holds the fields of the `action` event.
  case handled(Session, reply: String?, result: JSON)
  case handlingFailed(Session, code: Int32, message: String)
}

/// The actions that the owner of an ``AssistantCycle`` must perform, in order.
public enum AssistantAction: Sendable, Equatable {
  /// Start a recognizer; its audio begins at `from`.
  case startRecognizer(Session, from: SampleIndex)
  /// Give the recognizer the history's samples `range`, which follow the last ones.
  case feed(Session, range: Range<SampleIndex>)
  /// Request the final result: no more audio follows.
  case finishRecognizer(Session)
  /// Cancel the recognizer; its result is not wanted.
  case cancelRecognizer(Session)
  /// Find out what the text means; an empty one means that somebody spoke and the recognizer found no words.
  case understand(Session, text: String)
  /// Speak a prompt; answer with `asked` when it has been spoken.
  case ask(Session, prompt: String)
  /// Carry out the intent; answer with `handled` or `handlingFailed`.
  case act(Session)
  /// Stop speaking; a handler that runs may finish, but its result is ignored.
  case interrupt(Session)
  case report(AssistantEvent)
}
