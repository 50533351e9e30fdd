import AudioCapture
import Glibc
import PCM
import Platform
import TestServers
import Testing

/// The satellite by ESPHome's native API with a simulated Home Assistant, by the package that Home Assistant uses.
@Suite(
  .limited, .needsProgram, .serialized,
  .enabled(if: SatelliteDevice.hasClient, "needs python3 with aioesphomeapi"))
struct ESPHomeTests {
  private static let stream: [Int16] = {
    var random = RandomSource(seed: 11)
    func room(_ seconds: Double) -> [Int16] {
      (0..<AudioFormat.samples(seconds)).map { _ in Int16(random.next() % 41) - 20 }
    }
    return room(3) + Recordings.order + room(6)
  }()

  /// A command without the hotword, eight times, with a second of the room between.
  private static let commands: [Int16] = {
    let one = Recordings.order.dropFirst(AudioFormat.samples(1.5)) + stream.prefix(AudioFormat.samples(1))
    return (0..<8).flatMap { _ in one }
  }()

  private static func events(_ lines: [JSON], _ type: String) -> [JSON] {
    lines.filter { $0["type"]?.string == type }
  }

  @Test(arguments: [true, false])
  func theDeviceIsDescribed(_ isEncrypted: Bool) throws {
    let satellite = try SatelliteDevice(isEncrypted: isEncrypted)
    let lines = try satellite.home("info")
    let device = try #require(Self.events(lines, "device").first)
    #expect(device["name"] == "living-room" && device["friendly"] == "Living Room")
    #expect(device["features"] == 63 && device["project"] == "hotword.satellite")
    #expect(device["mac"]?.string?.hasPrefix("02:") == true)
    #expect(
      Self.events(lines, "entity").compactMap { $0["id"]?.string } == [
        "mute", "media_player", "volume", "wake_word_1_sensitivity", "wake_word_2_sensitivity",
      ])
    #expect(Self.events(lines, "state").count == 5)
    let words = try #require(Self.events(lines, "words").first)
    #expect(words["active"] == ["computer"] && words["limit"] == 2)
    #expect(words["available"]?.array?.contains(["alexa", "alexa"]) == true)
    #expect(satellite.server.terminate() == 0)
  }

  @Test func settingsAreChangedAndKept() throws {
    let satellite = try SatelliteDevice()
    let changes = try satellite.home("settings").drop { $0["type"] != "changes" }
    let words = try #require(Self.events(Array(changes), "words").first)
    #expect(words["active"] == ["jarvis", "computer"])
    func last(_ key: Int) -> JSON? {
      changes.last { $0["type"] == "state" && $0["key"]?.number == Double(key) }
    }
    #expect(last(4)?["state"] == 0.75 && last(2)?["state"] == 1 && last(3)?["state"] == 50)
    #expect(last(1)?["volume"] == 0.5)
    #expect(satellite.server.terminate() == 0)
    let kept = try JSON(parsing: try Files.read("\(satellite.folder)/my.json"))
    #expect(kept["active"] == ["jarvis", "computer"] && kept["muted"] == .bool(true))
    #expect(kept["sensitivities"] == .object([JSON.Member("jarvis", 0.75)]) && kept["volume"] == 0.5)
  }

  @Test(.enabled(if: Flite.isThere, "needs flite"), arguments: [true, false])
  func withOnlyVoicesAnOrderByAnotherVoiceIsAborted(_ isOwn: Bool) throws {
    let data = Program.temporaryFolder()
    try EnrollTests.enroll("ann", EnrollTests.spokenClips("slt"), in: data)
    let satellite = try SatelliteDevice(
      ["--model", "computer", "--only-voices"], plays: false, environment: "XDG_DATA_HOME=\(data)")
    try satellite.listen(EnrollTests.spoken(hotword: "slt", order: isOwn ? "slt" : "rms"))
    let stop = try #require(Self.events(try satellite.home("listens"), "stop").first)
    #expect(stop["abort"] == .bool(!isOwn))
    #expect(satellite.server.messages.contains("the order does not sound like ann") != isOwn)
  }

  @Test(arguments: [true, false])
  func aCommandIsSentAndTheAnswerPlayed(_ isEncrypted: Bool) throws {
    let satellite = try SatelliteDevice(isEncrypted: isEncrypted)
    try satellite.listen(Self.stream)
    let answer = try Recordings.wave(Array(Recordings.order.prefix(8_000)))
    let lines = try satellite.home("assistant", [answer])
    #expect(lines.compactMap { $0["type"]?.string } == ["start", "finished", "end"])
    #expect(lines.first?["phrase"] == "computer" && lines[1]["success"] == .bool(true))
    try Self.expectCommand(in: satellite)
    let played = try Files.read("\(satellite.folder)/played.raw")
    #expect(played.starts(with: Self.bytes(Recordings.order.prefix(8_000))))
    #expect(satellite.server.messages.contains("transcript: 'turn on the light'"))
    #expect(satellite.server.terminate() == 0)
  }

  private static func bytes(_ samples: ArraySlice<Int16>) -> [UInt8] {
    samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
  }

  /// What was sent is the stream from the end of the hotword on, once and whole.
  private static func expectCommand(in satellite: SatelliteDevice) throws {
    let bytes = try Files.read("\(satellite.folder)/heard")
    let heard = stride(from: 0, to: bytes.count - 1, by: 2).map {
      Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
    }
    let found = try Program.run(["detect", "--model", "computer", try Recordings.wave(stream)]).objects
    let end = AudioFormat.samples(try #require(found.first?["end"]?.number))
    let first = (end - 20...end + 20).first { heard.count > 30_000 && stream[$0...].starts(with: heard) }
    #expect(first != nil)
  }

  @Test func anAnswerAtAnAddressIsFetched() throws {
    let satellite = try SatelliteDevice()
    try satellite.listen(Self.stream)
    let files = try Files.read(Recordings.wave(Array(Recordings.order.prefix(8_000))))
    let server = try AudioServer(files)
    let lines = try satellite.home("url", [server.address])
    #expect(lines.compactMap { $0["type"]?.string } == ["start", "finished", "end"])
    let played = try Files.read("\(satellite.folder)/played.raw")
    #expect(played.starts(with: Self.bytes(Recordings.order.prefix(8_000))))
    #expect(satellite.server.terminate() == 0)
  }

  @Test func aConversationContinues() throws {
    let satellite = try SatelliteDevice()
    // The command is said again and again, without the hotword: the answer takes longer on a busy machine.
    try satellite.listen(Self.stream.prefix(AudioFormat.samples(8.4)) + Self.commands)
    let answer = try Recordings.wave(Array(Recordings.order.prefix(8_000)))
    let lines = try satellite.home("continues", [answer])
    #expect(lines.compactMap { $0["type"]?.string } == ["start", "finished", "start", "finished", "end"])
    let second = Self.events(lines, "start").last
    #expect(second?["phrase"] == .null && second?["conversation"] == "c1")
    #expect(satellite.server.terminate() == 0)
  }

  @Test func anAnnouncementStartsAConversation() throws {
    let satellite = try SatelliteDevice(["--no-speech-timeout", "20"])
    try satellite.listen(Self.stream.prefix(AudioFormat.samples(3)) + Self.commands)
    let server = try AudioServer(try Files.read(Recordings.wave(Array(Recordings.order.prefix(8_000)))))
    let lines = try satellite.home("announce", [server.address])
    #expect(Self.events(lines, "announced").first?["success"] == .bool(true))
    #expect(Self.events(lines, "start").count == 1)
    #expect(satellite.server.terminate() == 0)
  }

  @Test func anAnnouncementThatCannotBeFetchedIsReported() throws {
    let satellite = try SatelliteDevice()
    let lines = try satellite.home("unfetched", ["http://127.0.0.1:9/none.wav"])
    #expect(Self.events(lines, "announced").first?["success"] == .bool(false))
    #expect(satellite.server.messages.contains("cannot be played: 127.0.0.1:9"))
    #expect(satellite.server.terminate() == 0)
  }

  @Test func aHomeAssistantThatReturnsBeforeItsOldConnectionEndsIsServedAfterIt() throws {
    let satellite = try SatelliteDevice()
    try satellite.listen(Self.stream)
    let lines = try satellite.home("returns")
    #expect(lines.compactMap { $0["type"]?.string } == ["start", "end"])
    #expect(satellite.server.messages.contains("waits: another client uses the voice assistant"))
    #expect(satellite.server.terminate() == 0)
  }

  @Test func anExpiredTimerRings() throws {
    let satellite = try SatelliteDevice()
    try satellite.listen(Array(Self.stream.prefix(AudioFormat.samples(2))))
    _ = try satellite.home("timer")
    #expect(try Files.read("\(satellite.folder)/played.raw").contains { $0 != 0 })
  }

  @Test func mediaIsPlayed() throws {
    let satellite = try SatelliteDevice()
    let server = try AudioServer(try Files.read(Recordings.wave(Array(Recordings.order.prefix(16_000)))))
    let lines = try satellite.home("media", [server.address])
    let states = lines.drop { $0["type"] != "plays" }.filter { $0["key"] == 1 }.compactMap {
      $0["state"]?.number
    }
    #expect(states == [2, 1])
    let played = try Files.read("\(satellite.folder)/played.raw")
    #expect(played.starts(with: Self.bytes(Recordings.order.prefix(16_000))))
    #expect(satellite.server.terminate() == 0)
  }

  @Test func anotherKeyIsRefusedWithTheReason() throws {
    let satellite = try SatelliteDevice()
    let other = String(repeating: "A", count: 43) + "="
    let refused = try satellite.home("refused", key: other)
    #expect(refused.first?["error"] == "InvalidEncryptionKeyAPIError")
    #expect(satellite.server.messages.contains("has another encryption key; enter the key there"))
    let plain = try satellite.home("refused", key: "-")
    #expect(plain.first?["error"] == "RequiresEncryptionAPIError")
    #expect(satellite.server.messages.contains("connects without encryption; enter the key there"))
    #expect(try satellite.home("refused").first?["type"] == "connected")
    #expect(satellite.server.terminate() == 0)
  }

  @Test func encryptionIsRefusedWhereItIsOff() throws {
    let satellite = try SatelliteDevice(isEncrypted: false)
    let refused = try satellite.home("refused", key: String(repeating: "A", count: 43) + "=")
    #expect(refused.first?["error"] == "EncryptionPlaintextAPIError")
    #expect(satellite.server.messages.contains("connects with encryption, which is off here"))
    #expect(satellite.server.terminate() == 0)
  }

  /// Each connection that breaks the protocol ends with one line in the log; another client is served meanwhile.
  @Test func floodsAndInvalidFramesEndTheirConnectionOnly() throws {
    let satellite = try SatelliteDevice(isEncrypted: false)
    let lines = try satellite.home("floods")
    #expect(
      Self.events(lines, "closed").compactMap { $0["name"]?.string } == [
        "flood", "oversized", "garbage", "early", "broken",
      ])
    #expect(Self.events(lines, "device").first?["name"] == "living-room")
    let messages = satellite.server.messages
    for reason in [
      "sends more than 200 messages a second", "sent a frame of 65536 bytes; the limit is 65535",
      "sent no frame of ESPHome's native API: it begins with the byte 71", "did not begin with a hello",
      "sent a message of type 92 that is not protobuf",
    ] {
      #expect(messages.split(separator: "\n").filter { $0.contains(reason) }.count == 1, "\(messages)")
    }
    #expect(satellite.server.terminate() == 0)
  }

  @Test func theKeyIsShown() throws {
    let folder = Program.temporaryFolder()
    let words = ["satellite", "--show-key", "--key", "\(folder)/my.key"]
    let outcome = try Program.run(words)
    let key = String(decoding: try Files.read("\(folder)/my.key").dropLast(), as: UTF8.self)
    #expect(outcome.code == 0 && outcome.lines.first == key && key.utf8.count == 44)
    // 33 modules and margins of 4, two rows a line.
    #expect(outcome.lines.filter { $0.contains("█") }.allSatisfy { $0.count == 41 })
    #expect(outcome.lines.filter { $0.contains("█") }.count == 21)
    #expect(try Program.run(words).lines == outcome.lines)
  }
}
