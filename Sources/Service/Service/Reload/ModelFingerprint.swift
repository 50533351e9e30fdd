import Configuration
import Detection
import Platform

/// By what a model in use is known again: its file, the file's bytes and the sensitivity.
struct ModelFingerprint: Equatable {
  let path: String
  let sensitivity: Sensitivity
  /// Within this process only.
  let hash: Int

  /// Those of all models of `settings`.
  static func of(_ settings: ServiceSettings) throws -> [ModelFingerprint] {
    let common = try Sensitivity(settings.sensitivity)
    let store = ModelStore.standard()
    return try settings.models.map { name in
      let reference = try ModelReference(name)
      let path = try store.path(of: reference)
      let bytes: [UInt8]
      do throws(SystemFault) {
        bytes = try Files.read(path)
      } catch {
        throw DetectionFault.system(error)
      }
      var hasher = Hasher()
      bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
      return ModelFingerprint(
        path: path, sensitivity: reference.sensitivity ?? common, hash: hasher.finalize())
    }
  }
}
