import AudioCapture
import Glibc
import Platform
import TestServers
import Testing

/// `hotword` as a part of other people's pipes.
@Suite(.limited, .needsProgram) struct PipeTests {
  private static let samples = (try? AudioFile.read(Program.recording)) ?? []

  @Test(arguments: ["detect --model computer -", "detect --model computer --names -"])
  func aDetectionIsALineAtOnceWhileTheSoundGoesOn(_ command: String) throws {
    let raw = try Recordings.raw(Recordings.order)
    let outcome = try Program.shell(
      """
      cd \(Program.temporaryFolder()); mkfifo pipe
      (cd \(Program.root); exec hotword \(command)) <pipe >lines & exec 3>pipe
      cat \(raw) >&3
      for wait in $(seq 200); do [ -s lines ] && break; sleep 0.05; done
      cat lines; exec 3>&-; wait
      """)
    #expect(outcome.lines.count == 1 && outcome.errors.isEmpty, "\(outcome.output)\(outcome.errors)")
    #expect(outcome.output.contains("computer"))
  }

  @Test func namesAreAllThatIsPrinted() throws {
    let names = ["detect", "--model", "computer", "--model", "alexa", "--names"]
    let outcome = try Program.run(names + [Program.recording, Program.recording])
    #expect(outcome.output == String(repeating: "computer\n", count: 4) && outcome.errors.isEmpty)
  }

  @Test(.enabled(if: PythonServer.python(with: ["wyoming"]) != nil, "needs python3 with wyoming"))
  func wyomingsSatelliteHearsItAsItsWakeCommand() throws {
    let python = try #require(PythonServer.python(with: ["wyoming"]))
    let raw = try Recordings.raw(Self.samples)
    for size in ["1024", "1000", "65536"] {
      let words = [python, PythonServer.script("wyoming_wake_process.py"), "", raw, size, "2", Program.path]
      let line = (words + ["detect", "--model", "computer", "--names", "-"]).map(Program.quoted)
      let outcome = try Program.shell(line.joined(separator: " "))
      #expect(outcome.output == "computer\ncomputer\n", "\(outcome.errors)")
    }
  }

  /// The scores that `hotword engine` prints for chunks of `size` bytes.
  private func scores(_ bytes: String, size: Int, name: String = "hotword engine") throws -> [Double] {
    let outcome = try Program.shell("\(name) computer \(size) <\(bytes)")
    #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    return try outcome.lines.map { try #require(Double($0)) }
  }

  @Test func anEngineGivesALineForEachChunkAndTheSameScoresForAnySize() throws {
    let raw = try Recordings.raw(Self.samples)
    let bytes = 2 * Self.samples.count
    let fine = try scores(raw, size: 320)
    #expect(fine.count == (bytes + 319) / 320)
    #expect(fine.allSatisfy { (0...1).contains($0) })
    // Seconds in which the score is at its threshold: 0.32 and more for each of two words, nothing else.
    let high = fine.indices.filter { fine[$0] >= 0.5 }
    let starts = high.filter { !high.contains($0 - 1) }
    #expect(starts.count == 2 && high.count >= 64, "\(starts)")
    for (start, end) in zip(starts, [1.35, 5.87]) { #expect(abs(Double(start) / 100 - end) < 0.3) }
    for multiple in [2, 7, 20] {
      let coarse = try scores(raw, size: 320 * multiple)
      for (index, score) in coarse.enumerated() where (index + 1) * multiple <= fine.count {
        // What a chunk of less than 0.32 s tells is what the last of its parts tells.
        #expect(score == fine[(index + 1) * multiple - 1], "\(multiple): \(index)")
      }
    }
    // Odd sizes end within samples, and this one's last chunk within itself.
    let odd = try scores(raw, size: 2_047)
    #expect(odd.count == (bytes + 2_046) / 2_047)
    #expect(odd.max() == fine.max())
  }

  @Test func anEngineEndsWithItsInputWithinASample() throws {
    #expect(
      try scores(try Program.file("odd.raw", [UInt8](repeating: 0, count: 4_097)), size: 2_048).count == 3)
    #expect(try scores(try Program.file("empty.raw", []), size: 2_048).isEmpty)
    for words in [["computer", "0"], ["computer", "many"], ["computer", "-2048"]] {
      #expect(try Program.run(["engine"] + words).code == ExitCode.usage.rawValue)
    }
    #expect(try Program.run(["engine", "computre", "2048"]).onlyError?.contains("did you mean") == true)
  }

  @Test func itsOwnNameMakesItAnEngine() throws {
    let link = "\(Program.temporaryFolder())/hotword-engine"
    #expect(symlink(Program.path, link) == 0)
    let raw = try Recordings.raw(Recordings.order)
    #expect(try scores(raw, size: 2_048, name: link) == scores(raw, size: 2_048))
  }

  @Test(
    .enabled(if: PythonServer.python(with: ["precise_runner"]) != nil, "needs python3 with precise-runner"))
  func precisesClientIsActivatedOnceAWord() throws {
    let python = try #require(PythonServer.python(with: ["precise_runner"]))
    let link = "\(Program.temporaryFolder())/hotword-engine"
    #expect(symlink(Program.path, link) == 0)
    for size in ["1024", "2048"] {
      let words = [
        python, PythonServer.script("precise_engine.py"), "", link, "computer", size,
        try Recordings.raw(Self.samples),
      ]
      let outcome = try Program.shell(words.map(Program.quoted).joined(separator: " "))
      let times = outcome.lines.compactMap(Double.init)
      #expect(times.count == 2, "\(size): \(outcome.output)\(outcome.errors)")
      // The score may reach the threshold in the last sound of the word.
      for (time, end) in zip(times, [1.35, 5.87]) { #expect((-0.1...0.6).contains(time - end)) }
    }
  }
}
