import CommandLineParsing
import Detection
import PCM
import Platform
import Service
import Speakers

/// `hotword score`: prints each file's score peaks, then its length and highest score.
enum ScoreCommand: Command {
  static let definition = CommandDefinition(
    "score", "list every score peak of one model, for evaluation",
    operands: .atLeast(1, "INPUT"),
    options: [
      .value("--model", "M", required: true, "the model's name or path"),
      .value("--floor", "F", "leave out peaks below this score (default: 0.01)"),
      .value("--gap", "S", "leave out peaks closer than this to a higher one, in seconds (default: 2)"),
    ],
    notes: [SharedOptions.inputsNote],
    examples: ["hotword score --model computer --floor 0.1 clips/*.wav"])

  static func run(_ arguments: Arguments) throws {
    let floor = try arguments.number("--floor", in: 0...1) ?? 0.01
    let gap = try arguments.number("--gap", in: 0...3600) ?? 2
    let name = arguments.all("--model")[0]
    let spotter = try KeywordSpotter(named: [name], sensitivity: 0.5)
    let voices = try KnownVoices.load(for: spotter.keywords.map(\.name), onlyVoices: false)
    let wordLength =
      try voices.map { _ in try ModelStore.standard().model(ModelReference(name)).decision.wordDuration } ?? 0
    let keyword = spotter.keywords[0].name
    try AudioInput.each(arguments.operands) { input in
      var scorePeaks = ScorePeaks(floor: floor, gap: gap)
      let length = try AudioInput.run(spotter, over: input) { _ in
        if let step = spotter.score(of: 0) { scorePeaks.push(step.score, at: step.end) }
      }
      let peaks = scorePeaks.peaks()
      let words = peaks.map { max(0, $0.at - AudioFormat.samples(wordLength))..<$0.at }
      let judgements =
        try voices.map { try self.judgements($0, of: words, keyword: keyword, in: input) } ?? [:]
      for (index, peak) in peaks.enumerated() {
        Output.line(
          .object(
            [
              JSON.Member("file", .string(input)), JSON.Member("keyword", .string(keyword)),
              JSON.Member("at", .rounded(AudioFormat.seconds(peak.at))),
              JSON.Member("score", score(peak.score)),
            ] + KnownVoices.members(judgements[index])))
      }
      Output.line([
        "file": .string(input), "duration": .rounded(AudioFormat.seconds(length)),
        "peak": score(scorePeaks.highest),
      ])
    }
  }

  /// Six digits, which distinguish the many scores just below 1.
  private static func score(_ value: Double) -> JSON { .rounded(value, digits: 6) }

  /// Who spoke the words, by their index, in time order.
  ///
  /// Reads the file a second time; for standard input the result is empty.
  private static func judgements(
    _ voices: EnrolledVoices, of words: [Range<SampleIndex>], keyword: String, in input: String
  ) throws -> [Int: EnrolledVoices.Judgement] {
    guard input != "-", !words.isEmpty else { return [:] }
    let recent = HeardStream()
    var judgements: [Int: EnrolledVoices.Judgement] = [:]
    var next = 0
    func judge(until position: SampleIndex) {
      while next < words.count, words[next].upperBound + AudioFormat.samples(EnrolledVoices.slack) <= position
      {
        let (samples, word) = recent.around(words[next])
        judgements[next] = voices.judge(samples, word: word, keyword: keyword)
        next += 1
      }
    }
    var position = 0
    _ = try AudioInput.forEachFrame(of: input) { frame in
      recent.append(frame)
      position += frame.count
      judge(until: position)
    }
    judge(until: .max)
    return judgements
  }
}
