import CommandLine
import Detection
import Platform

/// `hotword score`: each file's score peaks, then its length and highest score.
enum ScoreCommand {
  static func run(_ arguments: Arguments) throws {
    let floor = try arguments.number("--floor", in: 0...1) ?? 0.01
    let gap = try arguments.number("--gap", in: 0...3600) ?? 2
    let spotter = try Listening.spotter(arguments.all("--model"), sensitivity: 0.5)
    let keyword = JSON.string(spotter.keywords[0].name)
    for input in arguments.operands {
      var peaks = ScorePeaks(floor: floor, gap: gap)
      let length = try Listening.run(spotter, over: input) { _ in
        if let step = spotter.score(of: 0) { peaks.push(step.score, at: step.end) }
      }
      for peak in peaks.peaks() {
        Output.line([
          "file": .string(input), "keyword": keyword, "at": .rounded(AudioFormat.seconds(peak.at)),
          "score": score(peak.score),
        ])
      }
      Output.line([
        "file": .string(input), "duration": .rounded(AudioFormat.seconds(length)),
        "peak": score(peaks.highest),
      ])
    }
  }

  /// Fine enough to rank the surest ones, whose scores crowd below 1.
  private static func score(_ value: Double) -> JSON { .rounded(value, digits: 6) }
}
