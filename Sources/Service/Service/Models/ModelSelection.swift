import Detection
import Platform

/// The models of a command line or a configuration, each file read once.
package struct ModelSelection {
  /// What identifies the models in use: a reload keeps the spotter if all of it is unchanged.
  package struct Identity: Equatable {
    fileprivate struct File: Equatable {
      let path: String
      let sensitivity: Sensitivity
      /// Of the file's bytes.
      let hash: UInt64
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
    var shared = SharedTensors()
    var identity = Identity()
    for name in names {
      let reference = try ModelReference(name)
      let path = try store.path(of: reference)
      guard !identity.files.contains(where: { $0.path == path }) else {
        throw DetectionFault.repeatedModel(reference.name)
      }
      let bytes = try Self.bytes(path)
      models.append((try Self.model(bytes, path, &shared), reference.sensitivity ?? common))
      identity.files.append(
        Identity.File(path: path, sensitivity: reference.sensitivity ?? common, hash: Self.hash(bytes)))
    }
    self.models = models
    self.identity = identity
  }

  /// A spotter of these models at the start of a stream.
  package func spotter() throws(DetectionFault) -> KeywordSpotter { try KeywordSpotter(models) }

  /// FNV-1a over words of eight bytes, which takes an eighth of the time: a model has a million bytes.
  private static func hash(_ bytes: [UInt8]) -> UInt64 {
    bytes.withUnsafeBytes { bytes in
      var hash: UInt64 = 0xCBF2_9CE4_8422_2325
      func add(_ value: UInt64) { hash = (hash ^ value) &* 0x100_0000_01B3 }
      let whole = bytes.count & ~7
      for offset in stride(from: 0, to: whole, by: 8) {
        add(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      }
      for byte in bytes[whole...] { add(UInt64(byte)) }
      add(UInt64(bytes.count))
      return hash
    }
  }

  private static func bytes(_ path: String) throws(DetectionFault) -> [UInt8] {
    do {
      return try Files.read(path)
    } catch {
      throw .system(error)
    }
  }

  private static func model(
    _ bytes: [UInt8], _ path: String, _ shared: inout SharedTensors
  ) throws(DetectionFault) -> HotwordModel {
    do {
      return try HotwordModel(decoding: bytes, sharing: &shared)
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
