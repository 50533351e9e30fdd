import Platform
import Testing
import Training

struct SynthesizerTests {
  @Test func everyEngineSpeaksThePhrase() throws {
    let synthesizer = try Synthesizer()
    let engines: [Voice.Engine] =
      [.espeak("en-us+m3"), .espeak("en+f2"), .espeak("en-029+klatt4")]
      + FliteVoice.allCases.map { .flite($0) }
    for engine in engines {
      let samples = synthesizer.speak("computer", Voice(engine))
      let seconds = AudioFormat.seconds(samples.count)
      #expect(seconds > 0.3 && seconds < 1.2, "\(engine): \(seconds) s")
      #expect((samples.map { abs($0) }.max() ?? 0) > 0.05)
    }
  }

  @Test func anUnknownVoiceIsSilentInsteadOfAnotherOne() throws {
    #expect(try Synthesizer().speak("computer", Voice(.espeak("xx-nowhere"))).isEmpty)
  }

  @Test func rateAndSpeedShortenTheWord() throws {
    let synthesizer = try Synthesizer()
    var fast = Voice(.espeak("en-us+m3"))
    let normal = synthesizer.speak("smart mirror", fast).count
    fast.rate = 1.3
    #expect(Double(synthesizer.speak("smart mirror", fast).count) < 0.92 * Double(normal))
    fast.rate = 1
    fast.speed = 1.25
    let ratio = Double(synthesizer.speak("smart mirror", fast).count) / Double(normal)
    #expect(abs(ratio - 0.8) < 0.03)
  }

  @Test func drawsManyDifferentSpeakers() throws {
    let synthesizer = try Synthesizer()
    var random = RandomSource(seed: 1)
    let voices = (0..<60).map { _ in Voice.random(&random) }
    #expect(Set(voices.map(\.speaker)).count > 20)
    let spoken = voices.filter { !synthesizer.speak("jarvis", $0).isEmpty }
    #expect(spoken.count == voices.count)
  }
}

struct PhraseScriptTests {
  @Test func negativesNeverHoldThePhrase() throws {
    let script = try PhraseScript("Good Morning", pronunciations: Pronunciations())
    var random = RandomSource(seed: 2)
    for _ in 0..<2000 {
      let text = script.negative(&random).lowercased()
      #expect(!text.contains("good morning"), "\(text)")
    }
  }

  @Test func refusesWhatCannotBeSpoken() {
    #expect(throws: TrainingFault.emptyPhrase) { try PhraseScript(" !", pronunciations: nil) }
    #expect(throws: TrainingFault.unspeakable(phrase: "你好", character: "你")) {
      try PhraseScript("你好", pronunciations: nil)
    }
    #expect(throws: TrainingFault.unspeakable(phrase: "r2d2", character: "2")) {
      try PhraseScript("r2d2", pronunciations: nil)
    }
  }

  @Test(.enabled(if: Files.exists(Pronunciations.installedPath), "needs pocketsphinx-en-us"))
  func findsNearWords() throws {
    let pronunciations = try #require(Pronunciations())
    let near = pronunciations.neighbours(of: "computer", within: 2, limit: 50)
    #expect(near.contains("commuter") && !near.contains("computer"))
    #expect(pronunciations.says("computers", oneOf: ["computer"]))
    #expect(!pronunciations.says("commuter", oneOf: ["computer"]))
    #expect(pronunciations.relatives(of: "jarvis", sharing: 3).contains("jarvi"))
  }
}
