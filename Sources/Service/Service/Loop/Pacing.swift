import AudioCapture

/// Whether the audio may run ahead of the conversation.
package enum Pacing: Sendable {
  /// It never waits: a microphone, or a file played as if it were one.
  case live
  /// It waits while the conversation is busy.
  case file
  /// It waits while the conversation is busy and the stream is ahead of the wall clock.
  case pipe

  /// - Parameter isPaced: whether a file is played as if it were live.
  package init(_ input: InputName, isPaced: Bool) {
    switch input {
    case .alsa: self = .live
    case .file: self = isPaced ? .live : .file
    case .standardInput: self = isPaced ? .live : .pipe
    }
  }
}
