import Platform
import TestServers
import Testing

/// Everything together with a real Home Assistant: `serve` recognizes and understands, a satellite of each protocol listens and plays.
///
/// It must run on this machine, with `default_config` or what Assist needs, and be started again when it ends.
@Suite(
  .limited(minutes: 15), .needsProgram, .serialized,
  .enabled(
    if: RealHome.isNamed,
    "set HOTWORD_HOMEASSISTANT to the address of a Home Assistant on this machine, and HOTWORD_HOMEASSISTANT_KEY to a file with its access token"
  ))
struct RealHomeTests {
  private static let ownSentences = """
    language: en
    intents:
      HassTurnOff:
        data:
          - sentences: ["turn [the] {name} off"]
            requires_context: {domain: light}
      HassStartTimer:
        data:
          - sentences: ["set [a] timer for {seconds} seconds"]
    lists:
      seconds: {range: {from: 1, to: 60}}
    responses:
      intents:
        HassTurnOff: {default: "Turned off"}
        HassStartTimer: {default: Started}
    """

  private let home: RealHome
  private let folder = Program.temporaryFolder()

  init() throws {
    home = try RealHome()
    try Files.write(Array(Self.ownSentences.utf8), to: "\(folder)/own.yaml")
  }

  private func serve(at uri: String = "tcp://127.0.0.1:0") throws -> WakeServer {
    try WakeServer([
      "--uri", uri, "--homeassistant", home.address, "--key", home.keyFile, "--recognizer", "builtin",
      "--sentences", "\(Program.root)/Tests/HomeAssistantTests/Fixtures", "--custom-sentences", folder,
    ])
  }

  /// A satellite with its entities in Home Assistant.
  private struct Room {
    let satellite: RealSatellite
    let entity: String
    let mute: String
    let pipelines: [String]
    let light: String
    let home: RealHome

    init(_ satellite: RealSatellite, entry: String, light: String, _ home: RealHome) throws {
      self.satellite = satellite
      self.light = light
      self.home = home
      entity = try #require(try home.entities(of: entry, "assist_satellite").first)
      mute = try #require(try home.entities(of: entry, "switch").first)
      pipelines = try home.entities(of: entry, "select").filter { $0.contains("assistant") }
    }

    func isReady() -> Bool {
      Waiting.until(within: 120) { satellite.isConnected && home.state(of: entity) == "idle" }
    }

    /// Says something, and waits for these events, then for the end of the answer.
    func say(_ text: String, until events: [String]) throws -> Bool {
      let before = satellite.events.count
      try satellite.say(text)
      return Waiting.until {
        let new = satellite.events.dropFirst(before)
        return events.allSatisfy { new.contains($0) } && new.last != "speaking"
      }
    }

    func turnsTheLightOnAndOff() throws {
      for (text, state) in [("turn on the porch light", "on"), ("turn the porch light off", "off")] {
        let isAnswered = try say("computer, \(text)", until: ["transcript", "idle"])
        try #require(isAnswered, "\(satellite.server.messages)")
        let isDone = Waiting.until(within: 10) { home.state(of: light) == state }
        try #require(isDone, "\(satellite.server.messages)")
      }
    }

    /// The hotword by the enrolled voice, an order by another.
    func refusesAnotherVoice() throws {
      let before = satellite.events.count
      try satellite.say("computer")
      try satellite.say("turn on the porch light", voice: "awb")
      let isRefused = Waiting.until { satellite.events.dropFirst(before).contains("error") }
      try #require(isRefused, "\(satellite.server.messages)")
      #expect(!Waiting.until(within: 5) { home.state(of: light) == "on" })
      #expect(!satellite.events.dropFirst(before).contains("transcript"))
    }

    func isHeardAgain(after event: String) throws {
      #expect(isReady(), "not connected after the restart of \(event): \(satellite.server.messages)")
      try turnsTheLightOnAndOff()
    }

    func ringsATimer() throws {
      #expect(
        try say(
          "computer, set a timer for five seconds", until: ["timer started", "timer finished", "idle"]),
        "\(satellite.events)")
      // A timer rings for a minute; the hotword ends that.
      #expect(try say("computer", until: ["wake", "idle"]))
    }

    func announces() throws {
      let before = satellite.events.count
      try home.call(
        "assist_satellite.announce", ["entity_id": .string(entity), "message": "dinner is ready"])
      #expect(Waiting.until { Array(satellite.events.dropFirst(before)) == ["speaking", "idle"] })
    }

    func ignoresTheHotwordWhileMuted() throws {
      try home.call("switch.turn_on", ["entity_id": .string(mute)])
      #expect(Waiting.until { home.state(of: mute) == "on" })
      // Home Assistant pauses a satellite of the Wyoming protocol a moment later.
      #expect(
        Waiting.until { satellite.events.last == "muted" || satellite.server.messages.contains("paused") })
      let before = satellite.events.count
      try satellite.say("computer, turn on the porch light")
      #expect(!Waiting.until(within: 5) { home.state(of: light) == "on" })
      #expect(!satellite.events.dropFirst(before).contains("listening"))
      try home.call("switch.turn_off", ["entity_id": .string(mute)])
      #expect(Waiting.until { home.state(of: mute) == "off" && isReady() })
      try turnsTheLightOnAndOff()
    }
  }

  /// A home whose pipeline uses `serve`, with a light and a satellite of each protocol.
  private final class Setting {
    let light: String
    var server: WakeServer
    private let voice: PythonServer
    private(set) var rooms: [Room] = []

    init(_ home: RealHome, _ server: WakeServer, satellites words: [String] = [], data: String? = nil) throws
    {
      self.server = server
      light = try home.addLight("Porch Light")
      voice = try PythonServer("wyoming_tts.py", ["tcp://127.0.0.1:0"], modules: ["wyoming"])
      let port = try #require(server.uri.split(separator: ":").last.flatMap { Int($0) })
      let speech = try home.addWyoming(port)
      let tone = try home.addWyoming(voice.port)
      let engines = try [
        home.entities(of: speech, "stt"), home.entities(of: speech, "conversation"),
        home.entities(of: tone, "tts"),
      ].map { try #require($0.first) }
      #expect(try home.entities(of: speech, "wake_word").count == 1)
      try home.addPipeline(
        "hotword test", hearing: engines[0], understanding: engines[1], speaking: engines[2])

      let wyoming = try RealSatellite(["--name", "Test Kitchen"] + words, data: data)
      let esphome = try RealSatellite(
        ["--esphome", "--name", "Test Hall", "--key", "FOLDER/my.key"] + words, data: data)
      let key = String(
        decoding: try Files.read("\(esphome.folder)/my.key").filter { $0 > 32 }, as: UTF8.self)
      rooms = try [
        Room(wyoming, entry: home.addWyoming(wyoming.port), light: light, home),
        Room(esphome, entry: home.addESPHome(esphome.port, key: key), light: light, home),
      ]
      for room in rooms {
        try #require(room.isReady(), "\(room.satellite.server.messages)")
        try home.select("hotword test", of: room.pipelines)
      }
    }

    func end() {
      #expect(server.terminate() == 0)
      for room in rooms { #expect(room.satellite.end() == 0) }
    }
  }

  private func clear() throws {
    try #require(PythonServer.python(with: RealHome.modules) != nil, "needs python3 with websockets, wyoming")
    try home.removeLeftovers(["Porch Light", "Test Kitchen", "Test Hall"], pipeline: "hotword test")
  }

  @Test func withOnlyVoicesOrdersByOthersChangeNothingByBothProtocols() throws {
    try clear()
    defer { #expect(throws: Never.self) { try home.clear() } }
    let data = Program.temporaryFolder()
    try EnrollTests.enroll("ann", EnrollTests.spokenClips("slt"), in: data)
    let words = ["--model", "computer", "--only-voices"]
    let setting = try Setting(home, serve(), satellites: words, data: data)
    for room in setting.rooms {
      try room.refusesAnotherVoice()
      #expect(room.isReady(), "not connected after an order by another voice")
      try room.turnsTheLightOnAndOff()
    }
    setting.end()
  }

  @Test func ordersTimersAndAnnouncementsWorkByBothProtocolsAndAfterRestarts() throws {
    try clear()
    defer { #expect(throws: Never.self) { try home.clear() } }
    let setting = try Setting(home, serve())
    let (kitchen, hall) = (setting.rooms[0], setting.rooms[1])
    for room in [kitchen, hall] {
      try room.turnsTheLightOnAndOff()
      try room.ringsATimer()
      try room.announces()
      try room.ignoresTheHotwordWhileMuted()
    }
    try self.expectStartedConversation(in: hall)

    for room in [kitchen, hall] { #expect(try room.satellite.restart() == 0) }
    for room in [kitchen, hall] { try room.isHeardAgain(after: "the satellites") }
    #expect(setting.server.terminate() == 0)
    setting.server = try serve(at: setting.server.uri)
    for room in [kitchen, hall] { try room.isHeardAgain(after: "serve") }
    try home.restart()
    for room in [kitchen, hall] { try room.isHeardAgain(after: "Home Assistant") }
    setting.end()
  }

  /// Home Assistant asks, and is answered without the hotword. Only ESPHome's native API has this.
  private func expectStartedConversation(in room: Room) throws {
    let satellite = room.satellite
    let before = satellite.events.count
    try home.call(
      "assist_satellite.start_conversation",
      ["entity_id": .string(room.entity), "start_message": "which light", "preannounce": false])
    #expect(Waiting.until { satellite.events.dropFirst(before).contains("wake") })
    try satellite.say("turn on the porch light")
    #expect(Waiting.until { home.state(of: room.light) == "on" })
    #expect(satellite.events.dropFirst(before).prefix(3) == ["speaking", "idle", "wake"])
    #expect(Waiting.until { satellite.events.last == "idle" })
  }
}
