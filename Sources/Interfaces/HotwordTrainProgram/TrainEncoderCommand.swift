import CommandLineParsing
import Corpora
import Detection
import Platform
import Training
import TrainingCommands

/// `hotword train-encoder`: makes the pretrained encoder and the background features from transcribed speech.
enum TrainEncoderCommand: Command {
  static let definition = TrainingCommands.trainEncoder

  static func run(_ arguments: Arguments) throws {
    let isForCommands = arguments.has("--commands")
    for option in ["--resume", "--only-background", "--only-bands", "--from"]
    where isForCommands && arguments.has(option) {
      throw UsageFault.conflict(
        option, "--commands", reason: "that training starts anew and makes one file", command: name)
    }
    if arguments.has("--only-background"), arguments.has("--only-bands") {
      throw UsageFault.conflict(
        "--only-background", "--only-bands", reason: "each makes one file", command: name)
    }
    var settings = isForCommands ? CommandEncoderTrainer.settings : EncoderSettings()
    settings.recordings = arguments.all("--recordings")
    settings.transcripts = arguments.all("--transcripts")
    settings.negatives = arguments.all("--negatives")
    guard !settings.transcripts.isEmpty || arguments.has("--only-background") else {
      throw UsageFault.missingOption("--transcripts", value: "FILE", command: name)
    }
    guard !settings.negatives.isEmpty || arguments.has("--only-bands") else {
      throw UsageFault.missingOption("--negatives", value: "DIR", command: name)
    }
    settings.noise = arguments.all("--noise")
    settings.rooms = arguments.all("--rooms")
    settings.aligner = try arguments.value("--aligner").map { try PhonemeEncoder(reading: $0) }
    settings.seed = UInt64(try arguments.integer("--seed", in: 0...Int(Int32.max)) ?? 1)
    if let steps = try arguments.integer("--steps", in: 10...1_000_000) { settings.steps = steps }
    if let channels = try arguments.integer("--channels", in: 16...512) {
      let shape = settings.shape
      settings.shape = try NetworkShape(
        channels: channels, dilations: shape.dilations, outputs: shape.outputs)
    }
    if let path = arguments.value("--from") {
      let start = try PhonemeEncoder(reading: path)
      guard start.network.shape == settings.shape else {
        throw TrainingFault.otherShape(path: path, channels: start.network.shape.channels)
      }
      settings.start = start
    }
    let output = arguments.value("--output") ?? (isForCommands ? "Models/recognition/en" : "Models/training")
    let folders = settings.recordings + settings.negatives + settings.noise + settings.rooms
    for folder in [output] + folders where !Files.isDirectory(folder) { throw CorpusFault.noFolder(folder) }
    if !isForCommands {
      settings.embedding = try SpeechEmbedding(reading: "\(output)/\(PretrainedEncoder.embeddingFile)")
    }
    let display = ProgressDisplay()
    defer { display.end() }
    if arguments.has("--only-bands") {
      let encoder = try PhonemeEncoder(reading: "\(output)/\(PretrainedEncoder.encoderFile)")
      try EncoderTrainer.writeBands(settings, alignedBy: encoder, to: output, progress: display.show)
      return
    }
    if arguments.has("--only-background") {
      let encoder = try PhonemeEncoder(reading: "\(output)/\(PretrainedEncoder.encoderFile)")
      try EncoderTrainer.writeBackground(of: encoder, settings, to: output, progress: display.show)
      return
    }
    if isForCommands {
      let encoder = try CommandEncoderTrainer.train(settings, progress: display.show)
      try Files.write(encoder.encoded, to: "\(output)/\(settings.seed)\(ModelStore.suffix)")
      display.end()
      Log.note("\(output): \(Int(MonotonicClock.processorTime())) s of CPU")
      return
    }
    let trained = try EncoderTrainer.train(
      settings, in: output, continues: arguments.has("--resume"), progress: display.show)
    try trained.write(to: output)
    display.end()
    Log.note(
      "\(output): \(Int(MonotonicClock.processorTime())) s of CPU; \(trained.summary)")
  }
}
