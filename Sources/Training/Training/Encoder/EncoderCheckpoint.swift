import Detection
import Platform

/// The state of an encoder's training, from which it can continue with the same result; one file.
package struct EncoderCheckpoint: Sendable, Equatable {
  /// The encoder that aligns the recordings, once it is trained.
  package var teacher: TrainableNetwork?
  /// The state of the current fit: of the teacher, or of the encoder; nil before its first step.
  package var fit: FitState?

  package init(teacher: TrainableNetwork? = nil, fit: FitState? = nil) {
    self.teacher = teacher
    self.fit = fit
  }

  package static let file = "encoder.checkpoint"
  private static let format = "hotword-encoder-checkpoint-1"
  /// A header and five vectors of all parameters that a network may have.
  private static let fileLimit = 5 * Safetensors.fileLimit

  /// Writes the file at `path`, by rename.
  ///
  /// - Parameter settings: the settings of the training.
  package func write(to path: String, settings: JSON) throws(SystemFault) {
    var tensors: [NetworkWeights.Tensor] = []
    func add(_ name: String, _ values: [Float]) {
      tensors.append(NetworkWeights.Tensor(name: name, shape: [values.count], values: values))
    }
    func add(_ name: String, _ network: TrainableNetwork) {
      add("\(name).parameters", network.parameters)
      add("\(name).statistics", network.statistics)
      add("\(name).inputScale", network.inputScale)
    }
    if let teacher { add("teacher", teacher) }
    if let fit {
      add("network", fit.network)
      add("optimizer.mean", fit.optimizer.mean)
      add("optimizer.square", fit.optimizer.square)
      add("optimizer.averaged", fit.optimizer.averaged)
    }
    let contents = Safetensors(
      tensors: tensors,
      metadata: [
        ("format", Self.format), ("settings", settings.description),
        ("steps", "\(fit?.optimizer.taken ?? 0)"),
      ])
    try Files.write(contents.encoded, to: path)
  }

  /// Reads the file at `path`.
  ///
  /// - Throws: ``TrainingFault/badCheckpoint(path:defect:)`` if it is damaged or belongs to a training
  ///   with other settings.
  package init(reading path: String, shape: NetworkShape, settings: JSON) throws {
    func invalid(_ defect: String) -> TrainingFault { .badCheckpoint(path: path, defect: defect) }
    guard let file = try? Safetensors(decoding: Files.read(path, limit: Self.fileLimit)),
      file["format"] == Self.format, let steps = file["steps"].flatMap({ Int($0) }), steps >= 0
    else { throw invalid("it is damaged, or of another version") }
    guard file["settings"] == settings.description else {
      throw invalid("it belongs to a training with other options or other data")
    }
    let layout = ParameterLayout(shape)
    func values(_ name: String, _ count: Int) throws(TrainingFault) -> [Float] {
      guard let values = file.tensor(name)?.values, values.count == count else {
        throw invalid("'\(name)' is missing")
      }
      return values
    }
    func network(_ name: String) throws(TrainingFault) -> TrainableNetwork {
      var network = TrainableNetwork(shape, seed: 0)
      network.parameters = try values("\(name).parameters", layout.count)
      network.statistics = try values("\(name).statistics", layout.statisticsCount)
      network.inputScale = try values("\(name).inputScale", shape.inputs)
      return network
    }
    if file.tensor("teacher.parameters") != nil { teacher = try network("teacher") }
    if file.tensor("network.parameters") != nil {
      fit = FitState(
        network: try network("network"),
        optimizer: Optimizer.State(
          mean: try values("optimizer.mean", layout.count),
          square: try values("optimizer.square", layout.count), taken: steps,
          averaged: try values("optimizer.averaged", layout.count)))
    }
  }
}
