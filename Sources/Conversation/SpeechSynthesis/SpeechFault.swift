import AudioCapture
import Espeak
import Platform

/// An error of speech synthesis or playback.
public enum SpeechFault: Fault, Equatable {
  /// espeak-ng cannot be used.
  case espeak(EspeakFault)
  /// espeak-ng has no voice or no variant of this name.
  case noVoice(String)
  /// espeak-ng rejected the text.
  case rejected(voice: String)
  /// The command could not be started at all.
  case cannotStart(SystemFault)
  /// The command exceeded its time limit and was ended.
  case timedOut(command: String, seconds: Double)
  /// The command ended with an exit status other than 0; `detail` is the last line of its standard error.
  case failed(command: String, status: Int32, detail: String?)
  /// The command was ended by a signal.
  case killed(command: String, signal: Int32)
  /// The output of the command is not a WAV with samples.
  case notAudio(command: String)
  /// The speech was cancelled.
  case cancelled
  /// The device cannot play.
  case cannotPlay(CaptureFault)

  public var exitCode: ExitCode {
    switch self {
    case .noVoice: .configuration
    case .cannotStart(let fault): fault.exitCode
    case .notAudio: .badData
    case .cannotPlay(let fault): fault.exitCode
    case .espeak(let fault): fault.exitCode
    case .rejected, .timedOut, .failed, .killed, .cancelled: .unavailable
    }
  }

  public var message: String {
    switch self {
    case .espeak(let fault): "\(fault.message), or set speak to command:LINE"
    case .noVoice(let name): "espeak-ng has no voice '\(name)'; 'espeak-ng --voices' lists them"
    case .rejected(let voice): "espeak-ng cannot speak this text with the voice '\(voice)'"
    case .cannotStart(let fault): fault.message
    case .timedOut(let command, let seconds):
      "\(command): ended after \(JSON.rounded(seconds)) s; set a longer handler-timeout or use a faster command"
    case .failed(let command, let status, let detail):
      "\(command): failed with status \(status)" + (detail.map { ": \($0)" } ?? "")
    case .killed(let command, let signal): "\(command): ended by signal \(signal)"
    case .notAudio(let command): "\(command): printed no WAV; use a command that reads text and prints a WAV"
    case .cancelled: "the speech was cancelled"
    case .cannotPlay(let fault): fault.message
    }
  }
}
