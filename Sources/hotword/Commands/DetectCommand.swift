import CommandLine
import Detection
import Platform

/// `hotword detect`: one line per hotword found.
enum DetectCommand {
  static func run(_ arguments: Arguments) throws {
    let sensitivity = try arguments.number("--sensitivity", in: 0...1) ?? 0.5
    let spotter = try Listening.spotter(arguments.all("--model"), sensitivity: sensitivity)
    for input in arguments.operands {
      _ = try Listening.run(spotter, over: input) { report(spotter.hits($0), input) }
      report(spotter.hits(spotter.finish()), input)
    }
  }

  private static func report(_ hits: [Hit], _ input: String) {
    for hit in hits {
      Output.line([
        "file": .string(input), "keyword": .string(hit.keyword),
        "start": .rounded(AudioFormat.seconds(hit.start)), "end": .rounded(AudioFormat.seconds(hit.end)),
        "score": .rounded(hit.score, digits: 6),
      ])
    }
  }
}
