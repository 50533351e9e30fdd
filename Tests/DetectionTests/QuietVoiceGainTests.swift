import Glibc
import PCM
import Platform
import TestServers
import Testing

@testable import Detection

@Suite(.limited) struct QuietVoiceGainTests {
  @Test func aQuietVoiceInAQuietRoomIsRaisedToTheLevelOfSpeech() {
    let stream = noise(seconds: 12, level: -88)
    let heard = amplified(stream, tone: -58, at: 10)
    #expect(abs(decibels(heard[161_600..<163_200]) - -40) < 1.5)
  }

  @Test func theGainIsAtMost24Decibels() {
    let stream = noise(seconds: 12, level: -89)
    let heard = amplified(stream, tone: -70, at: 10)
    #expect(abs(decibels(heard[161_600..<163_200]) - -46) < 1)
  }

  @Test func aStreamAsLoudAsSpeechStaysAsItIs() {
    let stream = noise(seconds: 12, level: -38)
    #expect(amplified(stream) == stream)
  }

  @Test func noiseIsNotRaisedAboveTheFloorOfTheFeatures() {
    let quiet = noise(seconds: 12, level: -75)
    #expect(abs(decibels(amplified(quiet)[160_000...]) - -64) < 1)
    let louder = noise(seconds: 12, level: -60)
    #expect(amplified(louder) == louder)
  }

  @Test func nothingIsAmplifiedBeforeTheNoiseIsKnown() {
    let stream = [Int16](repeating: 0, count: 96_000) + noise(seconds: 1, level: -80)
    let heard = amplified(stream)
    #expect(heard[..<97_440] == stream[..<97_440])
    #expect(heard[97_600...] != stream[97_600...])
  }

  @Test func aRoomAfterDigitalSilenceIsNotAmplified() {
    let stream = [Int16](repeating: 0, count: 96_000) + noise(seconds: 3, level: -52)
    #expect(amplified(stream) == stream)
  }

  @Test func aLoudVoiceAfterAQuietOneIsNotClipped() {
    let stream = noise(seconds: 12, level: -88)
    let heard = amplified(stream, tone: -6, at: 10)
    #expect(heard.allSatisfy { abs(Int($0)) < 32_700 })
    #expect(abs(decibels(heard[161_600..<163_200]) - -6) < 0.1)
  }

  /// - Parameter tone: the level of 0.5 s of a tone of 1 kHz in dBFS, from `start` seconds on.
  private func amplified(_ stream: [Int16], tone: Float? = nil, at start: Double = 0) -> [Int16] {
    var stream = stream
    if let tone {
      let amplitude = 32_768 * pow(10, tone / 20) * Float(2).squareRoot()
      for index in AudioFormat.samples(start)..<AudioFormat.samples(start + 0.5) {
        stream[index] += Int16(amplitude * sin(Float(index) * 2 * .pi / 16))
      }
    }
    var gain = QuietVoiceGain()
    var output = [Int16](repeating: 0, count: stream.count)
    for index in stride(from: 0, to: stream.count, by: AudioFormat.frameLength) {
      let range = index..<index + AudioFormat.frameLength
      stream.withUnsafeBufferPointer { stream in
        output.withUnsafeMutableBufferPointer { output in
          gain.push(
            UnsafeBufferPointer(rebasing: stream[range]),
            into: UnsafeMutableBufferPointer(rebasing: output[range]))
        }
      }
    }
    return output
  }

  private func decibels(_ samples: ArraySlice<Int16>) -> Float {
    let power = samples.reduce(Float(0)) { $0 + Float($1) * Float($1) } / Float(samples.count)
    return 10 * log10(power / (32_768 * 32_768))
  }

  /// - Parameter level: in dBFS.
  private func noise(seconds: Double, level: Float) -> [Int16] {
    var random = RandomSource(seed: 3)
    let peak = 32_768 * pow(10, level / 20) * Float(3).squareRoot()
    return (0..<AudioFormat.samples(seconds)).map { _ in Int16(random.uniform(-peak...peak).rounded()) }
  }
}
