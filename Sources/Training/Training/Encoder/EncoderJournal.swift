import Detection
import Platform

/// Writes the checkpoints of an encoder's training and the curve of its accuracy.
struct EncoderJournal {
  let folder: String
  /// The settings of the training.
  let settings: JSON

  /// Seconds between two checkpoints, and steps between two measurements.
  private static let interval = 300.0
  private static let stepsPerMeasurement = 500
  static let curveFile = "encoder-accuracy.tsv"

  private var lastSaved = MonotonicClock.now()

  init(folder: String, settings: JSON) {
    self.folder = folder
    self.settings = settings
  }

  private var path: String { "\(folder)/\(EncoderCheckpoint.file)" }

  /// Reads the checkpoint.
  func checkpoint(shape: NetworkShape) throws -> EncoderCheckpoint {
    try EncoderCheckpoint(reading: path, shape: shape, settings: settings)
  }

  /// Saves a checkpoint every five minutes, and measures every 500 steps.
  mutating func note(
    _ now: FitProgress, _ checkpoint: EncoderCheckpoint, _ heldOut: HeldOutSounds? = nil
  ) {
    if let heldOut, now.step % Self.stepsPerMeasurement == 0 {
      extendCurve(now, heldOut.accuracy(checkpoint.fit!))
    }
    if MonotonicClock.now() - lastSaved >= Self.interval { save(checkpoint) }
  }

  /// Adds a line to the curve, in place of those that an interrupted run wrote for later steps.
  private func extendCurve(_ now: FitProgress, _ accuracy: HeldOutSounds.Accuracy) {
    let path = "\(folder)/\(Self.curveFile)"
    let text = (try? Files.read(path, limit: 1 << 20)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    var lines = text.split(separator: "\n").map(String.init).filter { line in
      Int(line.prefix { $0 != "\t" }).map { $0 < now.step } ?? false
    }
    func percent(_ share: Double) -> String { "\(JSON.rounded(100 * share, digits: 1))" }
    lines.append(
      "\(now.step)\t\(now.positiveLoss)\t\(percent(accuracy.clean))\t\(percent(accuracy.augmented))")
    lines.insert("step\tloss\tclean, %\tnoise and rooms, %", at: 0)
    attempt { () throws(SystemFault) in
      try Files.write(Array((lines.joined(separator: "\n") + "\n").utf8), to: path)
    }
  }

  /// A checkpoint that cannot be written is reported and costs nothing but the chance to continue from it.
  mutating func save(_ checkpoint: EncoderCheckpoint) {
    lastSaved = MonotonicClock.now()
    attempt { () throws(SystemFault) in try checkpoint.write(to: path, settings: settings) }
  }

  private func attempt(_ body: () throws(SystemFault) -> Void) {
    do throws(SystemFault) { try body() } catch { Log.warning(error.message) }
  }
}
