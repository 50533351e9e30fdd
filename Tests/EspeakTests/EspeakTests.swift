import Espeak
import Platform
import Synchronization
import TestServers
import Testing

@Suite(.limited) struct EspeakTests {
  @Test func speechHasSamplesAndPhonemesInOrder() throws {
    let espeak = try Espeak()
    #expect(espeak.sampleRate == 22_050)
    let speech = try #require(espeak.speak(.text("computer"), Espeak.Style(voice: "en-us"), limit: 10))
    #expect((10_000...30_000).contains(speech.samples.count))
    let names = speech.phonemes.map(\.name)
    #expect(names.contains("k") && names.contains("m") && names.contains("p"))
    #expect(zip(speech.phonemes, speech.phonemes.dropFirst()).allSatisfy { $0.start <= $1.start })
  }

  @Test func phonemesAreInputAsWell() throws {
    let espeak = try Espeak()
    let style = Espeak.Style(voice: "en-us")
    let speech = try #require(espeak.speak(.phonemes("k@mpj'u:t3"), style, limit: 10))
    #expect(speech.samples.count > 10_000)
    #expect(espeak.phonemes(of: .phonemes("k@mpj'u:t3"), voice: "en-us").first?.first == "k")
  }

  @Test func aWordIsTranscribed() throws {
    let espeak = try Espeak()
    #expect(espeak.ipa(of: "light", voice: "en-us") == "lˈaɪt")
    #expect(espeak.ipa(of: "light", voice: "xx-nosuch") == nil)
    let words = espeak.phonemes(of: .text("good morning"), voice: "en-us")
    #expect(words.count == 2 && words.allSatisfy { !$0.isEmpty })
    #expect(espeak.phonemes(of: .text("light"), voice: "xx-nosuch").isEmpty)
  }

  @Test func voicesAreFoundByNameLanguageAndVariant() throws {
    let espeak = try Espeak()
    #expect(espeak.voice(named: "en-us+f2") == "en-us+f2")
    #expect(espeak.voice(named: "de") != nil)
    for name in ["", "xx-nosuch", "en-us+nosuch", "en-us+", "en-us+../../en"] {
      #expect(espeak.voice(named: name) == nil, "\(name)")
    }
    let german = espeak.voices().filter { $0.languages["de"] != nil }
    #expect(german.contains { $0.name == "de" })
  }

  @Test func aMissingVoiceIsSilentInsteadOfTheLastOne() throws {
    let espeak = try Espeak()
    #expect(espeak.speak(.text("one"), Espeak.Style(voice: "xx-nosuch"), limit: 10) == nil)
  }

  @Test func speechIsCutOffAtTheLimitOrByACancellation() throws {
    let espeak = try Espeak()
    let text = String(repeating: "one two three. ", count: 50)
    let style = Espeak.Style(voice: "en-us")
    let limited = try #require(espeak.speak(.text(text), style, limit: 1))
    #expect((22_050...33_000).contains(limited.samples.count))
    let cancelled = try #require(espeak.speak(.text(text), style, limit: 60) { true })
    #expect(cancelled.samples.count < 22_050)
  }

  /// espeak-ng has one state for the process: speech and transcriptions of several threads must not mix.
  @Test func threadsSpeakAndTranscribeOneAtATime() async throws {
    let espeak = try Espeak()
    let texts = ["one", "two", "three", "four"]
    let alone = texts.map {
      espeak.speak(.text($0), Espeak.Style(voice: "en-us"), limit: 10)?.samples.count ?? 0
    }
    let results = await withTaskGroup(of: [Bool].self) { group in
      for index in texts.indices {
        group.addTask {
          (0..<5).map { _ in
            let style = Espeak.Style(voice: "en-us")
            let count = espeak.speak(.text(texts[index]), style, limit: 10)?.samples.count ?? 0
            return abs(count - alone[index]) < alone[index] / 4
              && espeak.ipa(of: "light", voice: "en-us") == "lˈaɪt"
          }
        }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
    #expect(results.count == 20 && results.allSatisfy { $0 })
  }
}
