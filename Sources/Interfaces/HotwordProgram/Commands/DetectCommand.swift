import CommandLineParsing
import Detection
import PCM
import Platform
import Service
import Speakers

/// `hotword detect`: one line per hotword found.
enum DetectCommand {
  static func run(_ arguments: Arguments) throws {
    let sensitivity = try arguments.number("--sensitivity", in: 0...1) ?? 0.5
    let onlyVoices = arguments.has("--only-voices")
    let onlyNames = arguments.has("--names")
    let spotter = try KeywordSpotter(named: arguments.all("--model"), sensitivity: sensitivity)
    let voices = try KnownVoices.load(for: spotter.keywords, onlyVoices: onlyVoices)
    let heard = voices.map { _ in HeardStream() }
    for input in arguments.operands {
      func report(_ hits: [Hit]) {
        for hit in hits {
          let judgement = voices.flatMap { $0.judge(hit, in: heard) }
          if onlyVoices, judgement?.name == nil { continue }
          if onlyNames {
            Output.write(hit.keyword + "\n")
          } else {
            Output.line(line(hit, input, judgement))
          }
        }
      }
      _ = try Listening.run(spotter, over: input, hearing: heard) { report(spotter.hits($0)) }
      report(spotter.hits(spotter.finish()))
    }
  }

  private static func line(_ hit: Hit, _ input: String, _ judgement: EnrolledVoices.Judgement?) -> JSON {
    .object(
      [
        JSON.Member("file", .string(input)), JSON.Member("keyword", .string(hit.keyword)),
        JSON.Member("start", .rounded(AudioFormat.seconds(hit.start))),
        JSON.Member("end", .rounded(AudioFormat.seconds(hit.end))),
        JSON.Member("score", .rounded(hit.score, digits: 6)),
      ] + KnownVoices.members(judgement))
  }
}

extension EnrolledVoices {
  /// Who spoke `hit`, by what was `heard` so far; nil where no voice is enrolled with it.
  func judge(_ hit: Hit, in heard: HeardStream?) -> Judgement? {
    guard know(hit.keyword), let (samples, word) = heard?.around(hit.start..<hit.end) else { return nil }
    return judge(samples, word: word, keyword: hit.keyword)
  }
}
