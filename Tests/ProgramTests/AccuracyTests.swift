import AudioCapture
import PCM
import Platform
import TestServers
import Testing

private let python = PythonServer.python(with: ["numpy"])

/// `Benchmarks/accuracy`, the comparison with other engines, on a folder of recordings made from the example.
@Suite(.limited, .needsProgram, .enabled(if: python != nil, "needs python3 with numpy"))
struct AccuracyTests {
  /// Two recordings of "computer", four of other speech.
  private static func data() throws -> String {
    let folder = Program.temporaryFolder()
    func write(_ name: String, _ samples: ArraySlice<Int16>) throws {
      try AudioFile.write(Array(samples), to: "\(folder)/\(name).wav")
    }
    _ = try Program.shell("mkdir -p \(folder)/keywords/computer \(folder)/speech")
    let word = Recordings.order.prefix(AudioFormat.samples(1.4))
    try write("keywords/computer/a", word)
    try write("keywords/computer/b", word)
    for name in ["a", "b", "c", "d"] {
      try write("speech/\(name)", Recordings.order.suffix(from: AudioFormat.samples(1.6)))
    }
    return folder
  }

  private static func compare(_ words: String...) throws -> Program.Outcome {
    try shell("Benchmarks/accuracy \(words.joined(separator: " "))")
  }

  /// Runs a line of shell in which `python3` has NumPy.
  private static func shell(_ line: String) throws -> Program.Outcome {
    try Program.shell("PATH=$(dirname \(try #require(python))):$PATH; \(line)")
  }

  @Test func itsOwnTestsPass() throws {
    let outcome = try Self.shell("Benchmarks/tests.py")
    #expect(outcome.code == 0, "\(outcome.errors)")
  }

  @Test func itDetectsEachHotwordOnceAndNothingElse() throws {
    let data = try Self.data()
    let outcome = try Self.compare(
      data, "--engines hotword --snr --hours 0.001 --output", "\(data)/out")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.lines == ["\(data)/out/table.md"])
    let report = try JSON(parsing: try Files.read("\(data)/out/results.json"), what: "results.json")
    let result = try #require(report["results"]?.array?.first)
    #expect(result["utterances"]?.number == 2)
    #expect(result["shipped"]?["missed"]?.number == 0)
    #expect(result["shipped"]?["falseAlarms"]?.number == 0)
    #expect(abs(try #require(result["medianLag"]?.number)) < 0.4)
    #expect(try #require(result["cpuPerSecond"]?.number) > 0)
    let table = String(decoding: try Files.read("\(data)/out/table.md"), as: UTF8.self)
    #expect(table.contains("| computer (2) | clean | hotword | 0.0 % (0.0–65.8)"))
  }

  @Test func badInputIsReportedInOneLine() throws {
    let data = try Self.data()
    func expectFault(_ words: String, code: ExitCode, naming part: String) throws {
      let outcome = try Self.compare(data, "--output \(data)/out", words)
      #expect(outcome.code == code.rawValue, "\(words): \(outcome.errors)")
      #expect(outcome.output.isEmpty)
      #expect(outcome.onlyError?.contains(part) == true, "\(words): \(outcome.errors)")
    }
    try expectFault("--words computre", code: .noInput, naming: "available words: computer")
    try expectFault("--hours 0", code: .usage, naming: "--hours")
    try expectFault("--snr --background \(data)/none", code: .noInput, naming: "\(data)/none")
    try expectFault("--snr --hours 0.0001", code: .noInput, naming: "too few for 2")
    try expectFault("--hours 0.001", code: .noInput, naming: "\(data)/noise")
  }
}
