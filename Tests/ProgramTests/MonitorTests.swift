import AudioCapture
import PCM
import Platform
import TestServers
import Testing

/// `hotword monitor` on a pseudo-terminal.
@Suite(
  .limited, .needsProgram, .serialized,
  .enabled(if: (try? Program.shell("python3 -c ''").code) == 0, "needs python3"))
struct MonitorTests {
  private static let script = "\(Program.root)/Tests/TestServers/Scripts/terminal.py"
  private static let monitor = "hotword monitor --input \(Program.recording) --pace"

  private func run(
    _ steps: String, _ command: String = Self.monitor, environment: String = "LC_ALL=C.UTF-8",
    size: String = "80x24"
  ) throws -> JSON {
    let outcome = try Program.shell(
      "env TERM=xterm \(environment) python3 \(Self.script) \(size) \(steps) -- \(command)")
    return try #require(try outcome.objects.first, "\(outcome.errors)")
  }

  private func expectRestored(_ result: JSON) {
    #expect(result["restored"] == true && result["left"] == true, "\(result)")
    #expect(result["output"]?.string?.contains("\u{1B}[?25h") == true)
  }

  @Test func itShowsTheScoresAndHandlesKeys() throws {
    let result = try run("until:listening 3.2 key:+ 0.4 key:p 0.4 key:p 0.3 key:x key:q")
    #expect(result["code"] == 0)
    expectRestored(result)
    let output = try #require(result["output"]?.string)
    for part in ["hotword monitor", "listening", "computer", "needs", "0:01.2", "paused", "█"] {
      #expect(output.contains(part), "\(part)")
    }
    #expect(result["bytes"]!.number! < 40_000, "ten screens per second over ssh")
  }

  @Test(arguments: [("INT", 130.0), ("TERM", 143), ("HUP", 129), ("SEGV", -11), ("TRAP", -5)])
  func theTerminalIsRestoredAfterEverySignal(_ signal: String, _ code: Double) throws {
    let result = try run("until:listening 0.2 signal:\(signal)")
    #expect(result["code"]?.number == code)
    expectRestored(result)
  }

  @Test func theTerminalIsRestoredWhileItIsSuspended() throws {
    let result = try run("until:listening 0.2 stop: 0.3 key:q")
    #expect(result["restoredMeanwhile"] == true && result["leftMeanwhile"] == true, "\(result)")
    #expect(result["setUpAgain"] == true && result["code"] == 0)
    expectRestored(result)
  }

  @Test func withoutUTF8AndColourTheScreenIsPlainASCII() throws {
    let result = try run("until:listening 0.2 key:q", environment: "LC_ALL=C NO_COLOR=1", size: "60x12")
    let output = try #require(result["output"]?.string)
    #expect(output.utf8.allSatisfy { $0 < 0x80 } && output.contains("computer"))
    #expect(!output.contains("32m") && !output.contains("33m"))
    expectRestored(result)
  }

  @Test func theLastSecondsAreSaved() throws {
    let folder = Program.temporaryFolder()
    let models = "--model \(Program.root)/Models/computer.safetensors"
    let command = "hotword monitor --input \(Program.recording) \(models)"
    let result = try run("until:ended key:s until:saved 0.2 key:q", "sh -c 'cd \(folder) && exec \(command)'")
    #expect(result["code"] == 0)
    #expect(result["output"]?.string?.contains("saved 9 s") == true, "\(result)")
    let file = try #require(try Files.names(in: folder).first)
    let saved = try AudioFile.read("\(folder)/\(file)")
    let recording = try AudioFile.read(Program.recording)
    #expect(saved.starts(with: recording) && saved.count - recording.count < AudioFormat.frameLength)
  }

  @Test func keysComeFromTheTerminalIfTheAudioComesFromAPipe() throws {
    let raw = try Recordings.raw(Recordings.order)
    let result = try run("until:ended key:q", "sh -c 'cat \(raw) | hotword monitor --input -'")
    #expect(result["code"] == 0)
    #expect(result["output"]?.string?.contains("the audio ended") == true, "\(result)")
    expectRestored(result)
  }

  @Test func withoutATerminalOneLineSuggestsTheFix() throws {
    let outcome = try Program.run(["monitor", "--input", Program.recording])
    #expect(outcome.code == 69 && outcome.output.isEmpty)
    #expect(outcome.onlyError?.contains("run --events json") == true, "\(outcome.errors)")
    let dumb = try Program.shell("script -qec 'TERM=dumb \(Self.monitor); echo code $?' /dev/null")
    #expect(dumb.output.contains("code 69") && !dumb.output.contains("\u{1B}["))
  }

  @Test func aFaultIsReportedAfterTheTerminalIsRestored() throws {
    let broken = try Program.file("broken.wav", Array(try Files.read(Program.recording).prefix(40_000)))
    let result = try run("1", "hotword monitor --input \(broken)")
    #expect(result["code"] == 65, "\(result)")
    let output = try #require(result["output"]?.string)
    #expect(output.contains("truncated"))
    let parts = output.split(separator: "\u{1B}[?1049l")
    #expect(parts.count == 1 || parts.last!.contains("truncated"))
  }
}
