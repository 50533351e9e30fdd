import AudioCapture
import Glibc
import PCM
import Platform
import TestServers
import Testing

/// Faults of the programs, servers and files that the service uses: every conversation ends, the next hotword is detected, and an event
/// reports the fault. `Documentation/robustness.md` lists them.
@Suite(.limited, .needsProgram) struct ServiceFaultTests {
  private static let hasPython = PythonServer.python(with: []) != nil

  /// Two commands, the same service for both.
  private func run(_ settings: String, _ words: [String] = [], before: String = "true") throws -> Story {
    let path = try Program.file("hotword.yaml", Array(settings.utf8))
    let service = try RunningProgram(
      ["run", "--events", "json", "--config", path, "--input", try Recordings.twoOrders()] + words,
      before: before)
    let story = try Story(try service.end())
    #expect(story.outcome.code == 0, "\(story.outcome.errors)")
    #expect(story.isPaired && story.all("wake").count == 2, "\(story.names)")
    return story
  }

  /// Intents that PocketSphinx cannot recognize, so that no other recognizer is used.
  private func german() throws -> String {
    let intents = "language: de\nintents: {Licht: {data: [{sentences: [Licht an]}]}}\n"
    return try Program.file("licht.yaml", Array(intents.utf8))
  }

  @Test(arguments: ["yes", "yes >&2", "cat /dev/zero", "trap '' TERM; while :; do sleep 1; done"])
  func aCommandThatNeverStopsWritingIsStoppedInItsTime(_ command: String) throws {
    let asRecognizer = try run(
      "recognizer: \"command:\(command)\"\nrecognizer-timeout: 1\nintents: \(try german())\n")
    let asHandler = try run(
      "handlers: [\"command:\(command)\"]\nhandler-timeout: 1\nrecognizer: 'command:echo lights on'\n")
    for story in [asRecognizer, asHandler] {
      #expect(story.all("error").count == 2)
      #expect(story.all("idle").allSatisfy { $0["reason"] == "failed" })
    }
  }

  @Test func whatIsNotTextIsNotUnderstood() throws {
    let story = try run("recognizer: 'command:head -c 100000 /dev/urandom'\nintents: \(try german())\n")
    #expect(story.all("idle").allSatisfy { $0["reason"] == "notUnderstood" })
    let texts = story.all("transcript").compactMap { $0["text"]?.string }
    #expect(
      texts.count == 2 && texts.allSatisfy { text in text.unicodeScalars.allSatisfy { $0.value >= 32 } })
  }

  @Test(
    .enabled(if: WakeServer.hasClient, "needs python3 with wyoming"),
    arguments: ["silent", "fails", "garbage", "wrong", "closes", "dies", "floods"])
  func aServerOfARecognizerThatFailsIsReported(_ behaviour: String) throws {
    let server = try PythonServer("wyoming_asr.py", [behaviour, "tcp://127.0.0.1:0"], modules: ["wyoming"])
    let story = try run(
      "recognizer: wyoming:tcp://127.0.0.1:\(server.port)\nrecognizer-timeout: 1\nintents: \(try german())\n")
    #expect(story.all("error").count == 2, "\(story.names)")
    #expect(story.all("error").allSatisfy { $0["message"]?.string?.contains("127.0.0.1") == true })
    #expect(story.all("idle").allSatisfy { $0["reason"] == "failed" })
  }

  @Test(
    .enabled(if: hasPython, "needs python3"), arguments: ["silent", "resets", "slow", "floods", "garbage"])
  func aServerOfAHandlerOrRecognizerThatIsOutOfOrderIsReported(_ behaviour: String) throws {
    let server = try PythonServer("faulty_server.py", [behaviour])
    let peer = "127.0.0.1:\(server.port)"
    for handler in ["http://\(peer)/hook", "mqtt://\(peer)"] {
      let story = try run(
        "handlers: ['\(handler)']\nhandler-timeout: 1\nrecognizer: 'command:echo lights on'\n")
      #expect(story.all("error").count == 2, "\(handler): \(story.names)")
      #expect(
        story.all("error").allSatisfy { $0["message"]?.string?.contains(peer) == true },
        "\(story.all("error"))")
      #expect(story.all("idle").allSatisfy { $0["reason"] == "failed" })
    }
    let story = try run(
      "recognizer: openai:http://\(peer)/v1\nrecognizer-timeout: 1\nintents: \(try german())\n")
    #expect(story.all("error").count == 2, "\(story.names)")
  }

  private static let hasMounts =
    (try? Program.shell("unshare --user --map-root-user --mount true").code) == 0

  @Test(.enabled(if: hasMounts, "no file system can be mounted here"))
  func aFullDiskStopsTheClipsAndNothingElse() throws {
    let folder = Program.temporaryFolder()
    // Room for one clip.
    let story = try Story(
      try Program.shell(
        """
        unshare --user --map-root-user --mount sh -c 'mount -t tmpfs -o size=100k none \(folder) &&
        hotword run --events json --recognizer "command:echo lights on" --input \(try Recordings.twoOrders()) \
        --keep \(folder)/clips; code=$?; ls -a \(folder)/clips >&2; exit $code'
        """))
    #expect(story.outcome.code == 0 && story.isPaired, "\(story.outcome.errors)")
    #expect(story.all("idle").map { $0["reason"] } == ["done", "done"])
    #expect(story.outcome.errors.contains("no space left on device; no clips are kept until it works again"))
    #expect(story.outcome.errors.contains("_wake_"), "the first is kept")
    #expect(!story.outcome.errors.contains(".partial"), "no part of a clip is left behind")
  }

  /// The process may end, but it neither hangs nor loses a command in silence.
  @Test(arguments: [30_000, 60_000, 90_000, 150_000, 200_000, 300_000])
  func withTooLittleMemoryItWorksOrEnds(_ kilobytes: Int) throws {
    let service = try RunningProgram(
      ["run", "--events", "json", "--input", try Recordings.twoOrders()],
      before: "ulimit -c 0; ulimit -v \(kilobytes)")
    let outcome = try service.end()
    guard outcome.code == 0 else { return #expect(!outcome.output.contains("done"), "\(outcome.errors)") }
    let story = try Story(outcome)
    #expect(story.isPaired && story.all("wake").count == 2)
  }

  @Test func withoutRealTimeRightsItListensAndSaysSoOnce() throws {
    let configuration = try Recordings.alsaConfiguration(playing: Recordings.order)
    // Root has the right by its capabilities, other users by the limit.
    let words =
      geteuid() == 0
      ? ["setpriv", "--bounding-set=-sys_nice,-ipc_lock", "--inh-caps=-sys_nice,-ipc_lock"] : []
    let service = try RunningProgram(
      ["run", "--input", "alsa:clip", "--events", "json", "--recognizer", "command:echo lights on"],
      environment: "ALSA_CONFIG_PATH=\(configuration)", before: "ulimit -r 0; ulimit -l 0", tracer: words)
    #expect(service.waits(for: "idle"), "\(service.errors)")
    let story = try Story(try service.end(by: SIGINT))
    #expect(story.all("idle").first?["reason"] == "done")
    #expect(story.outcome.onlyError?.contains("real-time scheduling is not allowed here") == true)
  }
}
