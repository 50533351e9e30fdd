import AudioCapture
import Glibc
import PCM
import Platform
import TestServers
import Testing

/// What a satellite has in common with the service: clips, `/metrics`, `/health` and the watchdog.
@Suite(.limited, .needsProgram, .serialized) struct SatelliteServiceTests {
  private static let pages = ["--metrics", "127.0.0.1:0"]

  /// The command, and a room that is quiet for long enough to look at the pages.
  private static let stream = SatelliteTests.stream + Array(SatelliteTests.stream.suffix(96_000)) * 4

  private func page(_ path: String, of program: RunningProgram) throws -> String {
    _ = Waiting.until { program.statusPort != nil }
    let port = try #require(program.statusPort)
    return try Program.shell("curl -sw '%{http_code}' http://127.0.0.1:\(port)/\(path)").output
  }

  private func mode(_ path: String) -> mode_t {
    var status = Glibc.stat()
    stat(path, &status)
    return status.st_mode & 0o777
  }

  @Test(.enabled(if: WakeServer.hasClient, "needs python3 with wyoming"))
  func aHotwordThatOpensACommandIsKept() throws {
    let folder = "\(Program.temporaryFolder())/clips"
    let course = try SatelliteTests.course(
      SatelliteTests.stream, "unanswered", ["--player", "none", "--keep", folder])
    #expect(course.server.terminate() == 0)
    #expect(course.server.messages.contains("stores the audio of detections and near misses in \(folder)"))
    let clips = try KeepTests.Kept.all(in: folder).filter { $0.kind == "wake" }
    let clip = try #require(clips.first)
    #expect(clips.count == 1 && clip.keyword == "computer")
    #expect(mode(clip.path) == 0o600 && mode(folder) == 0o700)

    let recording = try Recordings.wave(SatelliteTests.stream)
    let found = try #require(try Program.run(["detect", "--model", "computer", recording]).objects.first)
    let end = AudioFormat.samples(try #require(found["end"]?.number))
    let kept = try AudioFile.read(clip.path)
    let last = (end - 20...end + 20).first { end in
      kept == Array(SatelliteTests.stream[max(0, end - 80_000)..<end + 16_000])
    }
    #expect(last != nil, "not the audio from 5 s before the hotword's end to 1 s after it")
    let listed = try Program.run(["review", folder, "--list"])
    #expect(listed.code == 0 && listed.output.contains("computer  wake"), "\(listed)")
  }

  @Test(.enabled(if: WakeServer.hasClient, "needs python3 with wyoming"))
  func aNearMissIsKept() throws {
    let folder = Program.temporaryFolder()
    let near = try KeepTests.nearMiss()
    let samples = try AudioFile.read(near.path)
    let course = try SatelliteTests.course(samples, "silent", ["--player", "none", "--keep", folder])
    #expect(Waiting.until { (try? KeepTests.Kept.all(in: folder).isEmpty) == false })
    #expect(course.server.terminate() == 0)
    let clips = try KeepTests.Kept.all(in: folder)
    #expect(clips.map(\.kind) == ["near-miss"])
    #expect(abs((clips.first?.score ?? 0) - near.peak) <= 0.000_5)
    #expect(try AudioFile.read(try #require(clips.first).path) == samples)
  }

  @Test func nothingIsKeptWithoutHomeAssistant() throws {
    let folder = Program.temporaryFolder()
    let outcome = try Program.run([
      "satellite", "--uri", "tcp://127.0.0.1:0", "--input", Program.recording, "--player", "none", "--keep",
      folder,
    ])
    #expect(outcome.code == 0 && outcome.errors.contains("detected computer"), "\(outcome)")
    #expect(try Files.list(below: folder).isEmpty)
  }

  @Test(.enabled(if: WakeServer.hasClient, "needs python3 with wyoming"))
  func theMetricsCountWhatHappens() throws {
    let folder = Program.temporaryFolder()
    let configuration = try SatelliteTests.configuration(playingInto: folder)
    let course = try SatelliteTests.course(
      Self.stream, "answers", ["--player", "alsa:out"] + Self.pages,
      environment: "ALSA_CONFIG_PATH=\(configuration)", played: "\(folder)/played.raw")
    let program = course.server.program
    #expect(Waiting.until { program.metric("hotword_home_assistant_connected") == 0 })
    for (name, value) in [
      ("hotword_wakes_total{keyword=\"computer\"}", 1), ("hotword_commands_total", 1),
      ("hotword_streams_total", 1), ("hotword_transcripts_total", 1), ("hotword_replies_total", 1),
      ("hotword_errors_total", 0), ("hotword_connections_total", 1), ("hotword_overruns_total", 0),
      ("hotword_near_misses_total{keyword=\"computer\"}", 0), ("hotword_device_up", 1),
      ("hotword_detecting", 1),
    ] as [(String, Double)] { #expect(program.metric(name) == value, "\(name)") }
    #expect((program.metric("hotword_audio_seconds_total") ?? 0) > 5)
    let health = try page("health", of: program)
    #expect(
      health.hasPrefix(#"{"status":"ok","problems":[],"input":"-","keywords":["computer"],"#), "\(health)")
    #expect(health.hasSuffix("\"connected\":false}\n200"), "\(health)")
    #expect(course.server.terminate() == 0)
  }

  /// strace delays each system call of the main thread, which listens; the other threads go on.
  @Test(.enabled(if: SystemCalls.canBeTraced, "strace cannot trace"))
  func aListeningThreadThatHangsFailsTheHealthAndTheWatchdog() throws {
    let socket = try NotifyListener()
    let server = try WakeServer(
      ["--input", "-", "--pace", "--player", "none"] + Self.pages, command: "satellite",
      environment: "NOTIFY_SOCKET='\(socket.name)' WATCHDOG_USEC=2000000", isFed: true)
    let program = server.program
    #expect(try page("health", of: program).hasSuffix("\n200"))
    #expect(socket.datagrams(2).first == "READY=1\nSTATUS=listening for computer")
    let words = "strace -qq -o /dev/null -e inject=all:delay_enter=60000000 -p \(program.process)"
    let tracer = ChildProcess.start(["/bin/sh", "-c", "exec \(words)"]) { _ in }
    let strace = try #require(tracer)
    let hung = try Waiting.until { try page("health", of: program).hasSuffix("\n503") }
    let health = try page("health", of: program)
    let lives = socket.datagrams.filter { $0.text == "WATCHDOG=1" }.count
    usleep(2_500_000)
    #expect(hung && health.contains("the listening loop has been stuck for"), "\(health)")
    #expect(socket.datagrams.filter { $0.text == "WATCHDOG=1" }.count == lives)
    kill(strace, SIGKILL)
    waitpid(strace, nil, 0)
    #expect(try Waiting.until { try page("health", of: program).hasSuffix("\n200") })
    #expect(server.terminate() == 0)
  }

  @Test(.enabled(if: ScriptedDevice.isBuilt, "no C compiler or alsa headers to build the scripted device"))
  func aLostMicrophoneFailsTheHealthAndNotTheWatchdog() throws {
    let socket = try NotifyListener()
    let folder = try ScriptedDevice.folder()
    let server = try WakeServer(
      ["--input", "alsa:scripted", "--player", "none"] + Self.pages, command: "satellite",
      environment:
        "ALSA_CONFIG_PATH=\(folder)/asound.conf NOTIFY_SOCKET='\(socket.name)' WATCHDOG_USEC=1000000")
    let program = server.program
    #expect(program.waits(untilHeard: 1), "\(program.errors)")
    #expect(try page("health", of: program).hasSuffix("\n200"))
    try Files.write([], to: "\(folder)/script.gone")
    #expect(try Waiting.until { try page("health", of: program).hasSuffix("\n503") })
    #expect(try page("health", of: program).contains("the capture device has been lost"))
    #expect(program.metric("hotword_device_up") == 0 && program.metric("hotword_device_losses_total") == 1)
    let lives = socket.datagrams.filter { $0.text == "WATCHDOG=1" }.count
    #expect(Waiting.until { socket.datagrams.filter { $0.text == "WATCHDOG=1" }.count > lives })
    unlink("\(folder)/script.gone")
    #expect(try Waiting.until { try page("health", of: program).hasSuffix("\n200") })
    #expect(server.terminate() == 0)
  }

  @Test(
    .enabled(if: SatelliteDevice.hasClient, "needs python3 with aioesphomeapi"), arguments: [true, false])
  func aVoiceDeviceKeepsAndCounts(_ isEncrypted: Bool) throws {
    let folder = Program.temporaryFolder()
    let satellite = try SatelliteDevice(["--keep", folder] + Self.pages, isEncrypted: isEncrypted)
    let program = satellite.server.program
    #expect(try page("health", of: program).hasSuffix("\"connected\":false}\n200"))
    try satellite.listen(Self.stream)
    let answer = try Recordings.wave(Array(Recordings.order.prefix(8_000)))
    _ = try satellite.home("assistant", [answer])
    for (name, value) in [
      ("hotword_wakes_total{keyword=\"computer\"}", 1), ("hotword_streams_total", 1),
      ("hotword_transcripts_total", 1), ("hotword_replies_total", 1), ("hotword_connections_total", 1),
    ] as [(String, Double)] { #expect(program.metric(name) == value, "\(name)") }
    #expect(satellite.server.terminate() == 0)
    let clips = try KeepTests.Kept.all(in: folder).filter { $0.kind == "wake" }
    #expect(clips.map(\.keyword) == ["computer"])
  }
}

/// An array several times.
private func * (samples: [Int16], count: Int) -> [Int16] { (0..<count).flatMap { _ in samples } }
