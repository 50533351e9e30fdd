import Platform
import Synchronization

/// Several recognizers in order: where one fails or is down, the next is handed all audio so far and goes on.
///
/// One that failed is left out for a while, so that an order need not wait for its time-out again. A failure is told
/// when it begins, not at every order.
public final class RecognizerChain: Recognizer {
  /// Seconds for which a recognizer that failed is left out.
  public static let rest = 30.0

  public let name: String
  public let locale: String
  private let recognizers: [any Recognizer]
  private let report: (String, RecognitionFault) -> Void
  private let now: () -> Double
  /// When each that failed may be tried again; absent for those that work.
  private var downUntil: [Int: Double] = [:]

  /// - Parameters:
  ///   - recognizers: at least one; the last is never left out.
  ///   - now: seconds of a clock.
  ///   - report: is told the name of one that failed, and why.
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

  /// The first one from `index` on that is not left out.
  func choice(from index: Int) -> Int? {
    let last = recognizers.count - 1
    guard index <= last else { return nil }
    return (index...last).first { $0 == last || (downUntil[$0] ?? -.infinity) <= now() }
  }

  func begin(_ index: Int, _ request: RecognitionRequest) throws(RecognitionFault) -> any RecognitionSession {
    try recognizers[index].start(request)
  }

  func failed(_ index: Int, _ fault: RecognitionFault) {
    let wasDown = downUntil.updateValue(now() + Self.rest, forKey: index) != nil
    if !wasDown { report(recognizers[index].name, fault) }
  }

  func worked(_ index: Int) { downUntil[index] = nil }
}

/// One utterance on its way through a chain.
final class ChainSession: RecognitionSession {
  /// A session that another thread may cancel, which every session allows.
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
    let heard = try attempt { session, _ throws(RecognitionFault) in try session.finish() }
    chain.worked(index)
    return heard ?? .silence
  }

  func cancel() {
    progress.cancel()
    running.withLock { $0.session?.cancel() }
  }

  /// Does `body` with the running recognizer, or with the next ones.
  ///
  /// - Parameter body: is told whether the session is new and was handed all audio so far.
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
