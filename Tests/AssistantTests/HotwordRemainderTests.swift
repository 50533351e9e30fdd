import Assistant
import PCM
import TestServers
import Testing

@Suite(.limited) struct HotwordRemainderTests {
  /// Tones of these lengths in seconds with these amplitudes.
  private func tones(_ parts: (Double, Double)...) -> [Int16] {
    parts.flatMap { seconds, amplitude in
      (0..<AudioFormat.samples(seconds)).map { Int16($0 % 32 < 16 ? amplitude : -amplitude) }
    }
  }

  private let end = AudioFormat.samples(0.5)

  @Test func theRestOfTheHotwordBeforeAPauseIsLeftOut() {
    let heard = tones((0.5, 8_000), (0.06, 3_000), (0.1, 50))
    #expect(HotwordRemainder.commandStart(heard, end: end) == end + AudioFormat.samples(0.06))
  }

  @Test func aPauseThatHasJustBegunEndsTheHotwordToo() {
    let heard = tones((0.5, 8_000), (0.1, 3_000), (0.05, 50))
    #expect(HotwordRemainder.commandStart(heard, end: end) == end + AudioFormat.samples(0.1))
  }

  @Test func speechThatGoesOnIsKept() {
    for heard in [
      tones((0.5, 8_000), (0.3, 3_000)),
      // A stop consonant is no pause.
      tones((0.5, 8_000), (0.06, 3_000), (0.06, 50), (0.2, 5_000)),
      // As long as a word.
      tones((0.5, 8_000), (0.14, 3_000), (0.2, 50)),
      // In noise there is no pause to be seen.
      tones((0.5, 8_000), (0.06, 3_000), (0.2, 2_000)),
    ] {
      #expect(HotwordRemainder.commandStart(heard, end: end) == end)
    }
  }

  @Test func aPauseRightAwayAndLittleAudioChangeNothing() {
    #expect(HotwordRemainder.commandStart(tones((0.5, 8_000), (0.2, 10)), end: end) == end)
    #expect(HotwordRemainder.commandStart(tones((0.5, 8_000), (0.05, 10)), end: end) == end)
    #expect(HotwordRemainder.commandStart(tones((0.5, 8_000)), end: end) == end)
    #expect(HotwordRemainder.commandStart([], end: 0) == 0)
    #expect(HotwordRemainder.commandStart(tones((1, 0)), end: end) == end)
  }
}
