import Detection
import Platform

/// The models of a command line or a configuration, each file read once.
package struct ModelSelection {
  /// What identifies the models in use: a reload keeps the spotter if all of it is unchanged.
  package struct Identity: Equatable {
    fileprivate struct File: Equatable {
      let path: String
      let sensitivity: Sensitivity
      /// Of the file's bytes, within this process only.
      let hash: Int
    }

    fileprivate var files: [File] = []
  }

  fileprivate let models: [(model: HotwordModel, sensitivity: Sensitivity)]
  package let identity: Identity

  /// Reads models by name or path, each with its own sensitivity (`M:0.7`) or else the common one, 0…1.
  package init(_ names: [String], sensitivity: Double) throws {
    let common = try Sensitivity(sensitivity)
    let store = ModelStore.standard()
    var models: [(model: HotwordModel, sensitivity: Sensitivity)] = []
    var identity = Identity()
    for name in names {
      let reference = try ModelReference(name)
      let path = try store.path(of: reference)
      guard !identity.files.contains(where: { $0.path == path }) else {
        throw DetectionFault.repeatedModel(reference.name)
      }
      let bytes = try Self.bytes(path)
      models.append((try Self.model(bytes, path), reference.sensitivity ?? common))
      var hasher = Hasher()
      bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
      identity.files.append(
        Identity.File(path: path, sensitivity: reference.sensitivity ?? common, hash: hasher.finalize()))
    }
    self.models = models
    self.identity = identity
  }

  /// A spotter of these models at the start of a stream.
  package func spotter() throws(DetectionFault) -> KeywordSpotter { try KeywordSpotter(models) }

  private static func bytes(_ path: String) throws(DetectionFault) -> [UInt8] {
    do {
      return try Files.read(path)
    } catch {
      throw .system(error)
    }
  }

  private static func model(_ bytes: [UInt8], _ path: String) throws(DetectionFault) -> HotwordModel {
    do {
      return try HotwordModel(decoding: bytes)
    } catch {
      throw .badModel(path: path, defect: error)
    }
  }
}

extension KeywordSpotter {
  /// The spotter of models by name or path; see ``ModelSelection``.
  package convenience init(named names: [String], sensitivity: Double) throws {
    try self.init(ModelSelection(names, sensitivity: sensitivity).models)
  }
}
