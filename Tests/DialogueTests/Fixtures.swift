import Platform
import Understanding

enum Fixtures {
  static func path(_ name: String) -> String {
    var folder = #filePath.split(separator: "/").map(String.init)
    folder.removeLast()
    return "/" + (folder + ["Fixtures", name]).joined(separator: "/")
  }

  static func understander(_ yaml: String) throws(IntentFileFault) -> Understander {
    try Understander(IntentFile(parsing: Array(yaml.utf8), name: "test.yaml"))
  }

  /// The message of the fault when `yaml` is read and compiled; nil when it is valid.
  static func fault(_ yaml: String) -> String? {
    do throws(IntentFileFault) {
      _ = try understander(yaml)
      return nil
    } catch {
      return error.message
    }
  }
}
