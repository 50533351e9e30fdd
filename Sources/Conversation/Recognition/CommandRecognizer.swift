import Platform

/// Any speech-to-text program, run as a shell command: it reads a WAV file (16 kHz, 16 bits, mono) from standard input
/// and writes the transcript to standard output.
///
/// An exit status other than 0 is a failure, reported with the last line of standard error; no output means no speech.
/// After `timeout` seconds the command gets SIGTERM, and SIGKILL half a second later. The output is joined to one line.
public final class CommandRecognizer: Recognizer {
  public let name = "command"
  public let locale: String
  /// The command for `/bin/sh -c`.
  public let command: String
  /// Maximum seconds from the end of the audio.
  public let timeout: Double

  public init(command: String, locale: String = "", timeout: Double = 30) {
    self.command = command
    self.locale = locale
    self.timeout = timeout
  }

  public var availability: RecognizerAvailability {
    command.allSatisfy(\.isWhitespace) ? .unavailable(.emptyCommand) : .available
  }

  public func prepare() throws(RecognitionFault) {
    if case .unavailable(let fault) = availability { throw fault }
  }

  public func start(_ request: RecognitionRequest) throws(RecognitionFault) -> any RecognitionSession {
    try prepare()
    return RecordedSession { (wave, isCancelled) throws(RecognitionFault) in
      try self.transcribe(wave, isCancelled: isCancelled)
    }
  }

  private func transcribe(
    _ wave: [UInt8], isCancelled: @escaping () -> Bool
  ) throws(RecognitionFault) -> String {
    let result: Subprocess.Result
    do {
      result = try Subprocess(shell: command).run(
        input: wave, timeout: timeout, keepsErrors: true, cancelled: isCancelled)
    } catch {
      throw .system(error)
    }
    let program = Subprocess.name(ofShell: command)
    switch result.ending {
    case .exited(0): break
    case .exited(let status):
      throw .commandFailed(command: program, status: status, line: result.lastErrorLine)
    case .killed(let signal): throw .commandKilled(command: program, signal: signal)
    case .timedOut: throw .commandTimedOut(command: program, seconds: timeout)
    case .cancelled: throw .cancelled
    }
    return PlainText.line(String(decoding: result.output, as: UTF8.self), limit: Transcript.textLimit)
  }
}
