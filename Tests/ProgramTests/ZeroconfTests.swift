import Platform
import TestServers
import Testing

/// The announcements of servers, found by Avahi's own tools.
@Suite(.limited, .needsProgram, .serialized) struct ZeroconfTests {
  @Test(
    .enabled(
      if: AvahiDaemon.isPossible, "needs root, avahi-daemon, avahi-utils and dbus, and no daemon running"))
  func theServerIsFoundByNameAlsoAfterARestartOfTheDaemon() throws {
    let daemon = try AvahiDaemon()
    let environment = "DBUS_SYSTEM_BUS_ADDRESS=\(daemon.bus)"
    let open = ["--uri", "tcp://127.0.0.1:0", "--uri", "tcp://0.0.0.0:0", "--model", "computer"]
    let server = try WakeServer(open + ["--zeroconf=Upper hall"], environment: environment)
    let mark = try #require(server.messages.firstRange(of: "0.0.0.0:"))
    let port = server.messages[mark.upperBound...].prefix(while: \.isNumber)
    #expect(Waiting.until { server.messages.contains("announced as 'Upper hall'") })
    #expect(try daemon.found("_wyoming._tcp") == ["Upper\\032hall \(port)"])
    let other = try WakeServer(open + ["--zeroconf", "Upper hall"], environment: environment)
    #expect(Waiting.until { other.messages.contains("announced as 'Upper hall #2'") }, "\(other.messages)")
    #expect(other.terminate() == 0)
    daemon.stop()
    try daemon.start()
    #expect(try Waiting.until { try daemon.found("_wyoming._tcp") == ["Upper\\032hall \(port)"] })
    #expect(server.terminate() == 0)
    #expect(try Waiting.until { try daemon.found("_wyoming._tcp").isEmpty })
  }

  @Test(
    .enabled(
      if: AvahiDaemon.isPossible, "needs root, avahi-daemon, avahi-utils and dbus, and no daemon running"))
  func aVoiceDeviceIsAnnouncedWithWhatHomeAssistantReads() throws {
    let daemon = try AvahiDaemon()
    let server = try WakeServer(
      [
        "--esphome", "--name", "Kitchen", "--uri", "tcp://0.0.0.0:0", "--input", "-", "--player", "none",
        "--key", "\(Program.temporaryFolder())/my.key",
      ], command: "satellite", environment: "DBUS_SYSTEM_BUS_ADDRESS=\(daemon.bus)", isFed: true)
    #expect(Waiting.until { server.messages.contains("announced as 'kitchen'") }, "\(server.messages)")
    let records = try #require(try daemon.records("_esphomelib._tcp"))
    for text in [
      "friendly_name=Kitchen", "mac=02", "api_encryption=Noise_NNpsk0_25519_ChaChaPoly_SHA256",
      "platform=HOST",
    ] {
      #expect(records.contains("\"\(text)"), "\(records)")
    }
    #expect(server.terminate() == 0)
  }

  @Test func withoutTheDaemonOneLineSuggestsTheFix() throws {
    let line =
      "DBUS_SYSTEM_BUS_ADDRESS=unix:path=/nonexistent hotword serve --uri tcp://0.0.0.0:0 --zeroconf"
    let outcome = try Program.shell(line)
    #expect(outcome.code == 69 && outcome.onlyError?.contains("avahi-daemon") == true, "\(outcome.errors)")
  }

  @Test(arguments: [
    ["--uri", "unix:///tmp/hotword-announce", "--zeroconf"], ["--uri", "tcp://127.0.0.1:0", "--zeroconf"],
    ["--uri", "tcp://0.0.0.0:0", "--zeroconf="],
    ["--uri", "tcp://0.0.0.0:0", "--zeroconf=" + String(repeating: "x", count: 64)],
  ])
  func anInvalidAnnouncementIsAUsageFault(_ words: [String]) throws {
    let outcome = try Program.run(["serve"] + words)
    #expect(outcome.code == 64 && outcome.onlyError?.contains("--zeroconf") == true, "\(outcome.errors)")
    #expect(!Files.exists("/tmp/hotword-announce"))
  }
}
