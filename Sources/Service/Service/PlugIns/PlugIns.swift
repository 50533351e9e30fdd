import Configuration
import Platform
import Understanding

/// Recognizers, intents and handlers by the names that command lines and configuration files give them.
package enum PlugIns {
  /// The intents in `file`, or those of the default home.
  package static func intents(_ file: String?) throws -> IntentFile {
    if let file { try IntentFile(reading: file) } else { try IntentFile.standard() }
  }

  /// What follows `command:`; nil for other names.
  package static func commandLine(_ name: String) -> String? {
    guard name.hasPrefix("command:") else { return nil }
    let line = String(name.dropFirst("command:".count))
    return line.allSatisfy(\.isWhitespace) ? nil : line
  }

  /// The file of certificates that a plug-in's option `ca` names, once it has been read.
  package static func authorities(_ plugIn: PlugInName) throws -> String? {
    try plugIn["ca"].map { file in
      _ = try Files.read(file)
      return file
    }
  }
}
