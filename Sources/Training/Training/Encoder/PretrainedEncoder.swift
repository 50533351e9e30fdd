import Detection
import Platform

/// The encoder, the embedding and the background on which every phrase is trained, from one of the model folders.
public struct PretrainedEncoder: Sendable {
  package let encoder: PhonemeEncoder
  package let embedding: SpeechEmbedding
  package let background: Background
  /// What networks and verifiers read of the encoder's outputs.
  package let sounds: SoundScores
  private let folder: String

  public static let encoderFile = "encoder.safetensors"
  public static let embeddingFile = "embedding.safetensors"
  package static let backgroundFile = "background.bin"
  package static let bandsFile = "bands.bin"

  /// Reads them from the first model folder whose subfolder `training` contains the encoder.
  ///
  /// - Throws: ``TrainingFault/noPretrainedEncoder(file:folders:)``,
  ///   ``TrainingFault/badBackground(path:defect:)``, `DetectionFault`, `SystemFault`.
  package init(_ store: ModelStore = .standard()) throws {
    let folders = store.folders.map { "\($0)/training" }
    guard let folder = folders.first(where: { Files.exists("\($0)/\(Self.encoderFile)") }) else {
      throw TrainingFault.noPretrainedEncoder(file: Self.encoderFile, folders: folders)
    }
    self.folder = folder
    encoder = try PhonemeEncoder(reading: "\(folder)/\(Self.encoderFile)")
    embedding = try SpeechEmbedding(reading: "\(folder)/\(Self.embeddingFile)")
    let path = "\(folder)/\(Self.backgroundFile)"
    background = try Background(reading: path)
    guard background.encoder == Background.identity(of: encoder.network) else {
      throw TrainingFault.badBackground(path: path, defect: "it belongs to another encoder")
    }
    guard background.embedding == Background.identity(of: embedding.tensors) else {
      throw TrainingFault.badBackground(path: path, defect: "it belongs to another embedding")
    }
    sounds = background.sounds(outputs: encoder.network.shape.outputs)
    guard Files.exists("\(folder)/\(Self.bandsFile)") else {
      throw TrainingFault.noPretrainedEncoder(file: Self.bandsFile, folders: [folder])
    }
  }

  /// Reads the speech from which a second stage's phrases are joined.
  ///
  /// - Throws: ``TrainingFault/badBackground(path:defect:)``, `SystemFault`.
  package func bands() throws -> SpeechBands { try SpeechBands(reading: "\(folder)/\(Self.bandsFile)") }
}
