import PCM
import Platform
import TestServers
import Testing
import Training

@Suite(.limited(minutes: 15)) struct SynthesizerTests {
  @Test func everyEngineSpeaksThePhrase() throws {
    let synthesizer = try Synthesizer()
    let engines: [SynthesisVoice.Engine] =
      [.espeak("en-us+m3"), .espeak("en+f2"), .espeak("en-029+klatt4")]
      + FliteVoice.allCases.map { .flite($0) } + InstalledVoice.all.map { .installed($0) }
    for engine in engines {
      let samples = synthesizer.speak("computer", SynthesisVoice(engine))
      let seconds = AudioFormat.seconds(samples.count)
      #expect(seconds > 0.3 && seconds < 1.2, "\(engine): \(seconds) s")
      #expect((samples.map { abs($0) }.max() ?? 0) > 0.05)
    }
  }

  @Test func anUnknownVoiceIsSilentInsteadOfAnotherOne() throws {
    #expect(try Synthesizer().speak("computer", SynthesisVoice(.espeak("xx-nowhere"))).isEmpty)
    #expect(InstalledVoice(program: .pico, name: "xx-XX").speak("computer", rate: 1, pitch: 1).isEmpty)
  }

  @Test func rateAndSpeedShortenTheWord() throws {
    let synthesizer = try Synthesizer()
    var fast = SynthesisVoice(.espeak("en-us+m3"))
    let normal = synthesizer.speak("smart mirror", fast).count
    fast.rate = 1.3
    #expect(Double(synthesizer.speak("smart mirror", fast).count) < 0.92 * Double(normal))
    fast.rate = 1
    fast.speed = 1.25
    let ratio = Double(synthesizer.speak("smart mirror", fast).count) / Double(normal)
    #expect(abs(ratio - 0.8) < 0.03)
  }

  @Test func soundsAreSaidByEspeakAlone() throws {
    let synthesizer = try Synthesizer()
    let sounds = SynthesisInput.sounds("k@mpj'u:t3")
    #expect(synthesizer.speak(sounds, SynthesisVoice(.espeak("en-us+m3"))).count > 4000)
    #expect(synthesizer.speak(sounds, SynthesisVoice(.flite(.slt))).isEmpty)
    let phonemes = synthesizer.phonemes(of: sounds, SynthesisVoice(.espeak("en-us")))
    #expect(phonemes.starts(with: [.k, .ah, .m, .p, .y, .uw]))
    // Brackets in text are not phonemes, even after a call with phonemes.
    let text = synthesizer.phonemes(of: .text("[[m]]"), SynthesisVoice(.espeak("en-us")))
    #expect(text != synthesizer.phonemes(of: .sounds("m"), SynthesisVoice(.espeak("en-us"))))
  }

  @Test func otherLanguagesHaveSpeakersOfTheirOwn() throws {
    let synthesizer = try Synthesizer()
    let german = try Language("de", synthesizer)
    var random = RandomSource(seed: 3)
    for _ in 0..<50 {
      guard case .espeak(let name) = SynthesisVoice.random(&random, german).engine else {
        Issue.record("flite speaks English only")
        continue
      }
      #expect(name.hasPrefix("de+"))
    }
    #expect(synthesizer.phonemes(of: .text("ich"), SynthesisVoice(.espeak("de"))) == [.ih, .kh])
  }

  @Test func drawsManyDifferentSpeakers() throws {
    let synthesizer = try Synthesizer()
    var random = RandomSource(seed: 1)
    let voices = (0..<60).map { _ in SynthesisVoice.random(&random) }
    #expect(Set(voices.map(\.speaker)).count > 20)
    let spoken = voices.filter { !synthesizer.speak("jarvis", $0).isEmpty }
    #expect(spoken.count == voices.count)
  }
}
