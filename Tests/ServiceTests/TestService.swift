import Assistant
import AudioCapture
import Configuration
import Dialogue
import Glibc
import Platform
import RemoteServices
import Service
import SpeechSynthesis
import Supervision
import Testing
import Understanding

/// The service of fake parts, in the test's process, with its events in a pipe.
final class TestService: @unchecked Sendable {
  let queue: EventQueue
  let supervisor: ServiceSupervisor
  let loop: ServiceLoop
  let surroundings: ServiceComponents.Surroundings
  private let reading: Int32
  private let writing: Int32
  private static let standardIntents = try? IntentFile.standard()

  convenience init(
    _ steps: [FakeSource.Step], pacing: Pacing = .file, recognizer: FakeRecognizer = FakeRecognizer(),
    handler: FakeHandler = FakeHandler(), intents: IntentFile? = nil,
    settings: ServiceSettings = ServiceSettings(),
    outputLimit: Int = 100, isOutputFull: Bool = false, live: LiveTap? = nil
  ) throws {
    try self.init(
      FakeSource(steps), pacing: pacing, recognizer: recognizer, handler: handler, intents: intents,
      settings: settings, outputLimit: outputLimit, isOutputFull: isOutputFull, live: live)
  }

  init(
    _ source: FakeSource, pacing: Pacing = .file, recognizer: FakeRecognizer = FakeRecognizer(),
    handler: FakeHandler = FakeHandler(), intents: IntentFile? = nil,
    settings: ServiceSettings = ServiceSettings(),
    outputLimit: Int = 100, isOutputFull: Bool = false, live: LiveTap? = nil
  ) throws {
    var settings = settings
    settings.events = .json
    queue = try EventQueue()
    supervisor = ServiceSupervisor(
      settings, isLive: false, manager: ServiceManager(environment: { _ in nil }))
    surroundings = ServiceComponents.Surroundings(
      queue: queue, pacing: pacing, metrics: supervisor.metrics, heartbeat: supervisor.heartbeat)
    var ends: [Int32] = [0, 0]
    socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends)
    (reading, writing) = (ends[0], ends[1])
    let lines = [UInt8](repeating: UInt8(ascii: "\n"), count: 65_536)
    while isOutputFull, send(writing, lines, lines.count, Int32(MSG_DONTWAIT)) > 0 {}
    source.heard = supervisor.metrics.stream.heard
    let events = EventOutput(queue, metrics: supervisor.metrics, descriptor: writing, limit: outputLimit)
    try events.start()
    let components = try Self.components(
      settings, recognizer: recognizer, handler: handler, intents: intents, surroundings: surroundings)
    loop = try ServiceLoop(
      source: source, pacing: pacing, components: components, bridge: nil, events: events, queue: queue,
      supervisor: supervisor, live: live)
  }

  deinit {
    close(reading)
    close(writing)
  }

  /// Components with their threads started.
  static func components(
    _ settings: ServiceSettings, recognizer: FakeRecognizer = FakeRecognizer(),
    handler: FakeHandler = FakeHandler(), spotter: FakeSpotter = FakeSpotter(), intents: IntentFile? = nil,
    surroundings: ServiceComponents.Surroundings
  ) throws -> ServiceComponents {
    let understander = try Understander(#require(intents ?? standardIntents))
    let worker = ConversationWorker(
      recognizer, RemoteDialogue(try DialogueStateMachine(understander)), handler,
      metrics: surroundings.metrics, heartbeat: surroundings.heartbeat, surroundings.queue)
    let components = ServiceComponents(
      settings: settings, spotter: spotter, worker: worker,
      output: AssistantOutput(SpeechOutput(nil), hasSounds: false, surroundings.queue),
      recorder: ClipRecorder(nil, limit: settings.keepLimit, clock: .wall))
    try components.start()
    return components
  }

  /// Ends the service as SIGTERM does.
  func stop() {
    queue.post(.stop)
    loop.listener.stop()
  }

  /// Runs the service to its end.
  ///
  /// - Returns: its events.
  func run() throws -> [JSON] {
    try loop.run()
    return try events()
  }

  /// Runs the service on a thread of its own and returns what ended it.
  func start() throws -> JobQueue<String> {
    let ended = JobQueue<String>()
    try DetachedThread.start { [self] in
      do {
        try loop.run()
        ended.append("")
      } catch {
        ended.append("\((error as? any Fault)?.message ?? "\(error)")")
      }
    }
    return ended
  }

  /// The events so far.
  func events() throws -> [JSON] {
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(reading, &block, block.count, Int32(MSG_DONTWAIT))
      guard count > 0 else { break }
      bytes += block[..<count]
    }
    return try bytes.split(separator: UInt8(ascii: "\n")).map {
      try JSON(parsing: Array($0), what: "an event")
    }
  }

  /// Waits for an event of this name.
  ///
  /// - Returns: all events up to then.
  func wait(for name: String, count: Int = 1) throws -> [JSON] {
    var found: [JSON] = []
    let deadline = MonotonicClock.now() + 20
    while found.count(where: { $0["event"]?.string == name }) < count {
      var request = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
      poll(&request, 1, 1_000)
      found += try events()
      try #require(MonotonicClock.now() < deadline, "no event '\(name)' among \(found)")
    }
    return found
  }
}

extension [JSON] {
  /// The names of the events, without `partial`.
  var names: [String] { compactMap { $0["event"]?.string }.filter { $0 != "partial" } }
}

/// One command from the hotword to the silence behind it.
let command: [FakeSource.Step] = [.silence(1), .hotword, .silence(0.2), .speech(1), .silence(2)]
/// Its events.
let conversation = ["wake", "listening", "transcript", "intent", "action", "reply", "idle"]
