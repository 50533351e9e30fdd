import Platform
import Synchronization

/// Several recognizers in order: if one fails, the next gets all audio so far and continues.
///
/// A recognizer that failed is skipped for 30 seconds, so that commands do not wait for its time-out again. Only the
/// first of several failures in a row is reported.
public final class RecognizerChain: Recognizer {
  /// Seconds for which a recognizer is skipped after a failure.
  public static let retryDelay = 30.0

  public let name: String
  public let locale: String
  private let recognizers: [any Recognizer]
  private let report: (String, RecognitionFault) -> Void
  private let now: () -> Double
  /// The time of the next attempt for each recognizer that failed.
  private var skippedUntil: [Int: Double] = [:]

  /// - Parameters:
  ///   - recognizers: at least one; the last is never skipped.
  ///   - now: returns seconds on a monotonic clock.
  ///   - report: called with the name of a recognizer that failed, and the fault.
  public init(
    _ recognizers: [any Recognizer], now: @escaping () -> Double = MonotonicClock.now,
    report: @escaping (String, RecognitionFault) -> Void
  ) {
    precondition(!recognizers.isEmpty)
    self.recognizers = recognizers
    self.now = now
    self.report = report
    name = recognizers.map(\.name).joined(separator: ", ")
    locale = recognizers[0].locale
  }

  public var availability: RecognizerAvailability {
    var last = RecognizerAvailability.available
    for recognizer in recognizers {
      last = recognizer.availability
      if last == .available { break }
    }
    return last
  }

  public func prepare() throws(RecognitionFault) {
    for (index, recognizer) in recognizers.enumerated() {
      do throws(RecognitionFault) {
        return try recognizer.prepare()
      } catch {
        if index == recognizers.count - 1 { throw error }
      }
    }
  }

  public func start(_ request: RecognitionRequest) throws(RecognitionFault) -> any RecognitionSession {
    try ChainSession(self, request)
  }

  /// The first recognizer from `index` on that is not skipped; nil after the last.
  func choice(from index: Int) -> Int? {
    let last = recognizers.count - 1
    guard index <= last else { return nil }
    return (index...last).first { $0 == last || (skippedUntil[$0] ?? -.infinity) <= now() }
  }

  func begin(_ index: Int, _ request: RecognitionRequest) throws(RecognitionFault) -> any RecognitionSession {
    try recognizers[index].start(request)
  }

  func failed(_ index: Int, _ fault: RecognitionFault) {
    let wasSkipped = skippedUntil.updateValue(now() + Self.retryDelay, forKey: index) != nil
    if !wasSkipped { report(recognizers[index].name, fault) }
  }

  func worked(_ index: Int) { skippedUntil[index] = nil }
}

/// The session of one utterance with a chain of recognizers.
final class ChainSession: RecognitionSession {
  /// A session that any thread may cancel; ``RecognitionSession/cancel()`` allows that.
  private struct Running: @unchecked Sendable {
    var session: (any RecognitionSession)?
  }

  private let chain: RecognizerChain
  private let request: RecognitionRequest
  private let progress = SessionProgress()
  private let running = Mutex(Running())
  private var index = 0
  private var recording = Recording()

  init(_ chain: RecognizerChain, _ request: RecognitionRequest) throws(RecognitionFault) {
    self.chain = chain
    self.request = request
    index = chain.choice(from: 0) ?? 0
    _ = try attempt { _, _ in nil }
  }

  var state: RecognitionState { progress.state }

  func append(_ samples: [Int16]) throws(RecognitionFault) -> Transcript? {
    try progress.advance(to: .running)
    recording.append(samples)
    return try attempt { session, hasAll throws(RecognitionFault) in
      hasAll ? nil : try session.append(samples)
    }
  }

  func finish() throws(RecognitionFault) -> Transcript {
    try progress.advance(to: .finishing)
    defer { progress.complete() }
    let result = try attempt { session, _ throws(RecognitionFault) in try session.finish() }
    chain.worked(index)
    return result ?? .silence
  }

  func cancel() {
    progress.cancel()
    running.withLock { $0.session?.cancel() }
  }

  /// Calls `body` with the current session; after a failure with a session of the next recognizer.
  ///
  /// - Parameter body: its second argument is whether the session is new and has already received all audio so far.
  private func attempt(
    _ body: (any RecognitionSession, Bool) throws(RecognitionFault) -> Transcript?
  ) throws(RecognitionFault) -> Transcript? {
    while true {
      do throws(RecognitionFault) {
        if let session = running.withLock({ $0 }).session { return try body(session, false) }
        return try body(try begin(), true)
      } catch {
        running.withLock { $0.session = nil }
        if error == .cancelled || progress.isCancelled { throw .cancelled }
        guard let next = chain.choice(from: index + 1) else { throw error }
        chain.failed(index, error)
        index = next
      }
    }
  }

  private func begin() throws(RecognitionFault) -> any RecognitionSession {
    let session = try chain.begin(index, request)
    running.withLock { $0.session = session }
    if progress.isCancelled { throw .cancelled }
    if !recording.samples.isEmpty { try session.append(recording.samples) }
    return session
  }
}
