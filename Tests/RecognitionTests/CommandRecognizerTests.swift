import Platform
import Recognition
import TestServers
import Testing

@Suite(.limited) struct CommandRecognizerTests {
  private func hear(_ command: String, _ samples: [Int16] = [1, -2, 300], timeout: Double = 5)
    throws(RecognitionFault)
    -> Transcript
  {
    let session = try CommandRecognizer(command: command, timeout: timeout).start(RecognitionRequest())
    try session.append(samples)
    return try session.finish()
  }

  @Test func theOutputIsTheTranscript() throws {
    #expect(try hear("cat >/dev/null; printf ' turn on\\nthe light \\n'").text == "turn on the light")
  }

  @Test func theCommandReceivesAWaveFile() throws {
    #expect(try hear("wc -c").text == "50")
    #expect(try hear("head -c 4").text == "RIFF")
    #expect(try hear("tail -c 6 | od -An -tx1").text == "01 00 fe ff 2c 01")
    let long = [Int16](repeating: 7, count: 200_000)
    #expect(try hear("wc -c", long).text == "400044")
    #expect(try hear("echo deaf", long).text == "deaf")
  }

  @Test func noOutputMeansNoSpeech() throws {
    #expect(try hear("cat >/dev/null; echo") == .silence)
  }

  @Test func aFailureReportsTheLastErrorLine() {
    let command = "echo first >&2; echo 'no model' >&2; echo >&2; exit 3"
    #expect(throws: RecognitionFault.commandFailed(command: "echo", status: 3, line: "no model")) {
      try hear(command)
    }
    #expect(throws: RecognitionFault.commandFailed(command: "exit", status: 1, line: nil)) {
      try hear("exit 1")
    }
  }

  @Test func aHangingCommandIsTerminated() {
    let began = MonotonicClock.now()
    #expect(throws: RecognitionFault.commandTimedOut(command: "trap", seconds: 0.2)) {
      try hear("trap '' TERM; sleep 20", timeout: 0.2)
    }
    #expect(MonotonicClock.now() - began < 5)
  }

  @Test func anEmptyCommandIsUnavailable() {
    #expect(CommandRecognizer(command: " ").availability == .unavailable(.emptyCommand))
  }

  @Test func aSessionIsUsedOnce() throws {
    let session = try CommandRecognizer(command: "cat >/dev/null; echo a").start(RecognitionRequest())
    #expect(session.state == .starting)
    _ = try session.finish()
    #expect(session.state == .completed)
    #expect(throws: RecognitionFault.sessionOver) { try session.append([1]) }
    let other = try CommandRecognizer(command: "echo a").start(RecognitionRequest())
    other.cancel()
    #expect(throws: RecognitionFault.cancelled) { try other.finish() }
  }
}
