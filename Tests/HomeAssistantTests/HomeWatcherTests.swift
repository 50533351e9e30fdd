import HomeAssistant
import Networking
import Platform
import Synchronization
import TestServers
import Testing

/// A home that is followed: read again when a name changes, and after Home Assistant was away.
@Suite(
  .limited, .enabled(if: PythonServer.python(with: ["websockets"]) != nil, "needs python3 with websockets"))
struct HomeWatcherTests {
  /// What a watcher told so far.
  private final class News: Sendable {
    private let names = Mutex<[[String]]>([])
    private let faults = Mutex<[HomeAssistantFault]>([])

    init(_ port: Int, _ timing: HomeWatcher.Timing) throws {
      let watcher = HomeWatcher(timing) { () throws(HomeAssistantFault) in
        try HomeAssistantConnection(HomeWatcherTests.address(port), key: Secret("good"))
      }
      try watcher.start { home in
        self.names.withLock { $0.append(home.entities.map(\.name)) }
      } report: { fault in
        self.faults.withLock { $0.append(fault) }
      }
    }

    /// How often the home has been read.
    var readings: Int { names.withLock { $0.count } }
    var faultCount: Int { faults.withLock { $0.count } }

    func last(has name: String) -> Bool { names.withLock { $0.last?.contains(name) ?? false } }
  }

  private static func address(_ port: Int) -> WebAddress {
    guard let address = try? WebAddress("http://127.0.0.1:\(port)", schemes: ["http"], expected: "") else {
      preconditionFailure("an address")
    }
    return address
  }

  private static func server(_ behaviour: String = "answers", port: Int = 0, changes: String) throws
    -> PythonServer
  {
    try PythonServer("home_assistant.py", [behaviour, "\(port)", changes], modules: ["websockets"])
  }

  private static func rename(_ name: String, in changes: String) throws {
    try Files.write(Array(#"{"light.ceiling": "\#(name)"}"#.utf8), to: changes)
  }

  private static var timing: HomeWatcher.Timing {
    var timing = HomeWatcher.Timing()
    timing.quiet = 0.1
    timing.ping = 0.2
    timing.shortestPause = 0.1
    return timing
  }

  @Test func aChangedNameIsReadAtOnceAndNothingElseIs() throws {
    let changes = PythonServer.temporaryFolder() + "/names"
    let server = try Self.server(changes: changes)
    let news = try News(server.port, Self.timing)
    #expect(Waiting.until { news.last(has: "Ceiling Light") })
    // Pings are answered, and read nothing.
    #expect(Waiting.until { server.requests.count { $0["type"] == "ping" } > 3 })
    #expect(news.readings == 1)
    try Self.rename("Sun", in: changes)
    #expect(Waiting.until { news.last(has: "Sun") })
    #expect(news.readings == 2 && news.faultCount == 0)
  }

  @Test func theHomeIsReadFromTimeToTimeWithoutAChange() throws {
    let server = try Self.server(changes: "")
    var timing = Self.timing
    timing.reading = 0.3
    let news = try News(server.port, timing)
    #expect(Waiting.until { news.readings >= 3 })
  }

  @Test func namesAreNotReadBeforeHomeAssistantHasStarted() throws {
    let changes = PythonServer.temporaryFolder() + "/names"
    let server = try Self.server("starting", changes: changes)
    let news = try News(server.port, Self.timing)
    #expect(Waiting.until { server.requests.contains { $0["type"] == "ping" } })
    #expect(news.readings == 0 && news.faultCount == 0)
    try Self.rename("Sun", in: changes)
    #expect(Waiting.until { news.last(has: "Sun") })
  }

  @Test func eachFailedAttemptIsToldAndTheHomeIsReadAgainAfterALoss() throws {
    let changes = PythonServer.temporaryFolder() + "/names"
    var server: PythonServer? = try Self.server(changes: changes)
    let port = try #require(server?.port)
    let news = try News(port, Self.timing)
    #expect(Waiting.until { news.readings == 1 })
    server = nil
    #expect(Waiting.until { news.faultCount >= 2 })
    try Self.rename("Sun", in: changes)
    server = try Self.server(port: port, changes: changes)
    #expect(Waiting.until { news.last(has: "Sun") })
    withExtendedLifetime(server) {}
  }
}
