import AudioCapture
import Platform

/// A command that reads a text from its standard input and prints a WAV.
public struct CommandVoice: SpeechVoice {
  private let command: String
  private let timeout: Double

  /// - Parameters:
  ///   - command: a line for `/bin/sh -c`.
  ///   - timeout: seconds after which it is ended.
  public init(_ command: String, timeout: Double = 10) {
    self.command = command
    self.timeout = timeout
  }

  public func say(_ text: String, isCancelled: () -> Bool) throws(SpeechFault) -> [Int16] {
    let result: Subprocess.Result
    do throws(SystemFault) {
      result = try Subprocess(shell: command).run(
        input: Array((text + "\n").utf8), timeout: timeout, keepsErrors: true, cancelled: isCancelled)
    } catch {
      throw .cannotStart(error)
    }
    let program = Subprocess.name(ofShell: command)
    switch result.ending {
    case .exited(0):
      guard let samples = Waveform.decoded(wav: result.output) else { throw .notAudio(command: program) }
      return samples
    case .exited(let status):
      throw .failed(command: program, status: status, detail: result.lastErrorLine)
    case .killed(let signal): throw .killed(command: program, signal: signal)
    case .timedOut: throw .timedOut(command: program, seconds: timeout)
    case .cancelled: throw .cancelled
    }
  }
}
