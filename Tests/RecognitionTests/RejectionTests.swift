import AudioCapture
import PCM
import Platform
import Recognition
import TestServers
import Testing

/// Recorded commands and other speech, with the grammar of the commands: the share accepted at confidence 0.5.
@Suite(
  .limited, .serialized,
  .enabled(
    if: hasPocketSphinx && sharedAudio != nil, "no PocketSphinx or shared recordings; set HOTWORD_AUDIO"))
struct RejectionTests {
  /// The accepted share of at least `count` recordings from `folder`, each cut to `seconds`.
  private func accepted(
    _ folder: String, by recognizer: PocketSphinxRecognizer, count: Int, seconds: Double
  ) throws -> Double {
    let paths = try Files.list(below: "\(sharedAudio!)/\(folder)").filter { $0.hasSuffix(".opus") }
    var accepted = 0
    var heard = 0
    for index in stride(from: 0, to: paths.count, by: max(1, paths.count / count)) {
      let audio = Array(try AudioFile.read(paths[index]).prefix(AudioFormat.samples(seconds)))
      let session = try recognizer.start(RecognitionRequest(partialResults: false))
      try session.append(audio)
      if try session.finish().confidence >= 0.5 { accepted += 1 }
      heard += 1
    }
    return Double(accepted) / Double(heard)
  }

  @Test func commandsAreAcceptedAndOtherSpeechIsRejected() throws {
    let recognizer = PocketSphinxRecognizer(grammar: CoffeeGrammar.grammar)
    #expect(try accepted("commands/coffee", by: recognizer, count: 10, seconds: 8) >= 0.9)
    #expect(try accepted("speech/librispeech_b", by: recognizer, count: 8, seconds: 3) <= 0.13)
    #expect(try accepted("speech/kathleen_en", by: recognizer, count: 8, seconds: 3) <= 0.13)
  }
}
