import Glibc
import Platform

extension EvaluationReport {
  /// Checks that ``write(to:verdict:)`` can succeed, before a long evaluation. Writes nothing.
  ///
  /// - Throws: `SystemFault`.
  public static func checkWritable(_ folder: String) throws(SystemFault) {
    if Files.isDirectory(folder) { return try Files.checkWritable("\(folder)/report.json") }
    try makeFolder(folder)
    rmdir(folder)
  }

  /// Writes `report.txt` and `report.json`, the single scores as `recordings.csv` and `alarms.csv`, and the
  /// plots `det.png` and `scores.png` with their data and script, each by rename. Creates `folder` if it is
  /// missing.
  ///
  /// - Parameter verdict: appended to the report.
  /// - Returns: why there are no plots; nil if they were written. Everything else is written in any case.
  /// - Throws: `SystemFault`.
  @discardableResult
  public func write(to folder: String, verdict: Verdict) throws(SystemFault) -> PlotFault? {
    if !Files.isDirectory(folder) { try Self.makeFolder(folder) }
    func write(_ text: String, _ name: String) throws(SystemFault) {
      try Files.write(Array(text.utf8), to: "\(folder)/\(name)")
    }
    try write(text + "\n\(verdict.text)", "report.txt")
    try write("\(json(with: verdict))\n", "report.json")
    try write(recordingsTable, "recordings.csv")
    try write(alarmsTable, "alarms.csv")
    return try ReportPlots(self).write(to: folder)
  }

  /// ``json`` with the member `verdict` appended.
  public func json(with verdict: Verdict) -> JSON {
    .object((json.members ?? []) + [.init("verdict", verdict.json)])
  }

  private static func makeFolder(_ folder: String) throws(SystemFault) {
    guard mkdir(folder, 0o755) == 0 else { throw .cannotWrite(path: folder, code: errno) }
  }

  /// The score of each recording under each condition, as CSV.
  private var recordingsTable: String {
    var text = "name,group,condition,score,score_elsewhere\n"
    for condition in scores.conditions {
      for recording in condition.recordings {
        text += "\(Self.quoted(recording.name)),\(Self.quoted(recording.group ?? "")),\(condition.name),"
        text += "\(Decimals.text(recording.score, 6)),\(Decimals.text(recording.elsewhere, 6))\n"
      }
    }
    return text
  }

  /// The score peaks in audio without the phrase that would be false alarms at a rate of 20 per hour, highest
  /// first, as CSV.
  private var alarmsTable: String {
    let most = max(20, Int(20 * hours))
    let least = most < peaks.count ? peaks[most] : Self.floor
    var rows: [(score: Double, line: String)] = []
    for stream in scores.streams {
      for peak in stream.peaks where peak >= least {
        rows.append((peak, "\(Self.quoted(stream.name)),\(Self.quoted(stream.source)),"))
      }
    }
    rows.sort { $0.score == $1.score ? $0.line < $1.line : $0.score > $1.score }
    return "name,source,score\n" + rows.map { "\($0.line)\(Decimals.text($0.score, 6))\n" }.joined()
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }
}
