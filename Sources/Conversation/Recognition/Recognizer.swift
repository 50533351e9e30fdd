/// Whether a recognizer can be used now.
public enum RecognizerAvailability: Sendable, Equatable {
  case available
  case unavailable(RecognitionFault)
}

/// What a session is asked for.
public struct RecognitionRequest: Sendable, Equatable {
  /// Partial results are wanted while audio comes.
  public var partialResults: Bool
  /// The most other readings wanted.
  public var alternatives: Int

  public init(partialResults: Bool = true, alternatives: Int = 3) {
    self.partialResults = partialResults
    self.alternatives = alternatives
  }
}

/// Something that turns speech into text.
///
/// The shape is that of Apple's Speech framework: a recognizer has a locale and may or may not be available; each
/// utterance is a session that takes audio as it comes, gives partial results, and a final one.
///
/// Threads: a recognizer and its sessions belong to one worker thread; calls may take long (loading a model, running
/// a command) and must never be made on the thread that captures or listens. One session runs at a time.
public protocol Recognizer: AnyObject {
  /// The name in configuration files and messages.
  var name: String { get }
  /// The language it hears, as in `en-US`; empty when it takes any.
  var locale: String { get }
  /// Looks for what it needs, without loading it.
  var availability: RecognizerAvailability { get }
  /// Loads what a session needs, so that the first one need not wait.
  func prepare() throws(RecognitionFault)
  /// Opens a session, which ends the one before.
  func start(_ request: RecognitionRequest) throws(RecognitionFault) -> any RecognitionSession
}

/// Where a session stands.
public enum RecognitionState: String, Sendable, Equatable {
  /// Open, no audio yet.
  case starting
  case running
  case finishing
  case completed
  case cancelled
}

/// One utterance on its way through a recognizer.
public protocol RecognitionSession: AnyObject {
  var state: RecognitionState { get }
  /// Takes the next samples (16 kHz, mono), any number.
  ///
  /// - Returns: a partial result when the text has changed and partial results were asked for.
  @discardableResult
  func append(_ samples: [Int16]) throws(RecognitionFault) -> Transcript?
  /// Says that no more audio comes, and returns the final result; an empty text means that no speech was recognized.
  func finish() throws(RecognitionFault) -> Transcript
  /// Gives up. The one call that any thread may make, also while `finish` runs, which then throws `cancelled`.
  func cancel()
}
