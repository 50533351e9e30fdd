import CommandLineParsing
import Glibc
import Platform
import Speakers
import Training

/// `hotword-train voices`: fits the metric that distinguishes voices; a step of building hotword.
enum VoicesCommand: Command {
  static let definition = CommandDefinition(
    "voices", "fit the metric that distinguishes voices, from many speakers",
    options: [
      .value("--words", "DIR", required: true, "clips WORD/SPEAKER_…, several of each word by each speaker"),
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
