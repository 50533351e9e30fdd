import Platform
import Recognition
import Synchronization
import TestServers
import Testing

/// A fake recognizer that fails at a given step and records its audio.
private final class Fake: Recognizer {
  enum Failing { case never, atStart, atAppend, atFinish }

  let name: String
  let locale = ""
  var failing: Failing
  var starts = 0
  var heard: [Int16] = []

  init(_ name: String, failing: Failing = .never) {
    self.name = name
    self.failing = failing
  }

  static let fault = RecognitionFault.noTranscript(peer: "fake")

  var availability: RecognizerAvailability { failing == .atStart ? .unavailable(Self.fault) : .available }

  func prepare() throws(RecognitionFault) { if failing == .atStart { throw Self.fault } }

  func start(_ request: RecognitionRequest) throws(RecognitionFault) -> any RecognitionSession {
    starts += 1
    heard = []
    if failing == .atStart { throw Self.fault }
    return Session(self)
  }

  final class Session: RecognitionSession {
    let fake: Fake
    let isCancelled = Mutex(false)

    init(_ fake: Fake) { self.fake = fake }

    var state: RecognitionState { .running }

    func append(_ samples: [Int16]) throws(RecognitionFault) -> Transcript? {
      if isCancelled.withLock({ $0 }) { throw .cancelled }
      if fake.failing == .atAppend, !fake.heard.isEmpty { throw Fake.fault }
      fake.heard += samples
      return nil
    }

    func finish() throws(RecognitionFault) -> Transcript {
      if isCancelled.withLock({ $0 }) { throw .cancelled }
      if fake.failing == .atFinish { throw Fake.fault }
      return Transcript(text: fake.name, confidence: 1)
    }

    func cancel() { isCancelled.withLock { $0 = true } }
  }
}

@Suite(.limited) struct RecognizerChainTests {
  private final class Book {
    var told: [String] = []
    var now = 100.0
  }

  private func chain(_ fakes: [Fake], _ book: Book) -> RecognizerChain {
    RecognizerChain(fakes, now: { book.now }, report: { name, _ in book.told.append(name) })
  }

  private func hear(_ chain: RecognizerChain) throws -> String {
    let session = try chain.start(RecognitionRequest())
    for start in 0..<5 { try session.append([Int16(3 * start), Int16(3 * start + 1), Int16(3 * start + 2)]) }
    return try session.finish().text
  }

  @Test(arguments: [0, 1, 2])
  func theNextGoesOnWithAllAudioWhereverTheFirstFails(_ place: Int) throws {
    let failing = [Fake.Failing.atStart, .atAppend, .atFinish][place]
    let book = Book()
    let second = Fake("second")
    #expect(try hear(chain([Fake("first", failing: failing), second], book)) == "second")
    #expect(second.heard == Array(0..<15))
    #expect(book.told == ["first"])
  }

  @Test func aFailureIsReportedOnceAndTheRecognizerIsSkipped() throws {
    let book = Book()
    let first = Fake("first", failing: .atFinish)
    let chain = chain([first, Fake("second")], book)
    #expect(try hear(chain) == "second")
    #expect(try hear(chain) == "second")
    #expect(first.starts == 1)
    book.now += RecognizerChain.retryDelay + 1
    #expect(try hear(chain) == "second")
    #expect(first.starts == 2 && book.told == ["first"])
    first.failing = .never
    book.now += RecognizerChain.retryDelay + 1
    #expect(try hear(chain) == "first")
    first.failing = .atStart
    #expect(try hear(chain) == "second")
    #expect(book.told == ["first", "first"])
  }

  @Test func theFaultOfTheLastRecognizerIsThrown() {
    let book = Book()
    let chain = chain([Fake("a", failing: .atStart), Fake("b", failing: .atFinish)], book)
    for _ in 0..<2 { #expect(throws: Fake.fault) { try hear(chain) } }
    #expect(book.told == ["a"])
  }

  @Test func threeFailOneAfterTheOther() throws {
    let book = Book()
    let third = Fake("c")
    let chain = chain([Fake("a", failing: .atAppend), Fake("b", failing: .atAppend), third], book)
    #expect(try hear(chain) == "c")
    #expect(third.heard == Array(0..<15) && book.told == ["a", "b"])
  }

  @Test func cancellingIsNotAFailure() throws {
    let book = Book()
    let second = Fake("second")
    let session = try chain([Fake("first"), second], book).start(RecognitionRequest())
    try session.append([1])
    session.cancel()
    #expect(throws: RecognitionFault.cancelled) { try session.append([2]) }
    #expect(throws: RecognitionFault.cancelled) { try session.finish() }
    #expect(session.state == .cancelled && second.starts == 0 && book.told.isEmpty)
  }

  @Test func oneAvailableRecognizerIsEnough() throws {
    let book = Book()
    #expect(chain([Fake("a", failing: .atStart), Fake("b")], book).availability == .available)
    #expect(chain([Fake("b", failing: .atStart)], book).availability == .unavailable(Fake.fault))
    try chain([Fake("a", failing: .atStart), Fake("b")], book).prepare()
  }
}
