import Platform
import Testing
import Understanding

/// Fixtures and shared helpers.
enum Fixtures {
  static func path(_ name: String) -> String {
    var folder = #filePath.split(separator: "/").map(String.init)
    folder.removeLast()
    return "/" + (folder + ["Fixtures", name]).joined(separator: "/")
  }

  static func understander(_ yaml: String) throws -> Understander {
    try Understander(IntentFile(parsing: Array(yaml.utf8), name: "test.yaml"))
  }

  /// The message of the fault when `yaml` is read and compiled; nil when it is valid.
  static func fault(_ yaml: String) -> String? { fault(Array(yaml.utf8)) }

  static func fault(_ bytes: [UInt8]) -> String? {
    do throws(IntentFileFault) {
      _ = try Understander(IntentFile(parsing: bytes, name: "test.yaml"))
      return nil
    } catch {
      return error.message
    }
  }
}
