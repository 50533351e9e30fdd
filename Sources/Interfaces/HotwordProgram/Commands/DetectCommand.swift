import CommandLineParsing
import Detection
import PCM
import Platform
import Service
import Speakers

/// `hotword detect`: prints one line per hotword found.
enum DetectCommand: Command {
  static let definition = CommandDefinition(
    "detect", "find hotwords in audio; prints one JSON line for each",
    operands: .atLeast(1, "INPUT"),
    options: [
      .value(
        "--model", "M", repeats: true, required: true, "a model's name or path; M:0.7 sets its sensitivity"),
      SharedOptions.sensitivity, SharedOptions.onlyVoices,
      .flag("--names", "print only the keyword, for programs that wait for a line with a name"),
    ],
    notes: [SharedOptions.inputsNote],
    examples: [
      "hotword detect --model computer meeting.wav",
      "arecord -q -r 16000 -c 1 -f S16_LE -t raw | hotword detect --model computer --names -",
      "arecord -r 16000 -c 1 -f S16_LE -t raw | hotword detect --model alexa --model jarvis:0.7 -",
    ])

  static func run(_ arguments: Arguments) throws {
    let sensitivity = try arguments.number("--sensitivity", in: 0...1) ?? 0.5
    let onlyVoices = arguments.has("--only-voices")
    let onlyNames = arguments.has("--names")
    let spotter = try KeywordSpotter(named: arguments.all("--model"), sensitivity: sensitivity)
    let voices = try KnownVoices.load(for: spotter.keywords.map(\.name), onlyVoices: onlyVoices)
    let recent = voices.map { _ in HeardStream() }
    try AudioInput.each(arguments.operands) { input in
      func report(_ hits: [Hit]) {
        for hit in hits {
          let judgement = voices.flatMap { recent?.judge(hit, by: $0) }
          if onlyVoices, judgement?.name == nil { continue }
          if onlyNames {
            Output.write(hit.keyword + "\n")
          } else {
            Output.line(line(hit, input, judgement))
          }
        }
      }
      _ = try AudioInput.run(spotter, over: input, into: recent) { report(spotter.hits($0)) }
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
