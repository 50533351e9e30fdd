import Assistant
import FrontEnd
import PCM
import Platform
import Recognition
import TestServers
import Testing
import WyomingServer

@Suite(.limited) struct UtteranceListenerTests {
  private func listener(_ script: ScriptedSpeech) throws -> UtteranceListener {
    UtteranceListener(
      try script.make().start(RecognitionRequest()), try FrontEnd(.standard), EndOfSpeechSettings())
  }

  private let silence = [Int16](repeating: 0, count: 1_000)

  /// The samples after which the listener is over, and its transcript.
  private func end(_ listener: UtteranceListener, within seconds: Double) throws -> (Int, Transcript)? {
    for part in 1...AudioFormat.samples(seconds) / silence.count {
      if let transcript = try listener.push(silence) { return (part * silence.count, transcript) }
    }
    return nil
  }

  @Test func aCompleteSentenceEndsIt() throws {
    let script = ScriptedSpeech(complete: 8_000)
    let (count, transcript) = try #require(try end(listener(script), within: 3))
    #expect(count == 8_000 && transcript.text == "lights on")
  }

  @Test func whereNobodySpeaksItEndsWithoutText() throws {
    let script = ScriptedSpeech()
    let (count, transcript) = try #require(try end(listener(script), within: 6))
    #expect(abs(AudioFormat.seconds(count) - EndOfSpeechSettings().noSpeech) < 0.1)
    #expect(transcript == .silence && script.use.withLock { $0.cancelled } == 1)
  }

  @Test func theRecognizerGetsEverySample() throws {
    let script = ScriptedSpeech()
    let listener = try listener(script)
    for count in [1, 159, 161, 7, 500] {
      #expect(try listener.push([Int16](repeating: 0, count: count)) == nil)
    }
    #expect(try listener.finish().text == "lights on")
    #expect(script.use.withLock { $0.samples } == 828)
  }
}
