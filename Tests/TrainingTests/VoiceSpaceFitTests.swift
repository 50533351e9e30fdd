import AudioCapture
import Evaluation
import Glibc
import PCM
import Platform
import TestServers
import Testing
import Training

@Suite(.limited(minutes: 15)) struct VoiceSpaceFitTests {
  /// A folder with the clips of 120 synthetic speakers, a noise and a room.
  private static func recordings() throws -> String {
    let folder = temporaryFolder()
    var random = RandomSource(seed: 8)
    let synthesizer = try Synthesizer()
    let variants = SynthesisVoice.installedVariants
    let sentences = [
      "turn on the kitchen light", "what is the weather like today", "set a timer for five minutes",
      "play some music in the bedroom", "good morning everyone",
    ]
    for place in ["noise", "rooms"] { try Files.createFolder("\(folder)/\(place)") }
    for speaker in 0..<120 {
      try Files.createFolder("\(folder)/said/\(speaker)")
      var voice = SynthesisVoice(.espeak("en-us+\(variants[speaker % variants.count])"))
      voice.speed = random.uniform(0.85...1.2)
      voice.pitch = random.uniform(0.8...1.25)
      for (number, sentence) in sentences.enumerated() {
        let said = synthesizer.speak(sentence, voice)
        try AudioFile.write(Level.integers(said), to: "\(folder)/said/\(speaker)/\(number).wav")
      }
    }
    try AudioFile.write(
      (0..<48_000).map { _ in Int16(random.uniform(-3000...3000)) }, to: "\(folder)/noise/a.wav")
    try AudioFile.write(
      (0..<6_400).map { Int16(random.uniform(-20_000...20_000) * exp(-Float($0) / 1_000)) },
      to: "\(folder)/rooms/a.wav")
    return folder
  }

  @Test func aSpaceTellsSpeakersApartThatItHasNotHeardAndIsTheSameAgain() throws {
    let folder = try Self.recordings()
    func fit(threads: Int) throws -> VoiceSpaceFit.Result {
      let corpus = try SpeakerCorpus(
        folders: ["\(folder)/said"], noise: "\(folder)/noise", rooms: "\(folder)/rooms", seed: 1,
        threads: threads)
      return VoiceSpaceFit.run(corpus, seed: 1, threads: threads)
    }
    let result = try fit(threads: 2)
    #expect(result.speakers > 90 && result.speakers < 120)
    let quiet = result.trials.rates(result.space) { !$0.isShort && $0.rendering == .quiet }
    #expect(quiet.trials > 100 && quiet.equalError < 0.1, "\(quiet)")
    #expect(quiet.accepted > 0.8 && quiet.othersAccepted < 0.1, "\(quiet)")
    let noisy = result.trials.rates(result.space) { !$0.isShort && $0.rendering == .noisy }
    #expect(noisy.equalError < 0.1, "\(noisy)")
    #expect(try fit(threads: 1).space.encoded == result.space.encoded)
  }

  @Test func theFirstDirectionIsTheOneThatSeparatesTheGroups() throws {
    // Groups differ along (1, 1, 0, 0); within them, the first number varies ten times as much as the second.
    let size = 4
    let within: [Float] = [10, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
    let between: [Float] = [2, 2, 0, 0, 2, 2, 0, 0, 0, 0, 0.01, 0, 0, 0, 0, 0]
    let directions = Discriminants.directions(within, between, size: size, count: 2)
    let first = Array(directions[..<size])
    // The inverse of the matrix within, times (1, 1, 0, 0).
    let expected: [Float] = [0.1, 1, 0, 0]
    func length(_ vector: [Float]) -> Float { vector.reduce(0) { $0 + $1 * $1 }.squareRoot() }
    let cosine = zip(first, expected).reduce(0) { $0 + $1.0 * $1.1 } / length(first) / length(expected)
    #expect(abs(abs(cosine) - 1) < 1e-3)
    // Its variance within the groups is the share of its variance that is between them: 2.2 / 2.5.
    let variance = 10 * first[0] * first[0] + first[1...].reduce(0) { $0 + $1 * $1 }
    #expect(abs(variance - 2.2 / 2.5) < 1e-3)
    let second = Array(directions[size...])
    #expect(abs(abs(second[2]) / length(second) - 1) < 1e-2)
  }
}
