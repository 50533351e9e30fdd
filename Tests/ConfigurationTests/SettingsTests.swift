import CommandLineParsing
import Configuration
import Glibc
import HotwordProgram
import Platform
import TestServers
import Testing

/// Settings from files and command lines, and what is wrong with them.
@Suite(.limited) struct SettingsTests {
  /// The package's folder.
  private static let root = String(#filePath.dropLast("/Tests/ConfigurationTests/SettingsTests.swift".count))
  private static let shipped = "\(root)/Packaging/config.yaml"

  private func file(_ text: String) throws -> String {
    let path = "\(PythonServer.temporaryFolder("settings"))/config.yaml"
    try Files.write(Array(text.utf8), to: path)
    return path
  }

  private func load(_ words: String..., search: [String] = []) throws -> LoadedSettings {
    let command = try #require(CommandList.all.first { $0.name == "run" })
    return LoadedSettings(
      try Arguments(words, for: command.definition), search: ConfigurationSearch(files: search))
  }

  private func load(_ text: String) throws -> LoadedSettings { try load("--config", file(text)) }

  @Test func theShippedFileHoldsTheDefaults() throws {
    let loaded = try load("--config", Self.shipped)
    #expect(loaded.faults.map(\.message) == [])
    #expect(loaded.settings == ServiceSettings())
  }

  @Test func eachOfSeveralGetsItsTime() throws {
    let text = "recognizer-timeout: 5\nhandler-timeout: 3\nhandlers: ['mqtt://a', 'https://b/x', print]\n"
    let one = try load(text).settings
    #expect(
      !one.hasOnlyRemoteRecognizers && one.cycle.recognitionTimeout == 7 && one.cycle.handlingTimeout == 11)
    let servers = try load(text + "recognizer: ['vosk:ws://a:1', 'command:x']\n").settings
    #expect(servers.hasOnlyRemoteRecognizers && servers.cycle.recognitionTimeout == 17)
    let both = try load(text + "recognizer: ['vosk:ws://a:1', builtin]\n").settings
    #expect(!both.hasOnlyRemoteRecognizers && both.cycle.recognitionTimeout == 12)
  }

  @Test func anEmptySiteOfTheBrokerIsReportedWithItsPosition() throws {
    let fix = "the site of the broker is empty; write ',site=NAME', or leave it out for 'default'"
    let loaded = try load("models: [jarvis]\nhermes: mqtt://localhost,user=a,site=\n")
    let file = try #require(loaded.file)
    #expect(loaded.faults.map(\.message) == ["\(file):2:33: \(fix)"])
    #expect(loaded.settings.hermes == nil)
    #expect(try load("--hermes", "mqtt://localhost,site=").faults.map(\.message) == ["--hermes: \(fix)"])
    #expect(try load("hermes: mqtt://localhost,site=attic\n").faults.isEmpty)
  }

  @Test func theShippedFileHoldsEveryKey() throws {
    let text = String(decoding: try Files.read(Self.shipped), as: UTF8.self)
    let lines = text.split(separator: "\n").map { line in
      // A key that is commented out: "# key: value".
      let isKey = line.hasPrefix("# ") && ServiceSettings.keys.contains { line.hasPrefix("# \($0): ") }
      return isKey ? String(line.dropFirst(2)) : String(line)
    }
    let keys = lines.filter { !$0.hasPrefix("#") }.compactMap {
      $0.split(separator: ":").first.map(String.init)
    }
    #expect(keys.sorted() == ServiceSettings.keys.sorted())
    let loaded = try load(lines.joined(separator: "\n"))
    #expect(loaded.faults.map(\.message) == [])
    #expect(loaded.settings.metrics?.port == 9464)
    #expect(loaded.settings.keep == "/var/lib/hotword/clips")
  }

  private func satellite(_ words: String..., search: [String] = []) throws -> SatelliteSettings {
    let command = try #require(CommandList.all.first { $0.name == "satellite" })
    return try SatelliteSettings(
      Arguments(words, for: command.definition), search: ConfigurationSearch(files: search))
  }

  @Test func theShippedFileOfTheSatelliteHoldsEveryKeyAndTheDefaults() throws {
    let path = "\(Self.root)/Packaging/satellite.yaml"
    #expect(try satellite("--config", path) == SatelliteSettings())
    let text = String(decoding: try Files.read(path), as: UTF8.self)
    for key in SatelliteSettings.keys {
      #expect(text.contains("\n\(key): ") != text.contains("\n# \(key): "), "\(key)")
    }
  }

  @Test func optionsOverrideTheFileOfTheSatellite() throws {
    let path = try file(
      "name: Hall\nallow: [10.0.0.1, 10.0.0.2]\nplayer: none\nzeroconf: true\nonly-voices: true\n")
    let settings = try satellite("--name", "Kitchen", "--model", "jarvis", search: [path])
    #expect(settings.name == "Kitchen" && settings.models == ["jarvis"] && settings.player == nil)
    #expect(settings.allowed == ["10.0.0.1", "10.0.0.2"] && settings.zeroconf == "" && settings.onlyVoices)
    let kept = try file("keep: clips\nkeep-limit: 20\nmetrics: 127.0.0.1:1\n")
    let recorded = try satellite("--keep-limit", "5MB", "--metrics", "127.0.0.1:2", search: [kept])
    #expect(recorded.keep == "clips" && recorded.keepLimit == .megabytes(5))
    #expect(recorded.metrics?.port == 2 && recorded.shown.keep == "clips")
    #expect(try satellite("--player", "alsa:x", "--zeroconf=Den", search: [path]).zeroconf == "Den")
    #expect(try satellite().player == "default")
  }

  @Test(arguments: [
    ("modles: [a]", "1:1: unknown key 'modles'; did you mean models?"),
    ("player: loud", "1:9: player takes alsa:NAME or none"),
    ("echo-delay: 501", "1:13: echo-delay takes a number from 0 to 500"),
    ("name: ''", "1:7: name takes a text"), ("a: b: c", "1:5"),
  ])
  func faultsInTheFileOfTheSatelliteAreReportedWithTheirPlace(_ text: String, _ message: String) throws {
    let path = try file(text + "\n")
    let fault = thrown((any Error).self) { try satellite("--config", path) }
    #expect((fault as? any Fault)?.message.hasPrefix("\(path):\(message)") == true, "\(fault as Any)")
    #expect((fault as? any Fault)?.exitCode == .configuration)
  }

  @Test(arguments: [
    ("name: Hall\ninput: a.wav\n", true), ("input: a.wav\n", false),
    ("name: Hall\nhandlers: [print]\n", false),
    ("# nothing\n", false), ("a: b: c\n", false),
  ])
  func aFileIsASatellitesIfAKeyIsOnlyOfSatellites(_ text: String, _ isOne: Bool) throws {
    #expect(SatelliteSettings.areIn(try file(text)) == isOne)
  }

  @Test func everyFaultIsFoundWithItsPlace() throws {
    let loaded = try load("modles: [computer]\nsilence: 99\nvolume: 50\npace: maybe\nlog-level: chatty\n")
    let path = try #require(loaded.file)
    #expect(
      loaded.faults.map(\.message) == [
        "\(path):1:1: unknown key 'modles'; did you mean models?",
        "\(path):2:10: silence takes a number from 0.2 to 10",
        "\(path):4:7: pace takes true or false",
        "\(path):5:12: log-level takes error, warning, notice, info or debug",
      ])
    #expect(loaded.settings.volume == 50, "what is right is taken")
    #expect(throws: ConfigurationFault.self) { try loaded.checked() }
  }

  @Test func aFaultOfTheCommandLineIsOneOfThem() throws {
    let loaded = try load("--config", file("sensitivity: 2\n"), "--metrics", "somewhere")
    #expect(loaded.faults.count == 2)
    #expect(loaded.faults.last?.message.contains("127.0.0.1:9464") == true)
  }

  @Test func aPageThatOthersReachNeedsACertificate() throws {
    #expect(try load("web: true\n").checked().web == .standard)
    #expect(try load("web: false\n").checked().web.endpoint == nil)
    #expect(try load("web: '[::1]:80'\n").checked().web.endpoint?.description == "[::1]:80")
    for address in ["0.0.0.0:80", "192.168.1.2:80", "[::]:80"] {
      let loaded = try load("web: '\(address)'\n")
      #expect(loaded.faults.count == 1, "\(address)")
      #expect(loaded.faults.first?.message.contains("of the loopback interface") == true)
      let protected = try load("web: '\(address)'\nweb-certificate: c.pem\nweb-key: k.pem\n").checked().web
      #expect(protected.tokenFile?.hasSuffix("/web.token") == true)
    }
    #expect(try load("web: somewhere\n").faults.count == 1)
    let none = try file("volume: 1\n")
    #expect(try load("--config", none, "--web").checked().web.endpoint?.address?.port == 10_480)
    #expect(try load("--config", none, "--web=127.0.0.1:1").checked().web.endpoint?.address?.port == 1)
    #expect(try load("--config", none, "--web=0.0.0.0:1").faults.count == 1)
  }

  @Test func aSocketNeedsATokenAndACertificateNeedsItsKey() throws {
    let socket = try load("web: unix:///run/page.sock\nweb-name: [kitchen.example, pi]\n").checked().web
    #expect(socket.endpoint == .socket(path: "/run/page.sock"))
    #expect(socket.tokenFile?.hasSuffix("/web.token") == true)
    #expect(socket.names == ["kitchen.example", "pi"])
    #expect(try load("web: true\n").checked().web.tokenFile == nil)
    #expect(try load("web: true\nweb-token: t.txt\n").checked().web.tokenFile == "t.txt")
    #expect(
      try load("web: true\nweb-key: k.pem\n").faults.first?.message
        == "web-key has no certificate; add web-certificate")
    #expect(try load("web: true\nweb-name: 'a:1'\n").faults.count == 1)
  }

  @Test func aFileOfCommentsHoldsTheDefaults() throws {
    #expect(try load("# nothing is set\n").checked() == ServiceSettings())
  }

  @Test(arguments: ["", "- computer\n", "computer\n", "a: [\n", "a: &x 1\nb: *x\n"])
  func whatIsNoMappingIsRefused(_ text: String) throws {
    let loaded = try load(text)
    #expect(loaded.faults.count == 1)
    #expect(loaded.faults.first?.exitCode == .configuration)
  }

  @Test func theCommandLineOverridesTheFile() throws {
    let path = try file("models: [alexa]\nsilence: 2\nlog: json\n")
    let settings = try load("--config", path, "--model", "jarvis", "--log", "plain").checked()
    #expect(settings.models == ["jarvis"])
    #expect(settings.silence == 2)
    #expect(settings.log == .plain)
  }

  @Test func theFirstFileThatExistsIsRead() throws {
    let first = try file("volume: 1\n")
    let second = try file("volume: 2\n")
    #expect(try load(search: ["/nonexistent", first, second]).settings.volume == 1)
    #expect(try load(search: ["/nonexistent"]).file == nil)
    let named = try load("--config", second, search: [first])
    #expect(named.settings.volume == 2 && named.isNamed)
  }

  @Test func theUsersFileGoesBeforeTheSystems() {
    func files(_ environment: [String: String]) -> [String] {
      ConfigurationSearch.standard { environment[$0] }.files
    }
    let system = "/etc/hotword/config.yaml"
    #expect(files(["HOME": "/home/ann"]) == ["/home/ann/.config/hotword/config.yaml", system])
    #expect(files(["HOME": "/home/ann", "XDG_CONFIG_HOME": "/c"]) == ["/c/hotword/config.yaml", system])
    #expect(
      files(["XDG_CONFIG_HOME": "relative", "HOME": "/h"]) == ["/h/.config/hotword/config.yaml", system])
    // Without HOME, the folder in the list of users.
    #expect(files([:]).count == 2 && files([:])[0].hasSuffix("/.config/hotword/config.yaml"))
  }
}
