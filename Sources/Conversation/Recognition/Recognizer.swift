/// Whether a recognizer can be used now.
public enum RecognizerAvailability: Sendable, Equatable {
  case available
  case unavailable(RecognitionFault)
}

/// The options of a session.
public struct RecognitionRequest: Sendable, Equatable {
  /// Whether to return partial results while audio arrives.
  public var partialResults: Bool
  /// The maximum number of alternatives.
  public var alternatives: Int
  /// What the speaker will probably say, of ``Grammar/meanings``: the answers to an open question. Empty if it is not known.
  public var expected: Set<String>

  public init(partialResults: Bool = true, alternatives: Int = 3, expected: Set<String> = []) {
    self.partialResults = partialResults
    self.alternatives = alternatives
    self.expected = expected
  }
}

/// A speech recognizer: turns speech into text.
///
/// The design follows Apple's Speech framework: a recognizer has a locale and may be unavailable; each utterance is a
/// session that receives audio as it arrives and returns partial results and a final one.
///
/// Not thread-safe: use a recognizer and its sessions on one worker thread. Calls may block for long (loading a model,
/// running a command); never call them on the thread that captures audio or detects hotwords. One session at a time.
public protocol Recognizer: AnyObject {
  /// The name in configuration files and messages.
  var name: String { get }
  /// The language, such as `en-US`; empty for any.
  var locale: String { get }
  /// Checks libraries, files and servers without loading a model.
  var availability: RecognizerAvailability { get }
  /// Loads the model, so that the first session starts without delay.
  func prepare() throws(RecognitionFault)
  /// Starts a session and ends the previous one.
  func start(_ request: RecognitionRequest) throws(RecognitionFault) -> any RecognitionSession
}

/// The state of a session.
public enum RecognitionState: String, Sendable, Equatable {
  /// Open, without audio yet.
  case starting
  case running
  case finishing
  case completed
  case cancelled
}

/// The recognition of one utterance.
public protocol RecognitionSession: AnyObject {
  var state: RecognitionState { get }
  /// Adds any number of samples (16 kHz, mono).
  ///
  /// - Returns: a partial result if partial results were requested and the text has changed or the sentence is complete.
  @discardableResult
  func append(_ samples: [Int16]) throws(RecognitionFault) -> Transcript?
  /// Ends the audio and returns the final result; an empty text means that no speech was recognized.
  func finish() throws(RecognitionFault) -> Transcript
  /// Cancels the session. Thread-safe, unlike all others; a running `finish` throws `cancelled`.
  func cancel()
}
