import AudioCapture
import Glibc
import PCM
import Platform
import TestServers
import Testing

/// A device of alsa-lib that follows a script.
enum ScriptedDevice {
  private static let library = Program.temporaryFolder() + "/scripted.so"
  static let isBuilt: Bool = {
    let source = "\(Program.root)/Tests/AudioCaptureTests/Fixtures/scripted.c"
    let line = "$(command -v cc || command -v clang) -shared -fPIC -DPIC -O1 \(source) -lasound -o \(library)"
    return (try? Program.shell(line).code) == 0
  }()

  /// A new folder with the order for the device `scripted` to give, and `asound.conf`, which names it.
  static func folder() throws -> String {
    let folder = Program.temporaryFolder()
    let raw = try Files.read(try Recordings.raw(Recordings.order))
    try Files.write(raw, to: "\(folder)/script.raw")
    let configuration = """
      pcm_type.scripted { lib "\(library)" }
      pcm.scripted { type scripted script "\(folder)/script" }
      """
    try Files.write(Array(configuration.utf8), to: "\(folder)/asound.conf")
    return folder
  }
}

/// A microphone that is pulled out and put back.
@Suite(
  .limited, .needsProgram,
  .enabled(if: ScriptedDevice.isBuilt, "no C compiler or alsa headers to build the scripted device")
)
struct DeviceLossTests {
  /// The service on a device that gives the command.
  private func start(
    recognizer: String = "echo lights on", device: String = "scripted", _ folder: String
  ) throws -> RunningProgram {
    try RunningProgram(
      [
        "run", "--input", "alsa:\(device)", "--events", "json", "--recognizer", "command:\(recognizer)",
        "--metrics", "127.0.0.1:0",
      ], environment: "ALSA_CONFIG_PATH=\(folder)/asound.conf")
  }

  /// Takes the device away.
  private func remove(_ folder: String) throws {
    unlink("\(folder)/script.raw")
    try Files.write([], to: "\(folder)/script.gone")
  }

  /// Gives the device back, and ends the service once it listens again.
  private func restore(_ folder: String, _ service: RunningProgram) throws -> [JSON] {
    unlink("\(folder)/script.gone")
    #expect(service.waits(for: "overrun"))
    let outcome = try service.end(by: SIGINT)
    #expect(outcome.code == 0, "\(outcome.errors)")
    return try outcome.objects
  }

  private func names(_ events: [JSON]) -> [String] {
    events.compactMap { $0["state"]?.string ?? $0["event"]?.string }
  }

  @Test func anAnswerComesWhileTheMicrophoneIsGone() throws {
    let folder = try ScriptedDevice.folder()
    // The recognizer answers once the microphone is gone.
    let recognizer =
      "touch \(folder)/asked; until [ -e \(folder)/answer ]; do sleep 0.05; done; echo lights on"
    let service = try start(recognizer: recognizer, folder)
    #expect(Waiting.until { Files.exists("\(folder)/asked") }, "\(service.errors)")
    try remove(folder)
    #expect(service.waits(for: "lost"))
    try Files.write([], to: "\(folder)/answer")
    #expect(service.waits(for: "idle"))
    let events = try restore(folder, service)
    #expect(
      names(events) == [
        "ready", "wake", "listening", "lost", "transcript", "intent", "action", "reply", "idle", "recovered",
        "overrun",
      ])
  }

  @Test func listeningEndsWithTheMicrophone() throws {
    let folder = try ScriptedDevice.folder()
    let service = try start(recognizer: "echo lights on", folder)
    #expect(service.waits(for: "listening"), "\(service.errors)")
    try remove(folder)
    #expect(service.waits(for: "idle"))
    let events = try restore(folder, service)
    #expect(
      names(events) == [
        "ready", "wake", "listening", "lost", "error", "reply", "idle", "recovered", "overrun",
      ])
  }

  @Test func withoutItsMicrophoneItDoesNotStartAndTheUnitTriesAgain() throws {
    let folder = try ScriptedDevice.folder()
    try Files.write([], to: "\(folder)/script.gone")
    let outcome = try start(folder).end()
    #expect(outcome.errors.contains("alsa:scripted: no such capture device"), "\(outcome.errors)")
    let unit = String(
      decoding: try Files.read("\(Program.root)/Packaging/systemd/hotword.service"), as: UTF8.self)
    #expect(unit.contains("\nRestart=on-failure\n"))
    let final = try #require(unit.split(separator: "\n").first { $0.hasPrefix("RestartPreventExitStatus=") })
    #expect(outcome.code != 0 && !final.contains("\(outcome.code)"), "\(outcome.code)")
    unlink("\(folder)/script.gone")
    let service = try start(folder)
    #expect(service.waits(for: "idle"), "\(service.errors)")
    #expect(try service.end(by: SIGINT).code == 0)
  }

  /// As a plug with a bad contact: the device can be opened for a moment only.
  @Test func aDeviceThatComesAndGoesIsReportedAsItIs() throws {
    let folder = try ScriptedDevice.folder()
    let service = try start(folder)
    #expect(service.waits(for: "listening"), "\(service.errors)")
    for _ in 0..<40 {
      try Files.write([], to: "\(folder)/script.gone")
      usleep(25_000)
      unlink("\(folder)/script.gone")
      usleep(25_000)
    }
    try Files.write([], to: "\(folder)/script.gone")
    #expect(Waiting.until { service.metric("hotword_device_up") == 0 })
    unlink("\(folder)/script.gone")
    #expect(Waiting.until { service.metric("hotword_device_up") == 1 })
    let heard = service.metric("hotword_audio_seconds_total") ?? 0
    #expect(service.waits(untilHeard: heard + 0.5))
    let story = try Story(try service.end(by: SIGINT))
    #expect(story.outcome.code == 0 && story.isPaired, "\(story.names)")
    let states = story.all("device").compactMap { $0["state"]?.string }.filter { $0 != "overrun" }
    #expect(states.last == "recovered")
    #expect(
      states.enumerated().allSatisfy { $0.element == ($0.offset % 2 == 0 ? "lost" : "recovered") },
      "\(states)")
  }

  @Test func aStormOfOverrunsEndsAndTheNextCommandIsCarriedOut() throws {
    let folder = try ScriptedDevice.folder()
    let service = try start(recognizer: "cat >\(folder)/heard.$$; echo lights on", folder)
    #expect(service.waits(for: "listening"), "\(service.errors)")
    let began = MonotonicClock.now()
    for _ in 0..<150 {
      close(open("\(folder)/script.xrun", O_WRONLY | O_CREAT, 0o600))
      usleep(10_000)
    }
    unlink("\(folder)/script.xrun")
    #expect(service.waits(for: "idle"))
    // The device plays the command again when it is opened again.
    func commands() -> Double { service.metric("hotword_conversations_total{ending=\"done\"}") ?? 0 }
    let before = commands()
    try Files.write([], to: "\(folder)/script.gone")
    #expect(Waiting.until { service.metric("hotword_device_up") == 0 })
    unlink("\(folder)/script.gone")
    #expect(Waiting.until { commands() > before })
    #expect((1...150).contains(service.metric("hotword_overruns_total") ?? 0))
    #expect(service.metric("hotword_lost_audio_seconds_total") ?? 0 > 0)
    let story = try Story(try service.end(by: SIGINT))
    let most = 10 * (MonotonicClock.now() - began) + 10
    #expect(story.outcome.code == 0 && story.isPaired, "\(story.names)")
    #expect(Double(story.all("device").count) < most, "overruns are reported up to ten times a second")
    // No recognizer gets more audio than there was between the end of its hotword and its transcript.
    let ends = story.all("transcript").compactMap { $0["time"]?.number }
    let durations = ends.compactMap { end in
      story.all("wake").last { $0["time"]?.number ?? 0 <= end }?["end"]?.number.map { end - $0 }
    }
    let longest = AudioFormat.samples(try #require(durations.max()))
    let files = try Files.names(in: folder).filter { $0.hasPrefix("heard.") }
    #expect(files.count == ends.count)
    for file in files {
      let count = try AudioFile.read("\(folder)/\(file)").count
      #expect(count > 0 && count <= longest)
    }
  }

  @Test(.enabled(if: Room.isThere, "no pulseaudio"))
  func aSoundServerThatIsRestartedIsConnectedAgain() throws {
    let folder = Program.temporaryFolder()
    let device = "pcm.mic { type pulse server \"unix:\(folder)/native\" device \"room.monitor\" }\n"
    try Files.write(Array(device.utf8), to: "\(folder)/asound.conf")
    func startServer() throws -> pid_t {
      let line =
        "export XDG_RUNTIME_DIR=\(folder) HOME=\(folder); exec \(Room.server(folder, ["module-null-sink sink_name=room \(Room.mono)"]))"
      let server = try #require(ChildProcess.start(["/bin/sh", "-c", line]))
      #expect(Waiting.until { Loopback.connection(toPath: "\(folder)/native").map { close($0) } != nil })
      return server
    }
    func stop(_ server: pid_t) {
      kill(server, SIGKILL)
      waitpid(server, nil, 0)
    }
    let first = try startServer()
    let service: RunningProgram
    do {
      defer { stop(first) }
      service = try start(device: "mic", folder)
      #expect(service.waits(untilHeard: 0.5), "\(service.errors)")
    }
    #expect(service.waits(for: "lost"))
    #expect(Waiting.until { service.metric("hotword_device_up") == 0 })
    let second = try startServer()
    defer { stop(second) }
    #expect(service.waits(for: "recovered"))
    let heard = service.metric("hotword_audio_seconds_total") ?? 0
    #expect(service.waits(untilHeard: heard + 0.5))
    #expect(service.metric("hotword_device_losses_total") ?? 0 >= 1)
    let outcome = try service.end(by: SIGINT)
    #expect(outcome.code == 0, "\(outcome.errors)")
  }
}
