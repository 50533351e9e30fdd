import Detection
import Platform

/// The encoder and the background on which every phrase is trained, from one of the model folders.
public struct PretrainedEncoder: Sendable {
  package let encoder: PhonemeEncoder
  package let background: Background
  /// What networks and verifiers read of the encoder's outputs.
  package let sounds: SoundScores

  public static let encoderFile = "encoder.safetensors"
  package static let backgroundFile = "background.bin"

  /// Reads both from the first model folder whose subfolder `training` contains the encoder.
  ///
  /// - Throws: ``TrainingFault/noPretrainedEncoder(file:folders:)``,
  ///   ``TrainingFault/badBackground(path:defect:)``, `DetectionFault`, `SystemFault`.
  package init(_ store: ModelStore = .standard()) throws {
    let folders = store.folders.map { "\($0)/training" }
    guard let folder = folders.first(where: { Files.exists("\($0)/\(Self.encoderFile)") }) else {
      throw TrainingFault.noPretrainedEncoder(file: Self.encoderFile, folders: folders)
    }
    encoder = try PhonemeEncoder(reading: "\(folder)/\(Self.encoderFile)")
    let path = "\(folder)/\(Self.backgroundFile)"
    background = try Background(reading: path)
    guard background.encoder == Background.identity(of: encoder.network) else {
      throw TrainingFault.badBackground(path: path, defect: "it belongs to another encoder")
    }
    sounds = background.sounds(outputs: encoder.network.shape.outputs)
  }
}
