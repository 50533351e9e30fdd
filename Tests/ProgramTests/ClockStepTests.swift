import AudioCapture
import Glibc
import PCM
import Platform
import TestServers
import Testing

/// A library that changes the clock of the program that loads it.
private enum SteppedClock {
  static let library = Program.temporaryFolder() + "/clock.so"
  static let isBuilt: Bool = {
    let source = PythonServer.script("stepped_clock.c")
    let line = "$(command -v cc || command -v clang) -shared -fPIC -O1 \(source) -o \(library)"
    return (try? Program.shell(line).code) == 0
  }()
}

/// A clock of the day that is set while the service runs, as by NTP on a machine without a battery.
@Suite(
  .limited, .needsProgram, .enabled(if: SteppedClock.isBuilt, "no C compiler to build the stepped clock"))
struct ClockStepTests {
  @Test func stepsChangeNoHotwordNoTimerAndNoClip() throws {
    let folder = Program.temporaryFolder()
    let step = "\(folder)/step"
    func setClock(_ seconds: Int) throws { try Files.write(Array("\(seconds)".utf8), to: step) }
    try setClock(0)
    let act = #"""
      grep -q '"time":[0-3]' || exit 0; echo '{"reply":"Set.","actions":[{"type":"timer_set","time":3}]}'
      """#
    let audio = Recordings.repeated(2)
    let service = try RunningProgram(
      [
        "run", "--input", "-", "--pace", "--events", "json", "--recognizer", "command:echo lights on",
        "--keep",
        "\(folder)/clips",
        "--handler", "command:sh \(try Program.file("act", Array(act.utf8)))", "--metrics", "127.0.0.1:0",
      ], environment: "LD_PRELOAD=\(SteppedClock.library) CLOCK_STEP=\(step)", isFed: true)
    // A year ahead before the first hotword, then two years back while the timer runs.
    var start = 0
    for (end, seconds) in [(0.5, 31_536_000), (4.5, -31_536_000)] {
      service.write(audio[start..<AudioFormat.samples(end)])
      start = AudioFormat.samples(end)
      #expect(service.waits(untilHeard: end - 0.1), "\(service.errors)")
      try setClock(seconds)
    }
    service.write(audio[start...])
    let up = service.metric("hotword_up_seconds")
    let story = try Story(try service.end())
    #expect(story.outcome.code == 0 && story.isPaired, "\(story.outcome.errors)")
    #expect(story.all("wake").count == 2)
    #expect(story.all("idle").allSatisfy { $0["reason"] == "done" })
    let actions = story.all("action").filter { $0["action"] != nil }
    let set = try #require(actions.first { $0["action"]?["type"] == "timer_set" }?["time"]?.number)
    let ring = try #require(actions.first { $0["action"]?["type"] == "timer_ring" }?["time"]?.number)
    #expect((2...30).contains(ring - set))
    #expect((0..<600).contains(up ?? -1))
    // Each clip has the time of the clock when it was kept.
    let clips = try KeepTests.Kept.all(in: "\(folder)/clips").filter { $0.kind == "wake" }
    let years = clips.compactMap { Int($0.path.dropFirst("\(folder)/clips/".count).prefix(4)) }.sorted()
    #expect(years.count == 2 && years.last == years[0] + 2, "\(clips.map(\.path))")
  }
}
