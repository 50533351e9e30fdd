import Platform
import Speakers
import TestServers
import Testing

@Suite(.limited) struct VoicePrintTests {
  @Test func aPrintDoesNotDependOnTheLevel() throws {
    let loud = try #require(VoicePrint(Signals.word(tract: 1, pitch: 120), word: Signals.range))
    let soft = try #require(VoicePrint(Signals.word(tract: 1, pitch: 120, gain: 0.3), word: Signals.range))
    let other = try #require(VoicePrint(Signals.word(tract: 1.2, pitch: 120), word: Signals.range))
    let metric = VoiceMetric.standard
    #expect(metric.evidence(loud, soft) > metric.evidence(loud, other))
    #expect(metric.evidence(loud, soft) > metric.threshold)
  }

  @Test func silenceAndClicksHaveNoPrint() {
    let silence = [Int16](repeating: 0, count: 16_000)
    #expect(VoicePrint(silence, word: 0..<16_000) == nil)
    #expect(VoicePrint([], word: 0..<0) == nil)
    #expect(VoicePrint(Signals.word(tract: 1, pitch: 120), word: 0..<4_000) == nil)
    var click = silence
    for index in 8_000..<8_040 { click[index] = 20_000 }
    #expect((VoicePrint(click, word: 0..<16_000)?.count ?? 0) < 30)
  }

  @Test func thePrintContainsTheWordAndLittleElse() throws {
    let print = try #require(VoicePrint(Signals.word(tract: 1, pitch: 120), word: 0..<20_000))
    #expect((40...70).contains(print.count))
  }

  @Test func spectraThatAreNoPrintAreRefused() {
    let count = VoicePrint.bands
    #expect(VoicePrint(spectra: [Float](repeating: 0, count: 19 * count)) == nil)
    #expect(VoicePrint(spectra: [Float](repeating: 0, count: 301 * count)) == nil)
    #expect(VoicePrint(spectra: [Float](repeating: 0, count: 20 * count + 1)) == nil)
    #expect(VoicePrint(spectra: [Float](repeating: .nan, count: 20 * count)) == nil)
    #expect(VoicePrint(spectra: [Float](repeating: 0, count: 20 * count)) != nil)
  }
}
