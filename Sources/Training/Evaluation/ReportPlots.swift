import Glibc
import Platform

/// The reason why a report has no plots.
public enum PlotFault: Fault, Equatable {
  case noGnuplot(folder: String)
  /// gnuplot failed; the last line of its error output.
  case gnuplotFailed(String)

  public var exitCode: ExitCode { .unavailable }

  public var message: String {
    switch self {
    case .noGnuplot(let folder):
      "no plots: gnuplot is not installed; run 'apt install gnuplot-nox', then 'cd \(folder) && gnuplot "
        + "plots.gnuplot'"
    case .gnuplotFailed(let reason): "no plots: gnuplot failed: \(reason)"
    }
  }
}

/// The two plots of a report: misses against false alarms on logarithmic axes (a DET curve), and histograms
/// of the scores.
struct ReportPlots {
  private let report: EvaluationReport

  init(_ report: EvaluationReport) { self.report = report }

  /// Writes the data, the script and the PNG files, each by rename.
  ///
  /// - Returns: why there are no PNG files; nil if they were written.
  func write(to folder: String) throws(SystemFault) -> PlotFault? {
    try Files.write(Array(curves.utf8), to: "\(folder)/det.tsv")
    try Files.write(Array(histograms.utf8), to: "\(folder)/scores.tsv")
    try Files.write(Array(script(["det.png", "scores.png"]).utf8), to: "\(folder)/plots.gnuplot")
    let names = ["det.png", "scores.png"]
    let partial = names.map { "\($0).\(getpid()).partial" }
    let line = "cd \"$0\" && exec gnuplot -"
    let result = try Subprocess(["/bin/sh", "-c", line, folder]).run(
      input: Array(script(partial).utf8), timeout: 60, keepsErrors: true)
    guard result.ending == .exited(0) else {
      for name in partial { unlink("\(folder)/\(name)") }
      if result.ending == .exited(127) { return .noGnuplot(folder: folder) }
      return .gnuplotFailed(result.lastErrorLine ?? "\(result.ending)")
    }
    for (name, made) in zip(names, partial) where rename("\(folder)/\(made)", "\(folder)/\(name)") != 0 {
      throw .cannotWrite(path: "\(folder)/\(name)", code: errno)
    }
    return nil
  }

  /// The lowest false alarms per hour drawn: half a false alarm in all the audio represents none.
  private var least: Double { report.hours > 0 ? 0.5 / report.hours : 0.5 }
  /// The highest false alarms per hour drawn.
  private static let most = 20.0
  /// The lowest miss rate drawn, in percent: half a recording represents none.
  private var lowest: Double {
    let counts = report.scores.conditions.map(\.recordings.count)
    return 50 / Double(max(1, counts.max() ?? 1))
  }

  /// One block per condition: false alarms per hour, miss rate and the ends of its interval in percent,
  /// threshold.
  private var curves: String {
    var text = "# false alarms per hour, miss rate %, 95 % interval low, high, threshold\n"
    let peaks = report.peaks
    let alarms = min(peaks.count, Int(Self.most * report.hours))
    for (index, condition) in report.scores.conditions.enumerated() {
      if index > 0 { text += "\n\n" }
      text += "# \(condition.name)\n"
      let heights = condition.recordings.map(\.score).sorted()
      var missed = heights.count
      for count in 0...alarms {
        // A threshold just above the next peak has `count` false alarms.
        let threshold = count < peaks.count ? peaks[count].nextUp : EvaluationReport.floor
        while missed > 0, heights[missed - 1] >= threshold { missed -= 1 }
        let interval = Interval.share(missed, of: heights.count)
        let rate = count == 0 ? least : Double(count) / report.hours
        let shares = [Double(missed) / Double(max(1, heights.count)), interval.low, interval.high]
        text += "\(Decimals.text(rate, 5))\t"
        text += shares.map { Decimals.text(max(lowest, 100 * $0), 4) }.joined(separator: "\t")
        text += "\t\(Decimals.text(threshold, 6))\n"
      }
    }
    return text + "\n"
  }

  /// The width of a histogram's bar and half of its range, in logits. The outermost bars include everything
  /// beyond.
  private static let bar = 0.5
  private static let span = 9.5

  /// The centre of each bar as a logit, peaks per hour without the phrase, and each condition's recordings in
  /// percent.
  private var histograms: String {
    let count = Int(2 * Self.span / Self.bar)
    func bars(_ scores: [Double]) -> [Int] {
      var bars = [Int](repeating: 0, count: count)
      for score in scores {
        let place = (EvaluationReport.logit(score) + Self.span) / Self.bar
        bars[max(0, min(count - 1, Int(place)))] += 1
      }
      return bars
    }
    let negatives = bars(report.peaks)
    let positives = report.scores.conditions.map { bars($0.recordings.map(\.score)) }
    var text = "# logit of the score, peaks per hour without the phrase"
    for condition in report.scores.conditions { text += ", recordings % \(condition.name)" }
    for index in 0..<count {
      text += "\n\(Decimals.text((Double(index) + 0.5) * Self.bar - Self.span, 2))"
      text += "\t\(Decimals.text(Double(negatives[index]) / max(report.hours, 1e-9), 4))"
      for (bars, condition) in zip(positives, report.scores.conditions) {
        let share = 100 * Double(bars[index]) / Double(max(1, condition.recordings.count))
        text += "\t\(Decimals.text(share, 3))"
      }
    }
    return text + "\n"
  }

  private static let colours = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"]

  /// Each line is thinner than the one before, so that identical lines are visible.
  private func width(_ index: Int) -> Int { max(2, 5 - index) }

  private func colour(_ index: Int) -> String { Self.colours[index % Self.colours.count] }

  /// Returns the gnuplot script that draws both plots from the data next to it.
  private func script(_ names: [String]) -> String {
    """
    # Draws det.png and scores.png from det.tsv and scores.tsv: gnuplot plots.gnuplot
    set encoding utf8
    set terminal pngcairo size 1000,750 noenhanced font "sans,12"
    set border 3
    set tics nomirror out
    set grid lc rgb "#dddddd" lw 1

    set output "\(names[0])"
    \(detScript)
    unset output
    reset
    set encoding utf8
    set border 3
    set tics nomirror out
    set grid lc rgb "#dddddd" lw 1

    set output "\(names[1])"
    \(histogramScript)
    unset output

    """
  }

  private var header: String {
    let recordings = report.scores.conditions.first?.recordings.count ?? 0
    return "\(report.model): \(recordings) recordings, \(Decimals.text(report.hours, 2)) h without the phrase"
  }

  private var detScript: String {
    let conditions = report.scores.conditions
    var parts = conditions.indices.map { index in
      "\"det.tsv\" index \(index) using 1:3:4 with filledcurves fs transparent solid 0.10 noborder "
        + "lc rgb \"\(colour(index))\" notitle"
    }
    parts += conditions.indices.map { index in
      "\"det.tsv\" index \(index) using 1:2 with lines lw \(width(index)) lc rgb \"\(colour(index))\" "
        + "title \"\(conditions[index].name)\""
    }
    let operating = conditions.indices.map { index -> String in
      let share = report.calibrated.misses[index].rate
      return "\(max(least, report.calibrated.falseAlarmsPerHour)) \(max(lowest, 100 * share))"
    }
    parts.append("$set using 1:2 with points pt 6 ps 1.6 lw 2 lc rgb \"#333333\" title \"as set\"")
    let one = report.hours > 0 ? 1 / report.hours : 1
    return """
      $set << EOD
      \(operating.joined(separator: "\n"))
      EOD
      set title "\(header)"
      set xlabel "false alarms per hour"
      set ylabel "miss rate, %"
      set logscale xy
      set xrange [\(min(0.08, least)):\(Self.most)]
      set yrange [\(lowest * 0.9):100]
      set xtics (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20)
      set ytics (0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100)
      set object 1 rectangle from graph 0, graph 0 to first \(one), graph 1 behind fc rgb "#f2f2f2" fs noborder
      set label 1 "less than one false alarm in total" at graph 0.01, graph 0.97 tc rgb "#888888"
      set arrow 1 from first 0.5, graph 0 to first 0.5, graph 1 nohead dt 2 lc rgb "#888888"
      set key top right
      set rmargin 4
      plot \(parts.joined(separator: ", \\\n  "))
      """
  }

  private var histogramScript: String {
    let conditions = report.scores.conditions
    let ticks = [0.0001, 0.001, 0.01, 0.1, 0.5, 0.9, 0.99, 0.999, 0.9999].map { score in
      "\"\(Decimals.short(score, 4))\" \(Decimals.text(EvaluationReport.logit(score), 4))"
    }
    let share = conditions.indices.map { index in
      "\"scores.tsv\" using 1:\(index + 3) with histeps lw 2.5 lc rgb \"\(colour(index))\" "
        + "title \"\(conditions[index].name)\""
    }
    func marker(_ number: Int, _ threshold: Double, dash: Int) -> String {
      let place = max(-Self.span, min(Self.span, EvaluationReport.logit(threshold)))
      return
        "set arrow \(number) from first \(place), graph 0 to first \(place), graph 1 nohead front dt \(dash) "
        + "lw 1.5 lc rgb \"#333333\""
    }
    let goal = report.comparison.goal
    let dashed = goal.map { "; dashed: at most \(Decimals.short($0)) false alarms per hour" } ?? ""
    return """
      set multiplot layout 2,1 title "\(header)"
      set xrange [-\(Self.span):\(Self.span)]
      set xtics (\(ticks.joined(separator: ", ")))
      set lmargin 11
      set rmargin 5
      set key top left
      \(goal == nil ? "" : marker(1, report.comparison.threshold, dash: 2))
      \(marker(2, report.threshold, dash: 1))
      set ylabel "recordings of the phrase, %"
      set yrange [0:*]
      plot \(share.joined(separator: ", \\\n  "))
      set ylabel "score peaks per hour without it"
      set xlabel "score (solid line: threshold as set\(dashed))"
      set logscale y
      set yrange [\(least):*]
      plot "scores.tsv" using 1:($2 > 0 ? $2 : NaN) with boxes fs solid 0.5 noborder lc rgb "#777777" notitle
      unset multiplot
      """
  }
}
