import AudioCapture
import Detection
import Glibc
import PCM
import Platform
import Recognition
import TestServers
import Testing

private let models = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/Models"
/// The shipped encoders.
private let encoders = BuiltInRecognizer.encoders(for: "en", in: ModelStore(folders: [models]))

private func coffeeRecognizer() -> BuiltInRecognizer {
  BuiltInRecognizer(SentenceNetwork(encoders: encoders, grammar: CoffeeGrammar.grammar))
}

private func hear(
  _ samples: [Int16], _ recognizer: BuiltInRecognizer, chunk: Int = 1_600
) throws -> (final: Transcript, partials: [Transcript]) {
  let session = try recognizer.start(RecognitionRequest())
  var partials: [Transcript] = []
  for start in stride(from: 0, to: samples.count, by: chunk) {
    let part = Array(samples[start..<min(samples.count, start + chunk)])
    if let partial = try session.append(part) { partials.append(partial) }
  }
  return (try session.finish(), partials)
}

/// With a sanitizer too, which sees the threads.
@Suite(.limited, .enabled(if: sharedAudio != nil, "no shared recordings; set HOTWORD_AUDIO"))
struct SharedSentencesTests {
  @Test func recognizersThatShareSentencesHearAtTheSameTimeAsEachAlone() async throws {
    let sentences = SentenceNetwork(encoders: encoders, grammar: CoffeeGrammar.grammar)
    let names = ["order-mocha", "order-espresso"]
    let together = try await withThrowingTaskGroup(of: (String, Transcript).self) { group in
      for name in names {
        // Not on the one thread of the test.
        group.addTask(executorPreference: globalConcurrentExecutor) {
          (name, try hear(fixture(name), BuiltInRecognizer(sentences)).final)
        }
      }
      return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    for name in names { #expect(try hear(fixture(name), coffeeRecognizer()).final == together[name]) }
  }
}

@Suite(
  .limited, .needsOptimization, .enabled(if: sharedAudio != nil, "no shared recordings; set HOTWORD_AUDIO"))
struct BuiltInRecognizerTests {
  @Test(arguments: [
    ("order-mocha", "twenty ounce iced mocha"), ("order-espresso", "double shot espresso"),
    ("order-milk", "coffee with some skim milk"),
  ])
  func aSentenceIsHeard(name: String, expected: String) throws {
    let (final, partials) = try hear(fixture(name), coffeeRecognizer())
    #expect(final.text.contains(expected))
    #expect(final.confidence > 0.8)
    #expect(final.segments.map(\.text).joined(separator: " ") == final.text)
    for (segment, next) in zip(final.segments, final.segments.dropFirst()) {
      #expect(segment.start < segment.end && segment.end <= next.start)
    }
    let texts = [final.text] + final.alternatives.map(\.text)
    #expect(texts.count > 1 && Set(texts).count == texts.count)
    #expect(final.alternatives.allSatisfy { $0.confidence <= final.confidence })
    #expect(partials.count > 1)
    #expect(partials.allSatisfy { !$0.isFinal && !$0.text.isEmpty })
  }

  @Test func aCompleteSentenceIsToldSoonAfterItsEndAndNeverWithin() throws {
    var random = RandomSource(seed: 3)
    let quiet = (0..<16_000).map { _ in Int16(random.next() % 21) - 10 }
    let order = try fixture("order-mocha")
    let final = try hear(order + quiet, coffeeRecognizer()).final
    let end = AudioFormat.samples(try #require(final.segments.last).end)
    let session = try coffeeRecognizer().start(RecognitionRequest())
    var complete: (text: String, at: Int)?
    for start in stride(from: 0, to: order.count + 16_000 - 160, by: 160) where complete == nil {
      let partial = try session.append(Array((order + quiet)[start..<start + 160]))
      if let partial, partial.isComplete { complete = (partial.text, start + 160) }
    }
    let found = try #require(complete)
    #expect(found.text == final.text)
    #expect(found.at > end && found.at < end + AudioFormat.samples(0.9))
  }

  @Test func otherSpeechIsNeverComplete() throws {
    #expect(
      !(try hear(fixture("other-speech"), coffeeRecognizer(), chunk: 160).partials.contains(
        where: \.isComplete)))
  }

  @Test func otherSpeechHasNoText() throws {
    let final = try hear(fixture("other-speech"), coffeeRecognizer()).final
    #expect(final.text == "" && final.confidence < 0.4)
    #expect(!final.alternatives.isEmpty)
    #expect(final.alternatives.allSatisfy { $0.confidence <= final.confidence })
  }

  @Test func resultsDependOnTheAudioOnly() throws {
    let order = try fixture("order-espresso")
    let recognizer = coffeeRecognizer()
    let first = try hear(order, recognizer, chunk: 160).final
    _ = try hear(fixture("other-speech"), recognizer)
    #expect(try hear(order, recognizer, chunk: 7_001).final == first)
    #expect(try hear(order, coffeeRecognizer()).final == first)
  }

  @Test func silenceHasNoTranscript() throws {
    #expect(try hear([Int16](repeating: 0, count: 16_000), coffeeRecognizer()).final.text == "")
    #expect(try hear([], coffeeRecognizer()).final == .silence)
    #expect(try hear([7], coffeeRecognizer()).final.text == "")
  }

  @Test func aNewSessionEndsThePreviousOne() throws {
    let recognizer = coffeeRecognizer()
    let abandoned = try recognizer.start(RecognitionRequest())
    try abandoned.append(fixture("order-mocha"))
    #expect(try hear(fixture("order-espresso"), recognizer).final.text.contains("espresso"))
    #expect(throws: RecognitionFault.cancelled) { try abandoned.finish() }
  }

  @Test func theVocabularyOverridesTheDictionary() throws {
    let grammar = Grammar(
      jsgf: "#JSGF V1.0;\npublic <g> = give me a double shot zorbo | give me a triple shot latte;")
    let vocabulary = try Vocabulary(hints: ["zorbo": ["EH S P R EH S OW"]])
    let recognizer = BuiltInRecognizer(
      SentenceNetwork(encoders: encoders, grammar: grammar, vocabulary: vocabulary))
    let heard = try hear(fixture("order-espresso"), recognizer).final
    #expect(([heard.text] + heard.alternatives.map(\.text)).first { !$0.isEmpty }?.hasSuffix("zorbo") == true)
  }

  @Test func aWordWithoutPronunciationTakesOnlyItsOwnSentences() throws {
    func recognizer(_ sentences: String) -> BuiltInRecognizer {
      let grammar = Grammar(jsgf: "#JSGF V1.0;\npublic <g> = \(sentences);")
      return BuiltInRecognizer(SentenceNetwork(encoders: encoders, grammar: grammar))
    }
    let heard = try hear(
      fixture("order-espresso"), recognizer("give me a double shot (espresso | ლამპა) | ლამპა")
    ).final
    #expect(([heard.text] + heard.alternatives.map(\.text)).contains { $0.hasSuffix("espresso") })
    #expect(throws: RecognitionFault.unpronounceable(words: ["ლამპა"])) {
      try recognizer("give me a ლამპა").prepare()
    }
  }

  @Test func aSentenceIsNotTrustedIfOneOfAnotherMeaningFitsAsWell() throws {
    let jsgf = CoffeeGrammar.grammar.jsgf.replacing("espresso", with: "(espresso | zorbo)")
    let grammar = Grammar(jsgf: jsgf)
    let vocabulary = try Vocabulary(hints: ["zorbo": ["EH S P R EH S OW"]])
    func heard(differ: @escaping @Sendable (String, String) -> Bool) throws -> Transcript {
      let recognizer = BuiltInRecognizer(
        SentenceNetwork(encoders: encoders, grammar: grammar, vocabulary: vocabulary, differ: differ))
      return try hear(fixture("order-espresso"), recognizer).final
    }
    let trusted = try heard { _, _ in false }
    let rejected = try heard { $0 != $1 }
    #expect(trusted.text.contains("double shot"))
    #expect(rejected.text == "" && rejected.confidence < 0.5)
    #expect(Set(rejected.alternatives.map(\.text)).isSuperset(of: [trusted.text]))
    #expect(try heard { $0.contains("latte") != $1.contains("latte") } == trusted)
  }

  @Test func theFinalResultIsFast() throws {
    let recognizer = coffeeRecognizer()
    try recognizer.prepare()
    let order = try fixture("order-mocha")
    let session = try recognizer.start(RecognitionRequest(partialResults: false))
    let began = MonotonicClock.threadTime()
    try session.append(order)
    let fed = MonotonicClock.threadTime()
    _ = try session.finish()
    #expect(MonotonicClock.threadTime() - fed < 0.3)
    #expect(fed - began < 0.3 * AudioFormat.seconds(order.count))
  }

  @Test func missingAndInvalidEncodersAreReported() {
    let grammar = CoffeeGrammar.grammar
    let missing = BuiltInRecognizer(
      SentenceNetwork(encoders: ["/nowhere/1.safetensors"], grammar: grammar))
    #expect(missing.availability == .unavailable(.missingEncoder(path: "/nowhere/1.safetensors")))
    let wrong = BuiltInRecognizer(SentenceNetwork(encoders: [encoders[0], #filePath], grammar: grammar))
    #expect { try wrong.prepare() } throws: { ($0 as? RecognitionFault)?.exitCode == .badData }
  }

  @Test func theEncodersOfALanguageAreFoundByItsCode() throws {
    let store = ModelStore(folders: ["/nowhere", models])
    #expect(BuiltInRecognizer.encoders(for: "en-GB", in: store) == encoders)
    #expect(encoders.count > 1)
    #expect(encoders.first == "\(models)/recognition/en/1.safetensors")
    #expect(BuiltInRecognizer.encoders(for: "xx", in: store) == [])
    let none = BuiltInRecognizer(
      SentenceNetwork(encoders: [], locale: "xx", grammar: CoffeeGrammar.grammar))
    #expect(none.availability == .unavailable(.noEncoder(language: "xx")))
  }

  @Test func encodersOfDifferentRecipesAreRejected() throws {
    let other = BuiltInRecognizer(
      SentenceNetwork(
        encoders: [encoders[0], "\(models)/training/encoder.safetensors"], grammar: CoffeeGrammar.grammar))
    #expect { try other.prepare() } throws: { ($0 as? RecognitionFault)?.exitCode == .badData }
  }

  @Test func outputsOfEncodersAreAveraged() throws {
    let encoders = try encoders.map { try PhonemeEncoder(reading: $0) }
    var settings = EncoderStream.Settings()
    settings.worst = -.infinity
    settings.warps = [1]
    let order = try fixture("order-espresso")
    func steps(_ encoder: EncoderStream) -> [[Float]] {
      var steps: [[Float]] = []
      for start in stride(from: 0, to: order.count - 160, by: 160) {
        encoder.push(order[start..<start + 160]) { steps.append($0) }
      }
      return steps
    }
    let together = steps(try EncoderStream(encoders, settings: settings))
    let alone = try encoders.map { steps(try EncoderStream([$0], settings: settings)) }
    #expect(together.count > 100)
    for (step, heard) in together.enumerated() {
      let means = heard.indices.map { sound in
        alone.reduce(0) { $0 + $1[step][sound] } / Float(alone.count)
      }
      let expected = means.map { $0 - means.max()! }
      #expect(zip(heard, expected).allSatisfy { abs($0 - $1) < 1e-3 })
    }
  }
}
