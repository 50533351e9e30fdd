import Configuration
import Dialogue
import Platform
import Understanding

/// Creates recognizers, understanding services, handlers and synthesizers by their names in command lines and configuration
/// files.
package enum PlugIns {
  /// The intents in `file`, or the default intents.
  package static func intents(_ file: String?) throws(IntentFileFault) -> IntentFile {
    if let file { try IntentFile(reading: file) } else { try IntentFile.standard() }
  }

  /// The dialogue about the intents in `file`; warns if its questions are in another language than the answers.
  package static func dialogue(
    _ understander: Understander, file: String?
  ) throws(IntentFileFault) -> DialogueStateMachine {
    let dialogue = try DialogueStateMachine(understander)
    if dialogue.hasForeignAnswers {
      Log.warning(
        "\(file ?? "the intent file"): asks questions in '\(understander.language)', but yes, no and cancel are understood in English only; "
          + "set them: dialogue: {words: {yes: […], no: […], cancel: […]}}")
    }
    return dialogue
  }

  /// The text after `command:`; nil for other names.
  package static func commandLine(_ name: String) -> String? {
    guard name.hasPrefix("command:") else { return nil }
    let line = String(name.dropFirst("command:".count))
    return line.allSatisfy(\.isWhitespace) ? nil : line
  }

  /// The certificate file of a plug-in's option `ca`; throws if it cannot be read.
  package static func authorities(_ plugIn: PlugInName) throws -> String? {
    try plugIn["ca"].map { file in
      _ = try Files.read(file)
      return file
    }
  }
}
