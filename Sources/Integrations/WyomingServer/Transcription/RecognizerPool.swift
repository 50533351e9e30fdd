import Assistant
import FrontEnd
import Platform
import Recognition
import Synchronization

/// Recognizers for the clients of a server, each with a thread of its own. Any thread may use it.
///
/// A recognizer is made when all others are busy, up to the limit; beyond it utterances wait, and catch up because recognizing is
/// faster than speaking. One recognizer stays loaded, the others end after a minute without work.
public final class RecognizerPool: Sendable {
  /// Seconds without audio after which an utterance ends.
  private static let stallLimit = 10.0
  /// Seconds after which a recognizer without work ends.
  private static let idleLimit = 60.0

  private struct Load {
    var threads = 0
    /// Utterances that wait or are recognized.
    var open = 0
    /// How often the recognizers have been renewed.
    var generation = 0
  }

  private let limit: Int
  private let settings: EndOfSpeechSettings
  private let make: @Sendable () throws(RecognitionFault) -> any Recognizer
  private let request: @Sendable () -> RecognitionRequest
  private let load = Mutex(Load())
  private let utterances = JobQueue<Utterance?>()

  /// - Parameters:
  ///   - limit: the maximum number of recognizers.
  ///   - settings: when an utterance ends.
  ///   - request: what is expected now; called when an utterance begins.
  ///   - make: makes a recognizer; called on its thread.
  public init(
    limit: Int = 4, _ settings: EndOfSpeechSettings = EndOfSpeechSettings(),
    request: @escaping @Sendable () -> RecognitionRequest = { RecognitionRequest() },
    make: @escaping @Sendable () throws(RecognitionFault) -> any Recognizer
  ) {
    self.limit = limit
    self.settings = settings
    self.request = request
    self.make = make
  }

  /// Makes new recognizers in place of those that are loaded, each after the utterance that it is recognizing.
  public func renew() throws(SystemFault) {
    load.withLock { $0.generation += 1 }
    try prepare()
  }

  /// Loads a recognizer, so that the first utterance need not wait for it.
  public func prepare() throws(SystemFault) { try submit(nil) }

  func recognize(_ utterance: Utterance) {
    do throws(SystemFault) {
      try submit(utterance)
    } catch {
      utterance.end(.failure(.remote(AnyFault(error))))
    }
  }

  private func submit(_ utterance: Utterance?) throws(SystemFault) {
    let needsThread = load.withLock { load in
      load.open += 1
      guard load.open > load.threads, load.threads < limit else { return false }
      load.threads += 1
      return true
    }
    if needsThread {
      do throws(SystemFault) {
        try DetachedThread.start { [self] in work() }
      } catch {
        let isAlone = load.withLock { load in
          load.threads -= 1
          if load.threads == 0 { load.open -= 1 }
          return load.threads == 0
        }
        if isAlone { throw error }
      }
    }
    utterances.append(utterance)
  }

  private func work() {
    var ready: (recognizer: any Recognizer, frontEnd: FrontEnd)?
    var generation = 0
    while let utterance = next() {
      defer { load.withLock { $0.open -= 1 } }
      if let utterance, utterance.isOver { continue }
      do throws(RecognitionFault) {
        let current = load.withLock { $0.generation }
        if ready == nil || generation != current {
          ready = nil
          ready = try makeReady()
          generation = current
        }
        if let utterance, let ready {
          try recognize(utterance, with: ready.recognizer, ready.frontEnd)
        }
      } catch {
        utterance?.end(.failure(error))
        Log.warning(error.message)
      }
    }
  }

  /// The next utterance, nil within for ``prepare()``; nil if this thread is to end.
  private func next() -> Utterance?? {
    while true {
      if let utterance = utterances.take(within: Self.idleLimit) { return utterance }
      let mayEnd = load.withLock { load in
        guard load.threads > 1, load.open < load.threads else { return false }
        load.threads -= 1
        return true
      }
      if mayEnd { return nil }
    }
  }

  private func makeReady() throws(RecognitionFault) -> (recognizer: any Recognizer, frontEnd: FrontEnd) {
    let recognizer = try make()
    try recognizer.prepare()
    do throws(FrontEndFault) {
      return (recognizer, try FrontEnd(.standard))
    } catch {
      throw .remote(AnyFault(error))
    }
  }

  private func recognize(
    _ utterance: Utterance, with recognizer: any Recognizer, _ frontEnd: FrontEnd
  ) throws(RecognitionFault) {
    let listener = UtteranceListener(try recognizer.start(request()), frontEnd, settings)
    while true {
      // What a client that has left sent before is not recognized.
      if utterance.isOver { return listener.cancel() }
      switch utterance.next(within: Self.stallLimit) {
      case .samples(let samples)?:
        if let transcript = try listener.push(samples) { return utterance.end(.success(transcript)) }
      case .end?, nil: return utterance.end(.success(try listener.finish()))
      case .cancelled?: return listener.cancel()
      }
    }
  }
}
