import AudioCapture
import Glibc
import PCM
import Platform
import TestServers
import Testing

/// The satellite with a simulated Home Assistant, by the package that Home Assistant uses.
@Suite(.limited, .needsProgram, .serialized, .enabled(if: WakeServer.hasClient, "needs python3 with wyoming"))
struct SatelliteTests {
  /// Room, then the command, then room.
  static let stream: [Int16] = {
    var random = RandomSource(seed: 11)
    func room(_ seconds: Double) -> [Int16] {
      (0..<AudioFormat.samples(seconds)).map { _ in Int16(random.next() % 41) - 20 }
    }
    return room(3) + Recordings.order + room(6)
  }()

  struct Course {
    let server: WakeServer
    let events: [JSON]
    /// The messages to Home Assistant.
    let audio: [Int16]
  }

  static func course(
    _ stream: [Int16], _ behaviour: String, _ words: [String] = ["--player", "none"],
    environment: String = "",
    played: String = ""
  ) throws -> Course {
    let folder = Program.temporaryFolder()
    let server = try WakeServer(
      ["--name", "Kitchen", "--input", "-", "--pace"] + words, command: "satellite", environment: environment,
      isFed: true)
    // The audio begins once Home Assistant has taken the satellite, however long Python needs to start.
    let program = server.program
    try DetachedThread.start {
      guard Waiting.until({ Files.exists("\(folder)/heard.ready") }) else { return }
      program.write(stream)
      program.closeInput()
    }
    let answer = try Recordings.wave(Array(Recordings.order.prefix(8_000)))
    let events = try WakeServer.client(
      "wyoming_home.py",
      [server.uri, "\(folder)/heard", answer, behaviour] + (played.isEmpty ? [] : [played]))
    let bytes = try Files.read("\(folder)/heard")
    let audio = stride(from: 0, to: bytes.count - 1, by: 2).map {
      Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
    }
    return Course(server: server, events: events, audio: audio)
  }

  /// The path of a configuration of ALSA whose device `out` writes to `played.raw`.
  static func configuration(playingInto folder: String) throws -> String {
    let device = """
      pcm.nothing { type null }
      pcm.out { type file slave.pcm nothing file "\(folder)/played.raw" format raw }
      """
    return try Program.file("asound.conf", Array(device.utf8))
  }

  private static func types(_ events: [JSON]) -> [String] {
    events.compactMap { $0["type"]?.string }.filter { $0 != "ping" && $0 != "pong" }
  }

  /// What a program at the control socket reads until the satellite ends; it writes `words` one after the other.
  private static func reader(_ path: String, _ words: [String], into file: String) throws {
    let script = "\(Program.root)/Tests/TestServers/Scripts/satellite_control.py"
    let line = (["python3", script, path] + words).map(Program.quoted).joined(separator: " ")
    try DetachedThread.start {
      guard Waiting.until({ Files.exists(path) }) else { return }
      _ = try? Program.shell("\(line) >\(file)")
    }
  }

  private static func events(in file: String) throws -> [JSON] {
    let lines = try Files.read(file).split(separator: UInt8(ascii: "\n"))
    return try lines.map { try JSON(parsing: Array($0)) }
  }

  @Test func theControlSocketTellsWhatHappens() throws {
    let folder = Program.temporaryFolder()
    let configuration = try Self.configuration(playingInto: folder)
    try Self.reader("\(folder)/control", [], into: "\(folder)/told")
    let course = try Self.course(
      Self.stream, "answers", ["--player", "alsa:out", "--control", "unix://\(folder)/control"],
      environment: "ALSA_CONFIG_PATH=\(configuration)", played: "\(folder)/played.raw")
    _ = course.server.terminate()
    _ = Waiting.until { (try? Self.events(in: "\(folder)/told").last?["event"]) == "disconnected" }
    let events = try Self.events(in: "\(folder)/told")
    let names = events.compactMap { $0["event"]?.string }
    #expect(names.first == "unmuted")
    // Home Assistant may connect before or after the program.
    #expect(names.prefix { $0 != "wake" }.last == "connected")
    #expect(
      names.drop { $0 != "wake" } == [
        "wake", "listening", "thinking", "transcript", "speaking", "idle", "disconnected",
      ])
    let wake = try #require(events.first { $0["event"] == "wake" })
    #expect(wake["keyword"] == "computer" && wake["speaker"] == .null && (wake["time"]?.number ?? 0) > 3)
    #expect(!Files.exists("\(folder)/control"))
  }

  /// A player of noise on a private PulseAudio server, whose volumes `volumes` gets while `body` runs.
  @Test(.enabled(if: Room.isThere, "no pulseaudio"))
  func otherPlayersAreTurnedDownUntilTheAnswerHasEnded() throws {
    let folder = Program.temporaryFolder()
    let configuration = try Self.configuration(playingInto: folder)
    let pulse = "XDG_RUNTIME_DIR=\(folder) PULSE_SERVER=unix:\(folder)/native"
    try DetachedThread.start {
      _ = try? Program.shell(
        """
        cd \(folder); export \(pulse)
        pulseaudio -n --daemonize=no --exit-idle-time=-1 --use-pid-file=no --realtime=no \
          -L "module-native-protocol-unix socket=\(folder)/native auth-anonymous=1" -L "module-null-sink" >pulse.log 2>&1 &
        server=$!
        while ! pactl info >pulse.log 2>&1; do sleep 0.1; done
        pacat --raw </dev/zero & player=$!
        while ! pactl list short sink-inputs | grep -q .; do sleep 0.1; done
        pactl set-sink-input-volume 0 80%
        touch playing
        until [ -e over ]; do pactl list sink-inputs | grep -o '[0-9]*%' | head -1 >>volumes; sleep 0.1; done
        kill $player $server; wait
        """, timeout: 120)
    }
    defer { try? Files.write([], to: "\(folder)/over") }
    try #require(Waiting.until { Files.exists("\(folder)/playing") })
    let course = try Self.course(
      Self.stream, "answers", ["--player", "alsa:out", "--duck", "25"],
      environment: "ALSA_CONFIG_PATH=\(configuration) \(pulse)", played: "\(folder)/played.raw")
    func volumes() throws -> [String] {
      let lines = String(decoding: try Files.read("\(folder)/volumes"), as: UTF8.self).split(separator: "\n")
      return lines.map(String.init).reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    }
    _ = Waiting.until { (try? volumes()) == ["80%", "20%", "80%"] }
    #expect(try volumes() == ["80%", "20%", "80%"])
    #expect(course.server.terminate() == 0)
  }

  @Test func wordsAndSignalsMuteTheMicrophone() throws {
    let folder = Program.temporaryFolder()
    let server = try WakeServer(
      ["--input", "-", "--player", "none", "--control", "unix://\(folder)/control"], command: "satellite",
      isFed: true)
    try Self.reader("\(folder)/control", ["mute", "unmute", "sing"], into: "\(folder)/told")
    _ = Waiting.until { (try? Self.events(in: "\(folder)/told").count) == 5 }
    kill(server.process, SIGUSR2)
    _ = Waiting.until { (try? Self.events(in: "\(folder)/told").count) == 6 }
    #expect(server.terminate() == 0)
    let events = try Self.events(in: "\(folder)/told")
    #expect(
      events.compactMap { $0["event"]?.string } == [
        "unmuted", "disconnected", "muted", "unmuted", "error", "muted",
      ])
    #expect(events[4]["message"] == "unknown word 'sing'; use one of wake, mute, unmute, stop")
  }

  @Test func audioFromTheEndOfTheHotwordIsSentAndTheAnswerPlayed() throws {
    let folder = Program.temporaryFolder()
    let configuration = try Self.configuration(playingInto: folder)
    let course = try Self.course(
      Self.stream, "answers", ["--player", "alsa:out"], environment: "ALSA_CONFIG_PATH=\(configuration)",
      played: "\(folder)/played.raw")
    #expect(Self.types(course.events) == ["info", "other", "detection", "run-pipeline", "played", "heard"])
    let pong = course.events.first { $0["type"] == "pong" }
    #expect(pong?["text"] == "me")
    let info = try #require(course.events.first)
    #expect(info["satellite"]?["name"] == "Kitchen")
    #expect(info["wake"]?.array?.first?["models"]?.array?.first?["name"] == "computer")
    let other = course.events.first { $0["type"] == "other" }
    #expect(other?["seen"] == ["info", "pong", nil])
    let pipeline = course.events.first { $0["type"] == "run-pipeline" }
    #expect(pipeline?["start_stage"] == "asr" && pipeline?["end_stage"] == "tts")
    #expect(course.events.last?["format"] == [16_000, 2, 1])

    let found = try Program.run(["detect", "--model", "computer", try Recordings.wave(Self.stream)]).objects
    let end = AudioFormat.samples(try #require(found.first?["end"]?.number))
    let first = (end - 20...end + 20).first { start in
      course.audio.count > 32_000 && Self.stream[start...].starts(with: course.audio)
    }
    #expect(first != nil, "not the stream from the hotword's end on, once and whole")

    let played = try Files.read("\(folder)/played.raw")
    let answer = Recordings.order.prefix(8_000).flatMap {
      [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)]
    }
    #expect(played.starts(with: answer))
    #expect(course.server.messages.contains("transcript: 'turn on the light'"))
    #expect(course.server.terminate() == 0)
  }

  @Test func withoutSpeechAfterTheHotwordNoPipelineRuns() throws {
    // The hotword followed by silence.
    let words =
      Array(Self.stream.prefix(AudioFormat.samples(3 + 1.42))) + Self.stream.suffix(AudioFormat.samples(6))
    let course = try Self.course(words, "silent", ["--player", "none", "--no-speech-timeout", "2"])
    #expect(Self.types(course.events) == ["info", "other", "detection", "heard"])
    #expect(course.audio.isEmpty)
    #expect(course.server.messages.contains("no speech"))
  }

  @Test func silenceAfterTheCommandEndsItWithoutATranscript() throws {
    let course = try Self.course(Self.stream, "unanswered")
    #expect(
      Self.types(course.events) == ["info", "other", "detection", "run-pipeline", "audio-stop", "heard"])
    #expect(course.server.messages.contains("the speech has ended"))
    // The command lasts 1.4 s after the hotword, and the room after it is 6 s long.
    #expect((3.5...5.5).contains(AudioFormat.seconds(course.audio.count)), "\(course.audio.count)")
  }

  @Test func theEnrolledVoiceIsToldAndWithOnlyVoicesNoOtherIsHeard() throws {
    let data = Program.temporaryFolder()
    let words = ["--player", "none", "--only-voices"]
    try EnrollTests.enroll("bob", EnrollTests.otherClips(), in: data)
    let strange = try Self.course(Self.stream, "silent", words, environment: "XDG_DATA_HOME=\(data)")
    #expect(!Self.types(strange.events).contains("detection"))
    #expect(strange.server.messages.contains("computer was said by a voice that is not enrolled"))
    try EnrollTests.enroll("ann", EnrollTests.clips(), in: data)
    let known = try Self.course(Self.stream, "unanswered", words, environment: "XDG_DATA_HOME=\(data)")
    #expect(known.events.first { $0["type"] == "detection" }?["speaker"] == "ann")
    #expect(known.server.messages.contains(", said by ann"))
  }

  @Test(.enabled(if: Flite.isThere, "needs flite"), arguments: [true, false])
  func withOnlyVoicesAnOrderByAnotherVoiceIsNotCarriedOut(_ isOwn: Bool) throws {
    let data = Program.temporaryFolder()
    try EnrollTests.enroll("ann", EnrollTests.spokenClips("slt"), in: data)
    let said = try EnrollTests.spoken(hotword: "slt", order: isOwn ? "slt" : "rms")
    let course = try Self.course(
      said, "unanswered", ["--player", "none", "--only-voices"], environment: "XDG_DATA_HOME=\(data)")
    // Home Assistant carries out nothing of an order without its end.
    let end = isOwn ? ["audio-stop"] : []
    #expect(
      Self.types(course.events) == ["info", "other", "detection", "run-pipeline"] + end + ["heard"])
    #expect(course.server.messages.contains("the order does not sound like ann") != isOwn)
  }

  @Test func anAnnouncementEndsTheCommand() throws {
    let course = try Self.course(Self.stream, "announces")
    #expect(Self.types(course.events) == ["info", "other", "detection", "run-pipeline", "played", "heard"])
    #expect(AudioFormat.seconds(course.audio.count) < 2, "\(course.audio.count)")
  }

  @Test(
    arguments: [
      (["--uri", "stdio://"], "unix:///PATH", 64), (["--player", "loud"], "alsa:NAME or none", 64),
      (["--name", ""], "--name", 64), (["--input", "/nonexistent.wav"], "/nonexistent.wav", 66),
      (["--uri", "10700"], "tcp://HOST:PORT", 78), (["--metrics", "here"], "ADDRESS:PORT", 64),
      (["--keep-limit", "0"], "a number of clips", 64),
    ] as [([String], String, Int32)])
  func wrongOptionsAreReportedInOneLine(_ words: [String], _ part: String, _ code: Int32) throws {
    let uri = words.contains("--uri") ? [] : ["--uri", "tcp://127.0.0.1:0"]
    let outcome = try Program.run(["satellite"] + uri + words)
    #expect(outcome.code == code && outcome.output.isEmpty)
    #expect(outcome.onlyError?.contains(part) == true, "\(outcome.errors)")
  }
}
