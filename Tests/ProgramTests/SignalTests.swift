import AudioCapture
import Glibc
import PCM
import Platform
import TestServers
import Testing

/// Signals while the service listens.
@Suite(.limited, .needsProgram) struct SignalTests {
  private func start() throws -> RunningProgram {
    try RunningProgram(
      ["run", "--input", "-", "--events", "json", "--recognizer", "command:echo lights on"], isFed: true)
  }

  /// Gives `audio` in pieces of a fifth of a second, and calls `body` before each.
  private func feed(_ audio: [Int16], to service: RunningProgram, _ body: (Int) -> Void) {
    let length = AudioFormat.samples(0.2)
    for (number, start) in stride(from: 0, to: audio.count, by: length).enumerated() {
      body(number)
      service.write(audio[start..<min(start + length, audio.count)])
    }
  }

  /// With 10 s to end, before it is killed.
  @Test(arguments: [
    ("web 127.0.0.1:0", "page for browsers"), ("serve --wake-only --uri tcp://127.0.0.1:0", "listening for"),
    ("run --input alsa:null", "listening for"),
  ])
  func aClosedTerminalEndsWhatWasStartedInItUnlessHangUpsAreIgnored(_ command: String, _ shown: String) throws
  {
    for (prefix, isEnded) in [("", true), (#"sh -c 'trap "" HUP; exec "$@"' - "#, false)] {
      let outcome = try Program.shell(
        "cd \(Program.temporaryFolder()); python3 \(Program.root)/Tests/TestServers/Scripts/terminal.py 80x24 "
          + "'until:\(shown)' close -- \(prefix)hotword \(command)")
      let result = try #require(try outcome.objects.first, "\(outcome)")
      #expect(result["output"]?.string?.contains(shown) == true, "\(prefix)\(result)")
      // Its own end, or the one by SIGHUP; otherwise it must be killed.
      let codes: [JSON] = isEnded ? [0, -1] : [-9]
      #expect(result["code"].map(codes.contains) == true, "\(prefix)\(result)")
    }
  }

  @Test func reloadsAndPausesAtAnyTimeChangeNoCommand() throws {
    let audio = Recordings.repeated(2)
    let undisturbed = try start()
    undisturbed.write(audio)
    let expected = try Story(try undisturbed.end())
    #expect(expected.all("wake").count == 2)
    var random = RandomSource(seed: 19)
    let service = try start()
    #expect(service.waits(for: "ready"))
    feed(audio, to: service) { _ in
      switch random.next() % 3 {
      case 0: kill(service.process, SIGHUP)
      case 1:
        kill(service.process, SIGSTOP)
        usleep(UInt32(random.next() % 20_000))
        kill(service.process, SIGCONT)
      default: break
      }
    }
    let story = try Story(try service.end())
    #expect(story.outcome.code == 0 && story.isPaired, "\(story.outcome.errors)")
    #expect(story.all("wake") == expected.all("wake"))
    #expect(story.all("reply").map { $0["text"] } == expected.all("reply").map { $0["text"] })
  }

  @Test(arguments: [SIGTERM, SIGINT], 0..<6)
  func itEndsInOrderAtAnyTime(_ signal: Int32, _ place: Int) throws {
    let service = try start()
    #expect(service.waits(for: "ready"))
    var random = RandomSource(seed: UInt64(place))
    let count = place * 20 / 6 + Int(random.next() % 3)
    feed(Array(Recordings.order), to: service) { number in
      if number == count { kill(service.process, signal) }
    }
    let story = try Story(try service.end())
    #expect(story.outcome.code == 0, "\(story.outcome.code) \(story.outcome.errors)")
    #expect(story.isPaired, "\(story.names)")
  }

  @Test(.enabled(if: ScriptedDevice.isBuilt, "no C compiler or alsa headers to build the scripted device"))
  func aPauseLongerThanTheWatchdogAllowsIsAGapAndNotAHang() throws {
    let socket = try NotifyListener()
    let folder = try ScriptedDevice.folder()
    let service = try RunningProgram(
      [
        "run", "--input", "alsa:scripted", "--events", "json", "--recognizer", "command:echo lights on",
        "--metrics",
        "127.0.0.1:0",
      ],
      environment:
        "ALSA_CONFIG_PATH=\(folder)/asound.conf NOTIFY_SOCKET='\(socket.name)' WATCHDOG_USEC=1000000")
    #expect(service.waits(for: "listening"), "\(service.errors)")
    kill(service.process, SIGSTOP)
    // Longer than the loop may take for a turn, 5 s.
    MonotonicClock.sleep(until: MonotonicClock.now() + 6)
    kill(service.process, SIGCONT)
    #expect(service.waits(for: "idle"))
    let heard = service.metric("hotword_audio_seconds_total") ?? 0
    #expect(service.waits(untilHeard: heard + 0.5))
    #expect(service.metric("hotword_lost_audio_seconds_total") ?? 0 > 5)
    #expect(service.metric("hotword_gaps_total") ?? 0 >= 1)
    let story = try Story(try service.end(by: SIGINT))
    #expect(story.isPaired && story.all("wake").count == 1)
    #expect(!socket.datagrams.contains { $0.text.contains("stuck") || $0.text.contains("no audio") })
    #expect(!story.outcome.errors.contains("stuck"), "\(story.outcome.errors)")
  }
}
