import AudioCapture
import Platform
import TestServers
import Testing

/// The same samples give the same hits, whatever the input.
@Suite(.limited, .needsProgram) struct DetectTests {
  private static let detect = ["detect", "--model", "computer"]

  /// The hits without the name of the input.
  private func hits(_ outcome: Program.Outcome) throws -> [JSON] {
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.errors.isEmpty)
    return try outcome.objects.map { .object(($0.members ?? []).filter { $0.name != "file" }) }
  }

  @Test func aFaultOfOneFileDoesNotStopTheOthers() throws {
    let text = try Program.file("text.wav", Array("no audio".utf8))
    let outcome = try Program.run(["detect", "--model", "computer", text, Program.recording])
    #expect(outcome.code == ExitCode.badData.rawValue)
    #expect(outcome.onlyError?.contains("text.wav") == true)
    #expect(try outcome.objects.count == 2)
  }

  @Test func aModelThatIsNamedTwiceIsAFault() throws {
    let outcome = try Program.run([
      "detect", "--model", "computer", "--model", "computer:0.7", Program.recording,
    ])
    #expect(outcome.code == ExitCode.usage.rawValue && outcome.output.isEmpty)
    #expect(outcome.onlyError?.contains("\"computer\" is named twice") == true)
  }

  @Test func standardInputWithoutAudioIsAFault() throws {
    let outcome = try Program.run(["detect", "--model", "computer", "-"])
    #expect(outcome.code == ExitCode.badData.rawValue)
    #expect(outcome.onlyError?.contains("standard input: contains no audio") == true)
  }

  @Test func noEnvironmentIsNeeded() throws {
    let outcome = try Program.shell(
      "exec env -i \(Program.path) detect --model computer \(Program.recording)")
    #expect(outcome.code == 0 && outcome.lines.count == 2 && outcome.errors.isEmpty, "\(outcome.output)")
  }

  @Test func aHotwordIsFoundAtItsPosition() throws {
    let outcome = try Program.run(Self.detect + [try Recordings.twoOrders()])
    let found = try hits(outcome)
    #expect(found.count == 2, "\(outcome.output)")
    let first = try #require(found.first)
    #expect(first.members?.map(\.name) == ["keyword", "start", "end", "score"])
    #expect(first["keyword"]?.string == "computer")
    #expect(abs((first["end"]?.number ?? 0) - 1.35) < 0.25)
    #expect((first["score"]?.number ?? 2) <= 1)
  }

  @Test func filesAndPipesOfAnyChunkSizeGiveTheSameHits() throws {
    let path = try Recordings.twoOrders()
    let expected = try hits(try Program.run(Self.detect + [path]))
    #expect(!expected.isEmpty)
    let detect = "hotword detect --model computer -"
    let raw = try Recordings.raw(try AudioFile.read(path))
    for size in [77, 1_000, 65_537] {
      let line = "dd if=\(raw) bs=\(size) status=none | \(detect)"
      #expect(try hits(try Program.shell(line)) == expected, "in pieces of \(size) bytes")
    }
    #expect(try hits(try Program.shell("dd if=\(path) bs=991 status=none | \(detect)")) == expected)
  }

  @Test func anALSADeviceGivesTheSameWakeAsTheFile() throws {
    let path = try Recordings.wave(Recordings.order)
    let expected = try #require(try hits(try Program.run(Self.detect + [path])).first)
    let configuration = try Recordings.alsaConfiguration(playing: Recordings.order)
    let line = """
      ALSA_CONFIG_PATH=\(configuration) timeout --preserve-status -s TERM 4 \
      hotword run --input alsa:clip --events json --recognizer command:true
      """
    let outcome = try Program.shell(line)
    #expect(outcome.code == 0, "\(outcome.errors)")
    let wakes = try outcome.objects.filter { $0["event"]?.string == "wake" }
    #expect(wakes.count == 1, "\(outcome.output)")
    #expect(wakes.first?["end"] == expected["end"])
    #expect(wakes.first?["start"] == expected["start"])
  }

  @Test func otherRatesAndChannelCountsGiveTheSamePosition() throws {
    let expected = try hits(try Program.run(Self.detect + [try Recordings.wave(Recordings.order)]))
    let stereo = try Recordings.stereo48(Recordings.order)
    for line in ["hotword detect --model computer \(stereo)", "hotword detect --model computer - <\(stereo)"]
    {
      let found = try hits(try Program.shell(line))
      try #require(found.count == expected.count, "\(line): \(found)")
      for (one, other) in zip(found, expected) {
        #expect(abs((one["end"]?.number ?? 0) - (other["end"]?.number ?? 9)) <= 0.03)
      }
    }
  }

  @Test func severalFilesAreIndependentStreams() throws {
    let path = try Recordings.wave(Recordings.order)
    let once = try Program.run(Self.detect + [path]).lines
    #expect(try Program.run(Self.detect + [path, path]).lines == once + once)
  }

  @Test func sensitivityComesFromTheOptionOrTheModelReference() throws {
    let path = try Recordings.wave(Recordings.order)
    let own = try Program.run(["detect", "--model", "computer:0.9", path]).lines
    #expect(try own == Program.run(["detect", "--model", "computer", "--sensitivity", "0.9", path]).lines)
  }

  @Test func scoreEndsWithTheFilesLengthAndPeak() throws {
    let path = try Recordings.twoOrders()
    let lines = try Program.run(["score", "--model", "computer", "--floor", "0.1", path]).objects
    let peaks = lines.dropLast().compactMap { $0["score"]?.number }
    #expect(lines.last?["peak"]?.number == peaks.max())
    #expect(abs((lines.last?["duration"]?.number ?? 0) - 10.8) < 0.01)
    #expect(peaks.allSatisfy { $0 >= 0.1 })
  }
}
