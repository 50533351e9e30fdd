import AudioCapture
import Detection
import Glibc
import Platform
import Recognition
import Testing

/// The shipped encoder.
private let encoder =
  "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
  + "/Models/recognition/en.safetensors"

@Suite(.enabled(if: sharedAudio != nil, "no shared recordings; set HOTWORD_AUDIO"))
struct BuiltInRecognizerTests {
  private func recognizer() -> BuiltInRecognizer {
    BuiltInRecognizer(encoder: encoder, grammar: CoffeeGrammar.grammar)
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

  @Test(arguments: [
    ("order-mocha", "twenty ounce iced mocha"), ("order-espresso", "double shot espresso"),
    ("order-milk", "coffee with some skim milk"),
  ])
  func aSentenceIsHeard(name: String, expected: String) throws {
    let (final, partials) = try hear(fixture(name), recognizer())
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

  @Test func whatTheGrammarDoesNotHaveIsNoText() throws {
    let final = try hear(fixture("other-speech"), recognizer()).final
    #expect(final.text == "" && final.confidence < 0.4)
    #expect(!final.alternatives.isEmpty)
    #expect(final.alternatives.allSatisfy { $0.confidence <= final.confidence })
  }

  @Test func chunksAndWhatWentBeforeDoNotMatter() throws {
    let order = try fixture("order-espresso")
    let recognizer = recognizer()
    let first = try hear(order, recognizer, chunk: 160).final
    _ = try hear(fixture("other-speech"), recognizer)
    #expect(try hear(order, recognizer, chunk: 7_001).final == first)
    #expect(try hear(order, self.recognizer()).final == first)
  }

  @Test func silenceIsNoSpeech() throws {
    #expect(try hear([Int16](repeating: 0, count: 16_000), recognizer()).final.text == "")
    #expect(try hear([], recognizer()).final == .silence)
    #expect(try hear([7], recognizer()).final.text == "")
  }

  @Test func aNewSessionEndsTheOneBefore() throws {
    let recognizer = recognizer()
    let abandoned = try recognizer.start(RecognitionRequest())
    try abandoned.append(fixture("order-mocha"))
    #expect(try hear(fixture("order-espresso"), recognizer).final.text.contains("espresso"))
    #expect(throws: RecognitionFault.cancelled) { try abandoned.finish() }
  }

  @Test func wordsAreSaidAsTheVocabularyTells() throws {
    let grammar = Grammar(
      jsgf: "#JSGF V1.0;\npublic <g> = give me a double shot zorbo | give me a triple shot latte;")
    let vocabulary = try Vocabulary(hints: ["zorbo": ["EH S P R EH S OW"]])
    let recognizer = BuiltInRecognizer(encoder: encoder, grammar: grammar, vocabulary: vocabulary)
    let heard = try hear(fixture("order-espresso"), recognizer).final
    #expect(([heard.text] + heard.alternatives.map(\.text)).first { !$0.isEmpty }?.hasSuffix("zorbo") == true)
  }

  @Test func theResultOfAnOrderComesSoonAfterItsLastSample() throws {
    let recognizer = recognizer()
    try recognizer.prepare()
    let order = try fixture("order-mocha")
    let session = try recognizer.start(RecognitionRequest(partialResults: false))
    let began = MonotonicClock.processorTime()
    try session.append(order)
    let fed = MonotonicClock.processorTime()
    _ = try session.finish()
    #expect(MonotonicClock.processorTime() - fed < 0.3)
    #expect(fed - began < 0.3 * AudioFormat.seconds(order.count))
  }

  @Test func aMissingOrWrongEncoderIsToldOf() {
    let grammar = CoffeeGrammar.grammar
    let missing = BuiltInRecognizer(encoder: "/nowhere/en.safetensors", grammar: grammar)
    #expect(missing.availability == .unavailable(.missingEncoder(path: "/nowhere/en.safetensors")))
    let wrong = BuiltInRecognizer(encoder: #filePath, grammar: grammar)
    #expect { try wrong.prepare() } throws: { ($0 as? RecognitionFault)?.exitCode == .badData }
  }

  @Test func theEncoderOfALanguageIsFoundByItsCode() throws {
    let store = ModelStore(folders: [
      "/nowhere", String(encoder.dropLast("/recognition/en.safetensors".count)),
    ])
    #expect(BuiltInRecognizer.encoder(for: "en-GB", in: store) == encoder)
    #expect(BuiltInRecognizer.encoder(for: "xx", in: store) == nil)
  }
}
