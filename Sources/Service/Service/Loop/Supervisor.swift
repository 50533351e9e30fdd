import Assistant
import AudioCapture
import Configuration
import PCM
import Platform
import Supervision
import Synchronization

/// Tells whoever watches the service how it is: the service manager, and those who ask for its status pages.
final class Supervisor: Sendable {
  let heartbeat = Heartbeat()
  let metrics = ServiceMetrics(endings: AssistantEvent.IdleReason.allCases.map(\.rawValue))

  private struct State {
    var liveness: Liveness
    var keywords: [String] = []
    var troubles: [Liveness.Trouble] = []
    var told = ""
    var isStopping = false
  }

  private let manager: ServiceManager
  private let input: String
  private let address: StatusAddress?
  private let state: Mutex<State>
  private let server = Mutex<StatusServer?>(nil)

  /// Seconds from one look at the signs of life to the next, at most.
  private static let interval = 0.5

  /// - Parameters:
  ///   - isLive: whether audio comes all the time: from a microphone.
  ///   - manager: the service manager.
  init(_ settings: ServiceSettings, isLive: Bool, manager: ServiceManager) {
    self.manager = manager
    input = settings.input
    address = settings.metrics
    state = Mutex(State(liveness: Liveness(expectsAudio: isLive, longestJob: settings.longestJob)))
  }

  /// Begins to serve the pages, where they are asked for.
  func serve() throws {
    guard let address else { return }
    if !address.isLoopback { Log.warning("metrics: whoever reaches \(address) can read them") }
    let server = try StatusServer(address) { [self] in page(at: $0) }
    Log.note("metrics at http://\(server.address)/metrics, health at http://\(server.address)/health")
    self.server.withLock { $0 = server }
  }

  /// Begins to watch, where somebody wants to know.
  func start() throws {
    guard address != nil || manager.watchdog != nil else { return }
    try DetachedThread.start { [self] in watch() }
  }

  /// The service listens for `keywords`: it has begun to, or goes on with a new configuration.
  func ready(_ keywords: [String], isReload: Bool) {
    if isReload { metrics.reloads.add() }
    state.withLock { state in
      state.keywords = keywords
      state.told = Self.words(state)
      manager.tell(.ready, .status(state.told))
    }
  }

  /// The configuration is being read anew.
  func reloading() {
    manager.tell(
      .reloading(at: UInt64(MonotonicClock.now() * 1e6)), .status("reading the configuration anew"))
  }

  /// The new configuration was refused; the old one stays.
  func refused() {
    metrics.failedReloads.add()
    state.withLock { manager.tell(.ready, .status($0.told)) }
  }

  /// The service is about to end.
  func stopping() {
    state.withLock { $0.isStopping = true }
    manager.tell(.stopping, .status("stopping"))
  }

  /// Looks at the signs of life, tells the manager what has changed, and that the service lives.
  private func watch() {
    let patience = manager.watchdog ?? .infinity
    var next = MonotonicClock.now()
    while true {
      let isWell = look().allSatisfy { !$0.isFatal }
      let now = MonotonicClock.now()
      if isWell, now >= next {
        if manager.watchdog != nil { manager.tell(.watchdog) }
        next = now + patience / 2
      }
      MonotonicClock.sleep(until: now + min(Self.interval, patience / 8))
    }
  }

  /// - Returns: what is wrong now.
  @discardableResult
  private func look() -> [Liveness.Trouble] {
    let now = MonotonicClock.now()
    return state.withLock { state in
      let wasWell = state.troubles.isEmpty
      state.troubles = state.isStopping ? [] : state.liveness.observe(heartbeat.signs(at: now), at: now)
      if state.troubles.isEmpty != wasWell {
        state.told = Self.words(state)
        manager.tell(.status(state.told))
        if let trouble = state.troubles.first, trouble.isFatal { Log.error(trouble.message) }
      }
      return state.troubles
    }
  }

  private static func words(_ state: State) -> String {
    state.troubles.first?.message ?? "listening for \(state.keywords.joined(separator: ", "))"
  }

  private func page(at path: String) -> StatusServer.Page? {
    switch path {
    case "/metrics":
      StatusServer.Page(
        type: "text/plain; version=0.0.4; charset=utf-8", text: metrics.exposition(version: "\(Version.text)")
      )
    case "/health": health
    default: nil
    }
  }

  private var health: StatusServer.Page {
    let troubles = look()
    let keywords = state.withLock { $0.keywords }
    let report: JSON = .object([
      JSON.Member("status", .string(troubles.isEmpty ? "ok" : "failing")),
      JSON.Member("problems", .array(troubles.map { .string($0.message) })),
      JSON.Member("input", .string(input)),
      JSON.Member("keywords", .array(keywords.map { .string($0) })),
      JSON.Member("heard", .rounded(AudioFormat.seconds(metrics.heard.value), digits: 2)),
      JSON.Member("up", .rounded(MonotonicClock.now() - metrics.began, digits: 2)),
      JSON.Member("version", .string("\(Version.text)")),
    ])
    return StatusServer.Page(
      status: troubles.isEmpty ? 200 : 503, type: "application/json", text: "\(report)\n")
  }
}

extension ServiceMetrics {
  /// Counts what an event tells.
  func note(_ event: AssistantEvent, keywords: [Keyword]) {
    switch event.kind {
    case .wake(let wake, _): keywords.first { $0.name == wake.keyword }?.wakes.add()
    case .transcript: transcripts.add()
    case .idle(let reason): end(reason.rawValue)
    case .error: errors.add()
    case .ready, .listening, .partial, .intent, .prompt, .action, .reply, .device: break
    }
  }

  /// Counts what an answer tells of a failure.
  func note(_ input: AssistantInput) {
    switch input {
    case .recognitionFailed: fail(.recognition)
    case .understandingFailed: fail(.understanding)
    case .handlingFailed: fail(.handling)
    default: break
    }
  }
}
