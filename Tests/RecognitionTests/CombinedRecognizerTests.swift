import TestServers
import Testing

@testable import Recognition

@Suite(.limited) struct CombinedRecognizerTests {
  @Test func whatBothFindIsAsCertainAsTheMoreCertainOfThem() {
    let found = choice(("lights on", 0.99), ("lights on", 0.7))
    #expect(found.text == "lights on" && found.confidence == 0.99)
    #expect(choice(("lights on", 0.7), ("lights on", 0.99)).confidence == 0.99)
  }

  @Test func theFirstDecidesIfItIsCertain() {
    let found = choice(("lights on", 0.9999), ("lights off", 0.9))
    #expect(found.text == "lights on" && found.confidence == CombinedSession.certainAlone)
    #expect(found.alternatives.map(\.text) == ["lights off"])
    #expect(choice(("lights on", 0.9999), ("", 0.2)).text == "lights on")
  }

  @Test func theSecondDecidesIfTheFirstIsNotCertain() {
    let found = choice(("lights on", 0.99), ("lights off", 0.55))
    #expect(found.text == "lights off" && found.confidence == 0.55)
    #expect(choice(("", 0.1), ("lights off", 0.9)).confidence == CombinedSession.alone)
    #expect(choice(("lights on", 0.9), ("", 0.3)).text == "")
    #expect(choice(("", 0.1), ("", 0.3)).text == "")
  }

  @Test func differentWordsWithTheSameMeaningAreAgreement() {
    let found = choice(("lights on", 0.99), ("the lights on", 0.7))
    #expect(found.text == "the lights on" && found.confidence == 0.99)
  }

  @Test func bothReceiveTheAudioAndTheSecondReportsPartialResults() throws {
    let first = Scripted("lights on", confidence: 0.8)
    let second = Scripted("lights on", confidence: 0.9)
    let recognizer = CombinedRecognizer(first, second, isSame: Self.isSame)
    let session = try recognizer.start(RecognitionRequest())
    #expect(try session.append([1, 2])?.text == "lights on")
    #expect(try session.append([3])?.text == "lights on")
    #expect(first.heard == [1, 2, 3] && second.heard == [1, 2, 3])
    #expect(first.request?.partialResults == false && second.request?.partialResults == true)
    #expect(try session.finish().confidence == 0.9)
    session.cancel()
    #expect(first.isCancelled && second.isCancelled)
  }

  @Test func theAnswerToAQuestionIsLeftToTheSecond() throws {
    let first = Scripted("last", confidence: 1)
    let second = Scripted("yes", confidence: 0.7)
    let recognizer = CombinedRecognizer(first, second, isSame: Self.isSame)
    let session = try recognizer.start(RecognitionRequest(expected: ["yes"]))
    _ = try session.append([1])
    #expect(try session.finish().text == "yes")
    #expect(first.request == nil && second.request?.expected == ["yes"])
  }

  @Test func bothMustBeAvailable() {
    let works = Scripted("", confidence: 0)
    let fails = Scripted("", confidence: 0, availability: .unavailable(.cancelled))
    #expect(CombinedRecognizer(works, works, isSame: ==).availability == .available)
    #expect(CombinedRecognizer(works, fails, isSame: ==).availability == .unavailable(.cancelled))
    #expect(CombinedRecognizer(fails, works, isSame: ==).availability == .unavailable(.cancelled))
  }

  private static func isSame(_ one: String, _ other: String) -> Bool {
    one.replacing("the ", with: "") == other.replacing("the ", with: "")
  }

  private func choice(_ first: (String, Double), _ second: (String, Double)) -> Transcript {
    CombinedSession.choice(
      Transcript(text: first.0, confidence: first.1), Transcript(text: second.0, confidence: second.1),
      Self.isSame)
  }
}

/// A recognizer and its session with one result.
private final class Scripted: Recognizer, RecognitionSession {
  let name = "scripted"
  let locale = "en"
  let availability: RecognizerAvailability
  let state = RecognitionState.running
  private let result: Transcript
  private(set) var heard: [Int16] = []
  private(set) var request: RecognitionRequest?
  private(set) var isCancelled = false

  init(_ text: String, confidence: Double, availability: RecognizerAvailability = .available) {
    result = Transcript(text: text, confidence: confidence)
    self.availability = availability
  }

  func prepare() {}

  func start(_ request: RecognitionRequest) -> any RecognitionSession {
    self.request = request
    return self
  }

  func append(_ samples: [Int16]) -> Transcript? {
    heard += samples
    return request?.partialResults == true ? result : nil
  }

  func finish() -> Transcript { result }
  func cancel() { isCancelled = true }
}
