import CommandLineParsing
import Glibc
import Platform
import Speakers
import Training

/// `hotword-train speakers`: fits the space in which speech of any words is assigned to speakers; a step of building hotword.
enum SpeakersCommand: Command {
  static let definition = CommandDefinition(
    "speakers", "fit the space that tells speakers apart by any words, from many speakers",
    operands: .atLeast(1, "FOLDER"),
    options: [
      .value("--noise", "DIR", required: true, "background sounds to mix in"),
      .value("--rooms", "DIR", required: true, "impulse responses of rooms"),
      .value("--output", "FILE", required: true, "the file to write"),
      .value("--test", "FOLDER", "other speakers, whose rates are printed"),
    ],
    notes: ["A FOLDER has clips SPEAKER/CLIP."],
    examples: [
      "hotword-train speakers corpus/train/an4 --noise noise --rooms rooms --output voices.safetensors"
    ])

  static func run(_ arguments: Arguments) throws {
    let output = arguments.value("--output")!
    try Files.checkWritable(output)
    let threads = max(1, min(8, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    func corpus(_ folders: [String]) throws -> SpeakerCorpus {
      try SpeakerCorpus(
        folders: folders, noise: arguments.value("--noise")!, rooms: arguments.value("--rooms")!, seed: 1,
        threads: threads)
    }
    let result = VoiceSpaceFit.run(try corpus(arguments.operands), seed: 1, threads: threads)
    try Files.write(result.space.encoded, to: output)
    Output.line([
      "clips": .number(Double(result.clips)), "speakers": .number(Double(result.speakers)),
    ])
    report(result.trials, result.space, ["speakers": "heldOut"])
    if let folder = arguments.value("--test") {
      let others = VoiceTrials(try corpus([folder]).items, result.space, seed: 1, threads: threads)
      report(others, result.space, ["speakers": .string(folder)])
    }
  }

  /// Prints the rates of each kind of trials.
  private static func report(_ trials: VoiceTrials, _ space: VoiceSpace, _ first: JSON) {
    for isShort in [false, true] {
      for rendering in VoiceTrials.Rendering.allCases {
        let rates = trials.rates(space) { $0.isShort == isShort && $0.rendering == rendering }
        let members: [JSON.Member] = [
          JSON.Member("voice", isShort ? "hotwords" : "orders"),
          JSON.Member("order", .string(rendering.rawValue)),
          JSON.Member("trials", .number(Double(rates.trials))),
          JSON.Member("equalErrorRate", .rounded(rates.equalError, digits: 4)),
          JSON.Member("accepted", .rounded(rates.accepted, digits: 4)),
          JSON.Member("othersAccepted", .rounded(rates.othersAccepted, digits: 4)),
        ]
        Output.line(.object((first.members ?? []) + members))
      }
    }
  }
}
