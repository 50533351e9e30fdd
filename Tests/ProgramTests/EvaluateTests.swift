import AudioCapture
import Glibc
import PCM
import Platform
import TestServers
import Testing

/// `hotword evaluate` as users run it.
@Suite(.limited(minutes: 10), .needsProgram) struct EvaluateTests {
  /// Folders with one "computer", and with the rest of the example and some noise.
  private struct Data {
    let positives = Program.temporaryFolder()
    let negatives = Program.temporaryFolder()

    init() throws {
      var random = RandomSource(seed: 5)
      let order = Recordings.order
      try AudioFile.write(Array(order[..<AudioFormat.samples(1.7)]), to: "\(positives)/computer.wav")
      for name in ["rain", "speech"] { mkdir("\(negatives)/\(name)", 0o755) }
      let rain = (0..<AudioFormat.samples(20)).map { _ in Int16(random.next() % 2001) - 1000 }
      try AudioFile.write(rain, to: "\(negatives)/rain/1.wav")
      try AudioFile.write(Array(order[AudioFormat.samples(1.7)...]), to: "\(negatives)/speech/1.wav")
    }

    var words: [String] {
      ["evaluate", "--model", "computer", "--positives", positives, "--negatives", negatives]
    }
  }

  @Test func theReportIsTextOnStandardOutput() throws {
    let outcome = try Program.run(try Data().words)
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(
      outcome.lines.first == "computer: 1 recording of the phrase, 0.01 h of audio without it in 2 files")
    #expect(outcome.lines.allSatisfy { $0.count <= 80 })
    #expect(outcome.output.contains("missed, clean"))
    #expect(outcome.output.contains("rain") && outcome.output.contains("speech"))
    #expect(outcome.output.contains("too short to estimate 0.1, 0.5, 1 and 2"))
  }

  @Test func signalToNoiseRatiosAreListsOrOptionsAndTheJSONIsTheReports() throws {
    let data = try Data()
    let folder = Program.temporaryFolder() + "/report"
    let more = [
      "--noise", "\(data.negatives)/rain", "--snr", "5,20", "--snr", "10", "--json", "--report", folder,
    ]
    let outcome = try Program.run(data.words + more)
    #expect(outcome.code == 0, "\(outcome.errors)")
    let report = try #require(try outcome.objects.first)
    #expect(outcome.lines.count == 1)
    #expect(
      report["conditions"]?.array?.compactMap { $0["name"]?.string } == ["clean", "20 dB", "10 dB", "5 dB"])
    #expect(report["sources"]?.array?.count == 2)
    #expect(report["calibrated"]?["conditions"]?.array?.first?["missed"]?.number == 0)
    #expect(try report == JSON(parsing: Files.read("\(folder)/report.json"), what: "report.json"))
    #expect(Files.exists("\(folder)/report.txt") && Files.exists("\(folder)/det.tsv"))
  }

  @Test func withoutGnuplotAllElseIsWrittenAndAFixIsSuggested() throws {
    let data = try Data()
    let folder = Program.temporaryFolder()
    let words = (data.words + ["--report", folder]).map(Program.quoted).joined(separator: " ")
    let outcome = try Program.shell("PATH=/nonexistent \(Program.quoted(Program.path)) \(words)")
    #expect(outcome.code == 0)
    let warnings = outcome.errors.split(separator: "\n").filter { $0.contains("warning") }
    #expect(warnings.count == 1 && warnings[0].contains("apt install gnuplot-nox"), "\(outcome.errors)")
    let names = try Files.list(below: folder).map { String($0.dropFirst(folder.count + 1)) }
    #expect(names.contains("plots.gnuplot") && names.contains("report.json"))
    #expect(!names.contains { $0.hasSuffix(".png") || $0.hasSuffix(".partial") })
  }

  @Test func mistakesAreReportedAndNothingIsWritten() throws {
    let data = try Data()
    let empty = Program.temporaryFolder()
    let report = Program.temporaryFolder() + "/report"
    let cases: [(words: [String], code: ExitCode, part: String)] = [
      (data.words + ["--snr", "10"], .usage, "--noise"),
      (data.words + ["--noise", data.negatives, "--snr", "10,loud"], .usage, "'10,loud'"),
      (data.words + ["--noise", data.negatives, "--snr", "99"], .usage, "-20 to 60"),
      (data.words + ["--target", "200"], .usage, "--target"),
      (data.words + ["--noise", empty, "--report", report], .badData, empty),
      (data.words + ["--report", "/nonexistent/report"], .inputOutput, "/nonexistent/report"),
      (
        ["evaluate", "--model", "computer", "--positives", "/nowhere", "--negatives", data.negatives],
        .noInput,
        "/nowhere"
      ),
      (
        ["evaluate", "--model", "computer", "--positives", data.positives, "--negatives", empty], .badData,
        empty
      ),
      (
        ["evaluate", "--model", "computre", "--positives", data.positives, "--negatives", data.negatives],
        .noInput, "computer"
      ),
    ]
    for (words, code, part) in cases {
      let outcome = try Program.run(words)
      #expect(outcome.code == code.rawValue, "\(words): \(outcome.errors)")
      #expect(outcome.output.isEmpty)
      #expect(outcome.onlyError?.contains(part) == true, "\(words): \(outcome.errors)")
    }
    #expect(!Files.exists(report))
  }

  /// The shared recordings; nil if the machine does not have them.
  private static let audio: String? = {
    let path = getenv("HOTWORD_AUDIO").map { String(cString: $0) } ?? "\(Program.root)/../shared/audio"
    return Files.isDirectory("\(path)/keywords/jarvis") ? path : nil
  }()

  @Test(.enabled(if: audio != nil, "needs the shared recordings"))
  func aShippedModelMissesMoreInNoiseAndReportsItsTrainingData() throws {
    let audio = try #require(Self.audio)
    let outcome = try Program.run(
      [
        "evaluate", "--model", "jarvis", "--positives", "\(audio)/keywords/jarvis", "--negatives",
        "\(audio)/noise/blanket", "--noise", "\(audio)/noise/kitchen", "--snr", "0,20", "--json",
      ], timeout: 300)
    let report = try #require(try outcome.objects.first, "\(outcome.errors)")
    let missed = report["calibrated"]?["conditions"]?.array?.compactMap { $0["missRate"]?.number } ?? []
    try #require(missed.count == 3)
    #expect(missed[0] < 0.1 && missed[0] <= missed[1] + 0.02 && missed[1] <= missed[2], "\(missed)")
    #expect(report["learnedFrom"]?.array?.isEmpty == false)
  }
}
