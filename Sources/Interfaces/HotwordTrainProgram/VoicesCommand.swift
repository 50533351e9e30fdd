import CommandLineParsing
import Glibc
import Platform
import Speakers
import Training

/// `hotword-train voices`: learns what tells voices apart; for the one who builds the program.
enum VoicesCommand {
  static let command = CommandDefinition(
    "voices", "learn from many speakers what tells voices apart",
    options: [
      .value("--words", "DIR", required: true, "clips WORD/SPEAKER_…, several of each speaker's word"),
      .value("--noise", "DIR", required: true, "background sounds to mix in"),
      .value("--output", "FILE", required: true, "the metric to write, as JSON"),
    ],
    examples: ["hotword-train voices --words words --noise noise --output metric.json"])

  static func run(_ arguments: Arguments) throws {
    let output = arguments.value("--output")!
    try Files.checkWritable(output)
    let threads = max(1, min(8, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    let corpus = try VoiceCorpus(
      words: arguments.value("--words")!, noise: arguments.value("--noise")!, seed: 1, threads: threads)
    let result = VoiceMetricFit.run(corpus, seed: 1, threads: threads)
    try Files.write(Array("\(result.metric.json)\n".utf8), to: output)
    Output.line([
      "clips": .number(Double(result.clips)), "speakers": .number(Double(result.speakers)),
      "equalErrorRate": .rounded(result.equalErrorRate, digits: 4),
    ])
  }
}
