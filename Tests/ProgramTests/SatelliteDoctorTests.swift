import Platform
import TestServers
import Testing

/// `hotword doctor` with the settings of a satellite.
@Suite(.limited, .needsProgram) struct SatelliteDoctorTests {
  /// A file that has a key of satellites only, a recording as the microphone, and no loudspeaker.
  private func file(_ text: String = "") throws -> String {
    let lines = "unencrypted: true\ninput: \(Program.recording)\n\(text)\n"
    let player = text.contains("player:") ? "" : "player: none\n"
    let uri = text.contains("uri:") ? "" : "uri: tcp://127.0.0.1:0\n"
    return try Program.file("satellite.yaml", Array((lines + player + uri).utf8))
  }

  private func doctor(_ words: String..., environment: String = "") throws -> (code: Int32, lines: [JSON]) {
    let line = words.map(Program.quoted).joined(separator: " ")
    let outcome = try Program.shell("\(environment) hotword doctor --json \(line)")
    return (outcome.code, try outcome.objects)
  }

  private func finding(_ check: String, _ state: String, in lines: [JSON]) -> String? {
    lines.first { $0["check"]?.string == check && $0["state"]?.string == state }?["message"]?.string
  }

  @Test func aNamedFileOfASatelliteIsCheckedAsOne() throws {
    let (code, lines) = try doctor("--config", try file())
    #expect(code == 0, "\(lines)")
    #expect(
      lines.compactMap { $0["check"]?.string }.filter { $0 != "permission" } == [
        "settings", "devices", "input", "sound", "hotword", "real time", "memory", "model", "address", "home",
      ])
    let shipped = try doctor("--no-input", "--config", "Packaging/satellite.yaml")
    #expect(finding("settings", "ok", in: shipped.lines) == "Packaging/satellite.yaml", "\(shipped.lines)")
    let service = try doctor("--no-input", "--config", "Packaging/config.yaml")
    #expect(finding("intents", "ok", in: service.lines) != nil, "\(service.lines)")
  }

  @Test func theStandardFileIsCheckedOnRequestOrIfThereIsNoOther() throws {
    let folder = Program.temporaryFolder()
    try Files.createFolder("\(folder)/hotword", mode: 0o700)
    let text = "name: Kitchen\ninput: \(Program.recording)\nplayer: none\nuri: tcp://127.0.0.1:0\n"
    try Files.write(Array(text.utf8), to: "\(folder)/hotword/satellite.yaml")
    let environment = "XDG_CONFIG_HOME=\(folder)"
    let only = try doctor("--no-input", environment: environment)
    #expect(finding("address", "ok", in: only.lines) != nil, "\(only.lines)")
    try Files.write(Array("pace: false\n".utf8), to: "\(folder)/hotword/config.yaml")
    let service = try doctor("--no-input", environment: environment)
    #expect(finding("address", "ok", in: service.lines) == nil, "\(service.lines)")
    let requested = try doctor("--no-input", "--satellite", environment: environment)
    #expect(finding("address", "ok", in: requested.lines) != nil, "\(requested.lines)")
  }

  @Test func eachFaultIsReportedInOneLineWithTheFix() throws {
    let key = try Program.file("my.key", Array("no key\n".utf8))
    for (text, check, part, code) in [
      ("player: alsa:no-such-card", "player", "no-such-card", 69),
      ("models: [computre]", "model", "computer", 66),
      ("uri: 10700", "address", "tcp://HOST:PORT", 78),
      ("allow: [home]", "address", "an IP address", 78),
      ("only-voices: true", "voices", "hotword enroll", 78),
      ("keep: \(key)/clips", "keep", "create it for the user", 77),
      ("nmae: Kitchen", "settings", "did you mean name?", 78),
    ] as [(String, String, String, Int32)] {
      let found = try doctor("--satellite", "--config", try file(text))
      let message = finding(check, "fault", in: found.lines)
      #expect(message?.contains(part) == true, "\(text): \(found.lines)")
      #expect(found.code == code, "\(text): \(found)")
    }
    let secret = try Program.file(
      "satellite.yaml",
      Array(
        "esphome: true\nkey: \(key)\nplayer: none\ninput: \(Program.recording)\nuri: tcp://127.0.0.1:0\n".utf8
      ))
    let found = try doctor("--config", secret)
    #expect(finding("key", "fault", in: found.lines)?.contains("remove the file") == true, "\(found.lines)")
  }

  @Test func theMissingAvahiDaemonIsAFaultOnlyIfAnOptionRequiresIt() throws {
    let environment = "DBUS_SYSTEM_BUS_ADDRESS=unix:path=/nonexistent"
    let required = try doctor("--config", try file("zeroconf: true"), environment: environment)
    #expect(finding("zeroconf", "fault", in: required.lines)?.contains("avahi-daemon") == true, "\(required)")
    #expect(required.code == 69)
    let text = "esphome: true\nplayer: none\ninput: \(Program.recording)\nuri: tcp://127.0.0.1:0\n"
    let path = try Program.file("satellite.yaml", Array(text.utf8))
    let found = try doctor("--config", path, environment: environment)
    #expect(finding("zeroconf", "warning", in: found.lines)?.contains("avahi-daemon") == true, "\(found)")
    #expect(found.code == 0 && finding("key", "ok", in: found.lines)?.contains("first start") == true)
  }

  @Test func aPortInUseIsAFaultUnlessASatelliteIsRunningThere() throws {
    let other = try WakeServer(["--model", "computer", "--wake-only"])
    let taken = try doctor("--config", try file("uri: \(other.uri)"))
    #expect(finding("address", "fault", in: taken.lines)?.contains("already in use") == true, "\(taken)")
    #expect(taken.code == 69)
    for protocolWords in [
      [], ["--esphome", "--unencrypted"], ["--esphome", "--key", "\(Program.temporaryFolder())/k"],
    ] {
      let satellite = try WakeServer(
        ["--input", "-", "--player", "none", "--metrics", "127.0.0.1:0"] + protocolWords,
        command: "satellite",
        isFed: true)
      _ = Waiting.until { satellite.program.statusPort != nil }
      let port = try #require(satellite.program.statusPort)
      var text = "uri: \(satellite.uri)\nmetrics: 127.0.0.1:\(port)"
      if !protocolWords.isEmpty { text += "\nesphome: true" }
      if protocolWords.contains("--key") { text += "\nkey: \(protocolWords[2])" }
      var lines = try String(decoding: Files.read(file(text)), as: UTF8.self)
      if protocolWords.contains("--key") { lines = lines.replacing("unencrypted: true\n", with: "") }
      let running = try doctor("--config", try Program.file("satellite.yaml", Array(lines.utf8)))
      #expect(
        finding("address", "ok", in: running.lines) == "a satellite is running at \(satellite.uri)",
        "\(running)")
      #expect(
        finding("home", "warning", in: running.lines)?.contains("is not connected") == true, "\(running)")
      #expect(satellite.terminate() == 0)
    }
  }

  @Test func homeAssistantIsSearchedAtItsAddress() throws {
    let path = try file("uri: tcp://0.0.0.0:0\nallow: 127.0.0.9")
    let missing = try doctor("--config", path)
    #expect(missing.code == 0)
    #expect(
      finding("home", "warning", in: missing.lines)?.hasPrefix("127.0.0.9: no program answers at port 8123")
        == true, "\(missing)")
    let outcome = try Program.shell(
      """
      python3 -m http.server 8123 --bind 127.0.0.9 >/dev/null 2>&1 & server=$!
      until curl -so /dev/null http://127.0.0.9:8123; do sleep 0.1; done
      hotword doctor --json --config \(path); kill $server
      """)
    #expect(
      finding("home", "ok", in: try outcome.objects) == "Home Assistant answers at 127.0.0.9", "\(outcome)")
  }

  @Test func aSatelliteThatAnyoneMayUseIsAWarning() throws {
    let found = try doctor("--config", try file("uri: tcp://0.0.0.0:0"))
    #expect(finding("address", "warning", in: found.lines)?.contains("--allow") == true, "\(found)")
  }
}
