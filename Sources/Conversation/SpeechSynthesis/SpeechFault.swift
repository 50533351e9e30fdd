import AudioCapture
import Espeak
import Platform

/// What can go wrong when something is said.
public enum SpeechFault: Fault, Equatable {
  /// espeak-ng cannot be used.
  case espeak(EspeakFault)
  /// espeak-ng has no voice, or no variant, of this name.
  case noVoice(String)
  /// espeak-ng rejected the text.
  case rejected(voice: String)
  /// The command could not be started at all.
  case cannotStart(SystemFault)
  /// The command outlived its time and was ended.
  case timedOut(command: String, seconds: Double)
  /// The command ended with an exit status other than 0; `detail` is the last line of its standard error.
  case failed(command: String, status: Int32, detail: String?)
  /// The command was ended by a signal.
  case killed(command: String, signal: Int32)
  /// What the command gave is no WAV with samples.
  case notAudio(command: String)
  /// It is no longer wanted.
  case cancelled
  /// The device does not play.
  case silent(CaptureFault)

  public var exitCode: ExitCode {
    switch self {
    case .noVoice: .configuration
    case .cannotStart(let fault): fault.exitCode
    case .notAudio: .badData
    case .silent(let fault): fault.exitCode
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
      "\(command): still ran after \(JSON.rounded(seconds)) s and was ended"
    case .failed(let command, let status, let detail):
      "\(command): failed with status \(status)" + (detail.map { ": \($0)" } ?? "")
    case .killed(let command, let signal): "\(command): ended by signal \(signal)"
    case .notAudio(let command): "\(command): printed no WAV; it reads text and prints a WAV"
    case .cancelled: "no longer wanted"
    case .silent(let fault): fault.message
    }
  }
}
