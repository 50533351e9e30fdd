import AudioCapture
import PCM
import Platform
import Recognition
import TestServers
import Testing
import TextProcessing

@Suite(
  .limited, .serialized,
  .enabled(
    if: hasPocketSphinx && sharedAudio != nil, "no PocketSphinx or shared recordings; set HOTWORD_AUDIO"))
struct PocketSphinxTests {
  private func hear(
    _ samples: [Int16], _ recognizer: PocketSphinxRecognizer, chunk: Int = 1_600
  ) throws -> (final: Transcript, partials: [Transcript]) {
    let session = try recognizer.start(RecognitionRequest())
    var partials: [Transcript] = []
    var start = 0
    while start < samples.count {
      let end = min(samples.count, start + chunk)
      if let partial = try session.append(Array(samples[start..<end])) { partials.append(partial) }
      start = end
    }
    return (try session.finish(), partials)
  }

  @Test(arguments: [
    ("order-mocha", "twenty ounce iced mocha"), ("order-espresso", "double shot espresso"),
    ("order-milk", "coffee with some skim milk"),
  ])
  func aGrammarSentenceIsHeard(name: String, expected: String) throws {
    let recognizer = PocketSphinxRecognizer(grammar: CoffeeGrammar.grammar)
    let (final, partials) = try hear(fixture(name), recognizer)
    #expect(final.text.contains(expected))
    #expect(final.confidence > 0.6)
    #expect(final.isFinal)
    #expect(final.segments.map(\.text).joined(separator: " ") == final.text)
    for (segment, next) in zip(final.segments, final.segments.dropFirst()) {
      #expect(segment.start < segment.end && segment.end <= next.start)
    }
    #expect(partials.count > 1)
    #expect(partials.allSatisfy { !$0.isFinal && !$0.text.isEmpty })
  }

  @Test func otherSpeechIsRejected() throws {
    let recognizer = PocketSphinxRecognizer(grammar: CoffeeGrammar.grammar)
    #expect(try hear(fixture("other-speech"), recognizer).final.confidence < 0.4)
  }

  @Test func resultsDependOnTheAudioOnly() throws {
    let recognizer = PocketSphinxRecognizer(grammar: CoffeeGrammar.grammar)
    let order = try fixture("order-espresso")
    let first = try hear(order, recognizer, chunk: 160).final
    _ = try hear(fixture("other-speech").map { $0 / 4 }, recognizer)
    #expect(try hear(order, recognizer, chunk: 7_001).final == first)
    #expect(try hear(order, PocketSphinxRecognizer(grammar: CoffeeGrammar.grammar)).final == first)
  }

  @Test func silenceHasNoTranscript() throws {
    let recognizer = PocketSphinxRecognizer(grammar: CoffeeGrammar.grammar)
    #expect(try hear([Int16](repeating: 0, count: 16_000), recognizer).final.confidence < 0.5)
    #expect(try hear([], recognizer).final.text == "")
  }

  @Test(arguments: [0.5, 1, 3, 8], [true, false])
  func silenceBeforeAndWithinSpeechMovesItsWordsByAsMuch(_ lead: Double, _ isGrammar: Bool) throws {
    let recognizer = PocketSphinxRecognizer(grammar: isGrammar ? CoffeeGrammar.grammar : nil)
    let order = try fixture("order-mocha")
    let silence = [Int16](repeating: 0, count: AudioFormat.samples(lead))
    let plain = try hear(order, recognizer).final
    let later = try hear(silence + order, recognizer).final
    #expect(later.text == plain.text)
    for (word, same) in zip(later.segments, plain.segments) {
      #expect(abs(word.start - same.start - lead) < 0.15 && abs(word.end - same.end - lead) < 0.15)
    }
    guard !isGrammar else { return }
    let twice = try hear(order + silence + order, recognizer).final.segments
    let length = AudioFormat.seconds(order.count)
    #expect(abs((twice.first?.start ?? 0) - (plain.segments.first?.start ?? 0)) < 0.15)
    #expect(abs((twice.last?.end ?? 0) - (plain.segments.last?.end ?? 0) - length - lead) < 0.15)
    #expect(!twice.contains { $0.start > length + 0.1 && $0.end < length + lead - 0.1 })
  }

  @Test func aNewSessionEndsThePreviousOne() throws {
    let recognizer = PocketSphinxRecognizer(grammar: CoffeeGrammar.grammar)
    let abandoned = try recognizer.start(RecognitionRequest())
    try abandoned.append(fixture("order-mocha"))
    #expect(try hear(fixture("order-espresso"), recognizer).final.text.contains("espresso"))
    #expect(abandoned.state == .cancelled)
    #expect(throws: RecognitionFault.cancelled) { try abandoned.finish() }
  }

  @Test func dictationReturnsDistinctAlternatives() throws {
    let recognizer = PocketSphinxRecognizer(grammar: nil)
    let final = try hear(fixture("order-milk"), recognizer).final
    #expect(final.text.contains("coffee") || final.text.contains("milk"))
    #expect(!final.alternatives.isEmpty)
    let texts = [final.text] + final.alternatives.map(\.text)
    #expect(Set(texts).count == texts.count)
    #expect(final.alternatives.allSatisfy { $0.confidence <= final.confidence })
    #expect(final.segments.allSatisfy { (0...1).contains($0.confidence) })
  }

  @Test func unknownWordsArePronouncedOrSpelled() throws {
    final class Asked: @unchecked Sendable { var words: [String] = [] }
    let asked = Asked()
    let grammar = Grammar(jsgf: "#JSGF V1.0;\ngrammar g;\npublic <g> = start the zorbulator | brew glimfex;")
    let recognizer = PocketSphinxRecognizer(grammar: grammar) { word in
      asked.words.append(word)
      return Pronunciation.arpabet(ipa: "zˈɔːɹbjʊlˌeɪɾɚ")
    }
    try recognizer.prepare()
    #expect(asked.words == ["glimfex", "zorbulator"])
  }

  @Test func invalidGrammarsAndWordsAreRejected() {
    func fault(_ rules: String) -> RecognitionFault? {
      do throws(RecognitionFault) {
        try PocketSphinxRecognizer(grammar: Grammar(jsgf: rules)).prepare()
        return nil
      } catch {
        return error
      }
    }
    if case .badGrammar = fault("#JSGF V1.0;\ngrammar g;\npublic <g> = (a | b;") {
    } else {
      Issue.record("parsed")
    }
    if case .badGrammar = fault("no grammar") {} else { Issue.record("parsed") }
    #expect(fault("#JSGF V1.0;\ngrammar g;\npublic <g> = go to 21;") == .unpronounceable(words: ["21"]))
    #expect(fault("#JSGF V1.0;\ngrammar g;\npublic <g> = go to 21 | go;") == nil, "a sentence is left")
  }

  @Test func aGrammarThatWouldNotFitIntoMemoryIsRejected() {
    let names = (0..<25_001).map { _ in "computer" }.joined(separator: "|")
    let jsgf = "#JSGF V1.0;\ngrammar g;\npublic <g> = (play | stop) <n>;\n<n> = \(names);"
    let recognizer = PocketSphinxRecognizer(grammar: Grammar(jsgf: jsgf))
    #expect(recognizer.availability == .available)
    let twice = PocketSphinxRecognizer(grammar: Grammar(jsgf: jsgf.replacing("<n>;", with: "<n> [<n>];")))
    #expect(twice.availability == .unavailable(.grammarTooLarge(words: 50_004, limit: 50_000)))
  }

  @Test(.needsOptimization) func theFinalResultIsFast() throws {
    let recognizer = PocketSphinxRecognizer(grammar: CoffeeGrammar.grammar)
    try recognizer.prepare()
    let order = try fixture("order-mocha")
    let session = try recognizer.start(RecognitionRequest())
    let began = MonotonicClock.threadTime()
    for start in stride(from: 0, to: order.count, by: 1_600) {
      try session.append(Array(order[start..<min(order.count, start + 1_600)]))
    }
    let fed = MonotonicClock.threadTime()
    _ = try session.finish()
    #expect(MonotonicClock.threadTime() - fed < 0.5)
    #expect(fed - began < 0.7 * AudioFormat.seconds(order.count))
  }
}

@Suite(.limited) struct PocketSphinxAvailabilityTests {
  @Test func aMissingModelNamesThePackage() throws {
    let model = SpeechModel(folder: "/nowhere", locale: "en-US")
    let recognizer = PocketSphinxRecognizer(model: model, grammar: nil)
    guard case .unavailable(let fault) = recognizer.availability else {
      Issue.record("available")
      return
    }
    #expect(fault.exitCode == .unavailable)
    #expect(fault.message.contains("/nowhere/en-us/mdef"))
    #expect(fault.message.contains("apt install pocketsphinx-en-us"))
    #expect(throws: fault) { try recognizer.prepare() }
  }
}
