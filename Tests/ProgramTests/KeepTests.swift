import AudioCapture
import PCM
import Platform
import TestServers
import Testing

/// What `run --keep` leaves behind.
@Suite(.limited, .needsProgram) struct KeepTests {
  /// A clip's file, with what its name tells.
  struct Kept {
    let path: String
    let keyword: String
    let kind: String
    let score: Double

    static func all(in folder: String) throws -> [Kept] {
      try Files.names(in: folder).filter { $0.hasSuffix(".wav") }.map { name in
        let fields = name.dropLast(4).split(separator: "_")
        return Kept(
          path: "\(folder)/\(name)", keyword: String(fields[1]), kind: String(fields[2]),
          score: Double(fields[3]) ?? -1)
      }
    }
  }

  private func run(_ input: String, _ words: String...) throws -> Program.Outcome {
    let outcome = try Program.run(
      ["run", "--input", input, "--events", "json", "--recognizer", "command:true"] + words)
    #expect(outcome.code == 0, "\(outcome.errors)")
    return outcome
  }

  private func wakes(_ outcome: Program.Outcome) throws -> [JSON] {
    try outcome.objects.filter { $0["event"]?.string == "wake" }
  }

  @Test func eachWakeLeavesTheSamplesAroundIt() throws {
    let folder = "\(Program.temporaryFolder())/new/clips"
    let outcome = try run(Program.recording, "--keep", folder)
    let wakes = try wakes(outcome)
    let clips = try Kept.all(in: folder).filter { $0.kind == "wake" }
    #expect(clips.count == 2)
    #expect(clips.map(\.keyword) == wakes.compactMap { $0["keyword"]?.string })
    #expect(clips.map(\.score) == wakes.compactMap { $0["score"]?.number })
    let heard = try AudioFile.read(Program.recording)
    for (clip, wake) in zip(clips, wakes) {
      let end = AudioFormat.samples(try #require(wake["end"]?.number))
      #expect(try AudioFile.read(clip.path) == Array(heard[max(0, end - 80_000)..<(end + 16_000)]))
    }
    #expect(outcome.onlyError?.contains(folder) == true, "it is told that audio is kept, and where")
  }

  /// In noise that has been running, a clip that begins shortly before the word would score differently. The score of a wake is
  /// that of its decision, which the peak may follow.
  @Test func aClipScoresAsTheWholeStreamDoes() throws {
    var random = RandomSource(seed: 5)
    let order = [Int16](repeating: 0, count: AudioFormat.samples(15)) + Recordings.order
    let room = try Recordings.wave(order.map { Int16(clamping: Int($0) + Int(random.next() % 1_201) - 600) })
    let folder = Program.temporaryFolder()
    let wake = try #require(wakes(run(room, "--keep", folder)).first)
    let clip = try #require(try Kept.all(in: folder).first { $0.kind == "wake" })
    func peak(_ path: String) throws -> Double {
      let peaks = try Program.run(["score", "--model", "computer", path]).objects.compactMap {
        $0["peak"]?.number
      }
      return try #require(peaks.max())
    }
    let (inClip, inRoom) = try (peak(clip.path), peak(room))
    #expect(abs(inClip - inRoom) < 0.02, "\(inClip) and \(inRoom)")
    #expect(try #require(wake["score"]?.number) <= inRoom + 0.001, "\(wake)")
  }

  /// A recording that is nearly detected, and its highest score: the word under more and more noise. It ends 0.2 s after the word.
  static func nearMiss() throws -> (path: String, peak: Double) {
    let shown = try Program.run(["models", "show", "computer"])
    let decision = try #require(shown.lines.first { $0.hasPrefix("decision") })
    let settings = try JSON(parsing: Array(decision.drop { $0 != "{" }.utf8), what: "the decision")
    let threshold = try #require(settings["threshold"]?.number)
    var random = RandomSource(seed: 3)
    let word = Recordings.order.prefix(AudioFormat.samples(1.55))
    let files = try (1...48).map { step in
      try Recordings.wave(
        word.map { sample in
          let noise = Int(random.next() % 2_001) - 1_000
          return Int16(clamping: Int(sample) + noise * step * step / 200)
        })
    }
    let scores = try Program.run(["score", "--model", "computer"] + files)
    let peaks = try scores.objects.filter { $0["peak"] != nil }
    let near = try #require(
      peaks.first { (1.02 * threshold / 2..<0.98 * threshold).contains($0["peak"]?.number ?? 0) })
    return (try #require(near["file"]?.string), try #require(near["peak"]?.number))
  }

  @Test func aNearMissIsKeptAndSoIsTheEndOfTheStream() throws {
    let (path, peak) = try Self.nearMiss()
    let folder = Program.temporaryFolder()
    #expect(try wakes(run(path, "--keep", folder)).isEmpty)
    let clips = try Kept.all(in: folder)
    #expect(clips.map(\.kind) == ["near-miss"])
    #expect(abs((clips.first?.score ?? 0) - peak) <= 0.000_5)
    #expect(try AudioFile.read(try #require(clips.first).path) == AudioFile.read(path))
  }

  @Test func onlyTheNewestAreKept() throws {
    let folder = Program.temporaryFolder()
    let wakes = try wakes(run(Program.recording, "--keep", folder, "--keep-limit", "1"))
    let clips = try Kept.all(in: folder)
    #expect(clips.count == 1)
    #expect(clips.first?.score == wakes.last?["score"]?.number)
  }

  @Test func nothingIsKeptUnasked() throws {
    let folder = Program.temporaryFolder()
    let outcome = try Program.shell(
      "cd \(folder); hotword run --model \(Program.root)/Models/computer.safetensors --input \(Program.recording)"
    )
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(try Files.list(below: folder).isEmpty)
  }

  @Test func whatCannotBeWrittenIsToldOnceAndListeningGoesOn() throws {
    let file = try Program.file("file", [1])
    for (folder, part) in [(file, file), ("\(file)/clips", file), ("/proc/clips", "/proc/clips")] {
      let outcome = try run(Program.recording, "--keep", folder)
      #expect(try wakes(outcome).count == 2)
      let line = try #require(outcome.onlyError, "\(outcome.errors)")
      #expect(line.contains(part) && line.contains("listening continues"), "\(line)")
    }
  }

  @Test func keepingIsSetInTheConfigurationToo() throws {
    let folder = Program.temporaryFolder()
    let settings = "keep: \(folder)\nkeep-limit: 1\n"
    let path = try Program.file("hotword.yaml", Array(settings.utf8))
    _ = try run(Program.recording, "--config", path)
    #expect(try Kept.all(in: folder).count == 1)
  }
}
