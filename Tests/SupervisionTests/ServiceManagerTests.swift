import Supervision
import TestServers
import Testing

/// What a service manager hears, by a real datagram socket.
@Suite(.limited, .serialized) struct ServiceManagerTests {
  private func manager(_ environment: [String: String]) -> ServiceManager {
    ServiceManager(environment: { environment[$0] }, process: 42)
  }

  @Test(arguments: [false, true])
  func itHearsAllThatIsToldAtOnce(isAbstract: Bool) throws {
    let socket = try NotifyListener(isAbstract: isAbstract)
    let manager = manager(["NOTIFY_SOCKET": socket.name])
    manager.send(.ready, .status("listening for\ncomputer"))
    manager.send(.reloading(at: 1_500_000), .status("…"))
    manager.send(.stopping)
    manager.send(.watchdog)
    #expect(
      socket.datagrams(4) == [
        "READY=1\nSTATUS=listening for computer", "RELOADING=1\nMONOTONIC_USEC=1500000\nSTATUS=…",
        "STOPPING=1", "WATCHDOG=1",
      ])
  }

  @Test(arguments: ["", "relative", "@", "/" + String(repeating: "x", count: 200), "vsock:2:1234"])
  func aSocketThatIsNoneIsPassedOver(_ name: String) {
    let manager = manager(["NOTIFY_SOCKET": name, "WATCHDOG_USEC": "1000000"])
    manager.send(.ready)
    #expect(manager.watchdog == nil)
  }

  @Test func aManagerThatWentAwayHoldsNobodyUp() {
    manager(["NOTIFY_SOCKET": "/tmp/hotword-no-such-socket"]).send(.ready)
  }

  @Test func theWatchdogIsOursOrNobodys() {
    let ours = ["NOTIFY_SOCKET": "@x", "WATCHDOG_USEC": "10000000"]
    #expect(manager(ours).watchdog == 10)
    #expect(manager(ours.merging(["WATCHDOG_PID": "42"]) { $1 }).watchdog == 10)
    #expect(manager(ours.merging(["WATCHDOG_PID": "7"]) { $1 }).watchdog == nil)
    #expect(manager(ours.merging(["WATCHDOG_USEC": "0"]) { $1 }).watchdog == nil)
    #expect(manager(["WATCHDOG_USEC": "10000000"]).watchdog == nil)
  }
}
