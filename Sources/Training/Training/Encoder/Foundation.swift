import Detection
import Platform

/// What every training of a phrase stands on: the encoder and the background, from one of the models' folders.
package struct Foundation: Sendable {
  package let encoder: PhonemeEncoder
  package let background: Background

  package static let encoderFile = "encoder.safetensors"
  package static let backgroundFile = "background.bin"

  /// Reads both from the first of the models' folders whose sub-folder `training` holds the encoder.
  ///
  /// - Throws: ``TrainingFault/noFoundation(file:folders:)``, ``TrainingFault/badBackground(path:defect:)``,
  ///   `DetectionFault`, `SystemFault`.
  package init(_ store: ModelStore = .standard()) throws {
    let folders = store.folders.map { "\($0)/training" }
    guard let folder = folders.first(where: { Files.exists("\($0)/\(Self.encoderFile)") }) else {
      throw TrainingFault.noFoundation(file: Self.encoderFile, folders: folders)
    }
    encoder = try PhonemeEncoder(reading: "\(folder)/\(Self.encoderFile)")
    let path = "\(folder)/\(Self.backgroundFile)"
    background = try Background(reading: path)
    guard background.encoder == Background.identity(of: encoder.network) else {
      throw TrainingFault.badBackground(path: path, defect: "another encoder made it")
    }
  }
}
