import AudioCapture
import Configuration
import Networking
import PCM
import Platform
import Supervision
import Synchronization

/// Reports the state of a program that listens: to the service manager, and on the status pages.
///
/// No lock is held while a notice is sent. The service manager has 0.2 seconds to take one; after that it is dropped.
package final class Supervisor<Metrics: SupervisedMetrics>: Sendable {
  package let heartbeat = Heartbeat()
  package let metrics: Metrics

  private struct State {
    var liveness: Liveness
    var keywords: [String] = []
    var problems: [Liveness.Problem] = []
    var status = ""
    var isStopping = false
  }

  let manager: ServiceManager
  private let input: String
  private let address: HTTPAddress?
  /// Whether a page shows the health.
  private let isShown: Bool
  private let state: Mutex<State>
  private let server = Mutex<StatusServer?>(nil)
  /// What else `/health` shows: problems of other parts, and further members.
  private let details: @Sendable () -> (problems: [String], members: [JSON.Member])

  /// The longest time between two checks of the signs of life, in seconds.
  private static var interval: Double { 0.5 }

  /// - Parameters:
  ///   - settings: those that say what is listened to, and where the pages are.
  ///   - isLive: whether audio comes all the time: from a microphone.
  ///   - manager: the service manager.
  ///   - details: called for each request of the health; it may wait.
  package init(
    _ settings: ServiceSettings, isLive: Bool, manager: ServiceManager, metrics: Metrics,
    details: @escaping @Sendable () -> (problems: [String], members: [JSON.Member]) = { ([], []) }
  ) {
    self.manager = manager
    self.metrics = metrics
    self.details = details
    input = settings.input
    address = settings.metrics
    isShown = settings.metrics != nil || settings.web.endpoint != nil
    state = Mutex(State(liveness: Liveness(expectsAudio: isLive, longestJob: settings.longestJob)))
  }

  /// Serves the status pages if the settings name an address.
  package func serve() throws {
    guard let address else { return }
    let server = try StatusServer.start(at: address) { [self] in page(at: $0) }
    self.server.withLock { $0 = server }
  }

  /// Starts the thread that watches the signs of life, if a page or a watchdog needs them.
  package func start() throws {
    guard isShown || manager.watchdog != nil else { return }
    try DetachedThread.start { [self] in watch() }
  }

  /// The program works, and listens for `keywords`.
  package func ready(_ keywords: [String]) { manager.send(.ready, .status(listen(for: keywords))) }

  /// The program listens for other keywords from now on.
  package func change(_ keywords: [String]) { manager.send(.status(listen(for: keywords))) }

  /// - Returns: the status.
  private func listen(for keywords: [String]) -> String {
    state.withLock { state in
      state.keywords = keywords
      state.status = Self.status(state)
      return state.status
    }
  }

  /// One line for people about the present state.
  var status: String { state.withLock { $0.status } }

  /// The service is about to end.
  package func stopping() {
    state.withLock { $0.isStopping = true }
    manager.send(.stopping, .status("stopping"))
  }

  /// Checks the signs of life, and reports changes and the watchdog signal to the manager.
  private func watch() {
    let timeout = manager.watchdog ?? .infinity
    var next = MonotonicClock.now()
    while true {
      let isWell = look().allSatisfy { !$0.isFatal }
      let now = MonotonicClock.now()
      if isWell, now >= next {
        if manager.watchdog != nil { manager.send(.watchdog) }
        next = now + timeout / 2
      }
      MonotonicClock.sleep(until: now + min(Self.interval, timeout / 8))
    }
  }

  /// - Returns: what is wrong now.
  @discardableResult
  private func look() -> [Liveness.Problem] {
    let now = MonotonicClock.now()
    let (problems, known, status) = state.withLock { state in
      let known = state.problems.map(\.summary)
      state.problems = state.isStopping ? [] : state.liveness.observe(heartbeat.signs, at: now)
      guard state.problems.map(\.summary) != known else { return (state.problems, known, String?.none) }
      state.status = Self.status(state)
      return (state.problems, known, state.status)
    }
    if let status { manager.send(.status(status)) }
    for problem in problems where problem.isFatal && !known.contains(problem.summary) {
      Log.error(problem.message)
    }
    return problems
  }

  private static func status(_ state: State) -> String {
    let keywords = state.keywords.isEmpty ? "no hotword" : state.keywords.joined(separator: ", ")
    return state.problems.first?.summary ?? "listening for \(keywords)"
  }

  private func page(at path: String) -> StatusServer.Page? {
    switch path {
    case "/metrics":
      StatusServer.Page(
        type: Exposition.mediaType, text: metrics.exposition(version: "\(Version.text)"))
    case "/health": healthPage
    default: nil
    }
  }

  private var healthPage: StatusServer.Page {
    let (report, isWell) = health
    return StatusServer.Page(status: isWell ? 200 : 503, type: "application/json", text: "\(report)\n")
  }

  /// The state of the service for programs, and whether nothing is wrong.
  package var health: (report: JSON, isWell: Bool) { health() }

  /// - Parameter others: further problems.
  package func health(also others: [String] = []) -> (report: JSON, isWell: Bool) {
    let (found, members) = details()
    let problems = look().map(\.message) + found + others
    let keywords = state.withLock { $0.keywords }
    let stream = metrics.stream
    let report: JSON = .object(
      [
        JSON.Member("status", .string(problems.isEmpty ? "ok" : "failing")),
        JSON.Member("problems", .array(problems.map { .string($0) })),
        JSON.Member("input", .string(input)),
        JSON.Member("keywords", .array(keywords.map { .string($0) })),
        JSON.Member("detecting", .bool(stream.isDetecting.value > 0)),
        JSON.Member("heard", .rounded(AudioFormat.seconds(stream.heard.value), digits: 2)),
        JSON.Member("up", .rounded(MonotonicClock.now() - stream.began, digits: 2)),
        JSON.Member("version", .string("\(Version.text)")),
      ] + members)
    return (report, problems.isEmpty)
  }
}
