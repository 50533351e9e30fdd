extension EvaluationReport {
  /// The report as text, up to 80 columns wide.
  public var text: String {
    let recordings = scores.conditions.first?.recordings.count ?? 0
    var lines = TextTable.wrap(
      "\(model): \(Decimals.count(recordings, "recording", "recordings")) of the phrase, "
        + "\(Decimals.text(hours, 2)) h of audio without it in \(Decimals.count(scores.streams.count, "file", "files"))",
      indent: 0, hanging: 2)
    lines += [""] + pointLines
    if !sources.isEmpty { lines += [""] + sourceLines }
    if !groups.isEmpty { lines += [""] + groupLines }
    let notes = caveats
    if !notes.isEmpty { lines.append("") }
    for note in notes { lines += TextTable.wrap("- \(note.message)", indent: 0, hanging: 2) }
    return lines.joined(separator: "\n") + "\n"
  }

  private var pointLines: [String] {
    let columns = points + [calibrated]
    let widths = [19] + columns.map { _ in 12 }
    func line(_ title: String, _ cell: (OperatingPoint) -> String) -> String {
      TextTable.row([title] + columns.map(cell), widths: widths)
    }
    func range(_ interval: Interval, _ text: (Double) -> String) -> String {
      "\(text(interval.low))–\(text(interval.high))"
    }
    var lines = [
      line("false alarm limit/h") { $0.goal.map { Decimals.short($0) } ?? "as set" },
      line("threshold") { ($0.isEstimated ? "~" : "") + Decimals.text($0.threshold, 4) },
      line("false alarms") { "\($0.falseAlarms)" },
      line("  per hour") { Decimals.text($0.falseAlarmsPerHour, 2) },
      line("  95 % interval") { range($0.interval) { Decimals.text($0, $0 < 100 ? 2 : 0) } },
    ]
    for (index, condition) in scores.conditions.enumerated() {
      lines.append(line("missed, \(condition.name)") { "\($0.misses[index].missed)" })
      if condition.recordings.isEmpty { continue }
      lines.append(line("  %") { Decimals.percent($0.misses[index].rate) })
      lines.append(line("  95 % interval") { range($0.misses[index].interval, Decimals.percent) })
    }
    return lines
  }

  /// The number of rows that a table shows; the rest is one line.
  private static let shownRows = 20

  private var place: String {
    comparison.goal.map { "limit \(Decimals.short($0)) per hour" } ?? "threshold as set"
  }

  private var sourceLines: [String] {
    let widths = [29, 7, 8, 8, 8, 14, 5]
    var lines = [
      "False alarms by source, \(place), and (set) at the threshold as set:",
      TextTable.row(["", "files", "hours", "alarms", "per h", "95 % interval", "set"], widths: widths),
    ]
    for source in sources.prefix(Self.shownRows) + outstandingFiles.prefix(Self.shownRows) {
      let interval = source.interval
      let ends = [interval.low, interval.high].map { Decimals.text($0, $0 < 100 ? 2 : 0) }
      let row = TextTable.row(
        [
          TextTable.shortened(source.name, to: 28), "\(source.files)", Decimals.text(source.hours, 2),
          "\(source.falseAlarms)", Decimals.text(source.perHour, 2), ends.joined(separator: "–"),
          "\(source.falseAlarmsAsSet)",
        ], widths: widths)
      lines.append(source.isAboveShare ? "\(row) !" : row)
    }
    let rest = sources.dropFirst(Self.shownRows)
    if !rest.isEmpty {
      lines.append(
        TextTable.row(
          [
            "\(rest.count) other sources", "\(rest.reduce(0) { $0 + $1.files })",
            Decimals.text(rest.reduce(0) { $0 + $1.hours }, 2), "\(rest.reduce(0) { $0 + $1.falseAlarms })",
            "", "",
            "\(rest.reduce(0) { $0 + $1.falseAlarmsAsSet })",
          ], widths: widths))
    }
    return lines
  }

  private var groupLines: [String] {
    let widths = [30, 12, 8, 8, 16]
    let missed = groups.filter { $0.missed > 0 }
    var lines = [
      "Missed by speaker or folder, clean, \(place):",
      TextTable.row(["", "recordings", "missed", "%", "95 % interval"], widths: widths),
    ]
    for group in missed.prefix(Self.shownRows) {
      let ends = [group.interval.low, group.interval.high].map(Decimals.percent)
      lines.append(
        TextTable.row(
          [
            TextTable.shortened(group.name, to: 29), "\(group.recordings)", "\(group.missed)",
            Decimals.percent(group.rate), ends.joined(separator: "–"),
          ], widths: widths))
    }
    let rest = groups.dropFirst(min(missed.count, Self.shownRows))
    if !rest.isEmpty {
      lines.append(
        TextTable.row(
          [
            "\(rest.count) other groups", "\(rest.reduce(0) { $0 + $1.recordings })",
            "\(rest.reduce(0) { $0 + $1.missed })",
          ], widths: widths))
    }
    return lines
  }
}
