import AudioCapture
import Platform
import Recognition
import Testing

/// Real orders against real other speech, with the orders' grammar: what confidence 0.5 accepts of each.
@Suite(
  .serialized,
  .enabled(
    if: hasPocketSphinx && sharedAudio != nil, "no PocketSphinx or shared recordings; set HOTWORD_AUDIO"))
struct RejectionTests {
  private func accepted(_ folder: String, count: Int, seconds: Double) throws -> (
    share: Double, processor: Double
  ) {
    let recognizer = PocketSphinxRecognizer(grammar: CoffeeGrammar.grammar)
    try recognizer.prepare()
    let paths = try Files.list(below: "\(sharedAudio!)/\(folder)").filter { $0.hasSuffix(".opus") }
    var accepted = 0
    var heard = 0
    var samples = 0
    let began = MonotonicClock.processorTime()
    for index in stride(from: 0, to: paths.count, by: max(1, paths.count / count)) {
      let audio = Array(try AudioFile.read(paths[index]).prefix(AudioFormat.samples(seconds)))
      let session = try recognizer.start(RecognitionRequest(partialResults: false))
      try session.append(audio)
      if try session.finish().confidence >= 0.5 { accepted += 1 }
      heard += 1
      samples += audio.count
    }
    let processor = (MonotonicClock.processorTime() - began) / AudioFormat.seconds(samples)
    let share = Double(accepted) / Double(heard)
    print("\(folder): accepted \(accepted) of \(heard), \(processor) s of processor time per second")
    return (share, processor)
  }

  @Test func ordersAreAcceptedAndOtherSpeechIsNot() throws {
    #expect(try accepted("commands/coffee", count: 30, seconds: 12).share >= 0.9)
    #expect(try accepted("speech/librispeech_b", count: 30, seconds: 4).share <= 0.07)
    #expect(try accepted("speech/kathleen_en", count: 30, seconds: 4).share <= 0.07)
  }
}
