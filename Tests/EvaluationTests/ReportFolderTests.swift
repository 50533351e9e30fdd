import Evaluation
import Glibc
import Platform
import TestServers
import Testing

@Suite(.limited(minutes: 15)) struct ReportFolderTests {
  private static func folder() -> String {
    PythonServer.temporaryFolder("report")
  }

  private static let report: EvaluationReport = {
    var random = RandomSource(seed: 3)
    func recordings(_ shift: Float) -> [EvaluationScores.Recording] {
      (0..<60).map {
        let logit = Double(3 * (random.uniform() + random.uniform() + random.uniform()) - shift)
        return .init(name: "clip \"\($0)\".wav", score: 1 / (1 + exp(-logit)))
      }
    }
    let streams = (0..<50).map { index in
      let peaks = (0..<40).map { _ in Double(random.uniform() * random.uniform() * random.uniform()) }
      return EvaluationScores.Stream(
        name: "\(index).wav", source: index < 20 ? "music" : "speech", seconds: 600, peaks: peaks)
    }
    let scores = EvaluationScores(
      conditions: [.init(recordings: recordings(1)), .init(snr: 10, recordings: recordings(3))],
      streams: streams)
    return EvaluationReport(model: "a_model", threshold: 0.5, scores: scores)
  }()

  @Test func allFilesAreWrittenWithoutLeftovers() throws {
    let folder = Self.folder() + "/new"
    try EvaluationReport.checkWritable(folder)
    #expect(!Files.exists(folder))
    let fault = try Self.report.write(to: folder, verdict: Self.report.verdict(of: ModelOrigin(phrase: "x")))
    let data = [
      "alarms.csv", "det.tsv", "plots.gnuplot", "recordings.csv", "report.json", "report.txt", "scores.tsv",
    ]
    let hasGnuplot =
      try Subprocess(shell: "command -v gnuplot >/dev/null").run(timeout: 5).ending == .exited(0)
    let plots = hasGnuplot ? ["det.png", "scores.png"] : []
    #expect((fault == nil) == hasGnuplot, "\(String(describing: fault))")
    let names = try Files.list(below: folder).map { String($0.dropFirst(folder.count + 1)) }
    #expect(names == (data + plots).sorted())
    for name in plots {
      let bytes = try Files.read("\(folder)/\(name)")
      #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) && bytes.count > 10_000, "\(name)")
    }
    let json = try JSON(parsing: Files.read("\(folder)/report.json"), what: "report.json")
    #expect(json["model"]?.string == "a_model")
    let rows = String(decoding: try Files.read("\(folder)/recordings.csv"), as: UTF8.self).split(
      separator: "\n")
    #expect(rows.count == 121 && rows[1].hasPrefix("\"clip \"\"0\"\".wav\",\"\",clean,"))
  }

  @Test func missesFallAsFalseAlarmsRise() throws {
    let folder = Self.folder()
    try Self.report.write(to: folder, verdict: Self.report.verdict(of: ModelOrigin(phrase: "x")))
    let text = String(decoding: try Files.read("\(folder)/det.tsv"), as: UTF8.self)
    var rates: [Double] = []
    var missed: [Double] = []
    for line in text.split(separator: "\n").dropFirst(2) {
      if line == "# 10 dB" { break }
      let fields = line.split(separator: "\t").compactMap { Double($0) }
      rates.append(fields[0])
      missed.append(fields[1])
      #expect(fields[2] <= fields[1] && fields[1] <= fields[3])
    }
    #expect(rates.count > 50 && rates == rates.sorted())
    #expect(missed == missed.sorted(by: >) && missed.first! > missed.last!)
  }

  @Test func anUnwritableFolderIsRejectedInAdvance() {
    #expect(throws: SystemFault.cannotWrite(path: "/nonexistent/report", code: ENOENT)) {
      try EvaluationReport.checkWritable("/nonexistent/report")
    }
  }
}
