import Networking
import Platform
import Recognition
import Synchronization
import TestServers
import Testing

@testable import WyomingServer

@Suite(.limited) struct RecognizerPoolTests {
  private final class Answers: Sendable {
    let all = Mutex<[Result<Transcript, RecognitionFault>]>([])

    func utterance() -> Utterance { Utterance { result in self.all.withLock { $0.append(result) } } }
    var count: Int { all.withLock { $0.count } }
  }

  private func pool(_ script: ScriptedSpeech, limit: Int = 4) -> RecognizerPool {
    RecognizerPool(limit: limit) {
      RecognitionRequest(expected: ["yes"])
    } make: {
      script.make()
    }
  }

  @Test func eachUtteranceIsAnsweredOnce() {
    let script = ScriptedSpeech(complete: 1_600)
    let pool = pool(script)
    let answers = Answers()
    for _ in 0..<3 {
      let utterance = answers.utterance()
      pool.recognize(utterance)
      utterance.append([Int16](repeating: 0, count: 3_200))
      utterance.finish()
      #expect(Waiting.until { utterance.isOver })
      utterance.append([1])
      #expect(utterance.heldBytes == 0)
    }
    #expect(Waiting.until { answers.count == 3 })
    #expect(answers.all.withLock { $0.allSatisfy { (try? $0.get())?.text == "lights on" } })
    #expect(script.use.withLock { $0.made } == 1)
    #expect(script.use.withLock { $0.expected } == [["yes"], ["yes"], ["yes"]])
  }

  @Test func moreUtterancesThanRecognizersWait() {
    let script = ScriptedSpeech()
    let pool = pool(script, limit: 2)
    let answers = Answers()
    let utterances = (0..<5).map { _ in answers.utterance() }
    for utterance in utterances {
      pool.recognize(utterance)
      utterance.append([Int16](repeating: 0, count: 1_600))
    }
    #expect(Waiting.until { script.use.withLock { $0.started } == 2 })
    #expect(answers.count == 0)
    for utterance in utterances { utterance.finish() }
    #expect(Waiting.until { answers.count == 5 })
    #expect(script.use.withLock { $0.made } == 2)
    #expect(script.use.withLock { $0.samples } == 8_000)
  }

  @Test func aClientThatLeavesFreesItsRecognizer() {
    let script = ScriptedSpeech()
    let pool = pool(script, limit: 1)
    let answers = Answers()
    let (left, stays) = (answers.utterance(), answers.utterance())
    pool.recognize(left)
    pool.recognize(stays)
    #expect(Waiting.until { script.use.withLock { $0.started } == 1 })
    left.cancel()
    stays.finish()
    #expect(Waiting.until { answers.count == 1 })
    #expect(script.use.withLock { $0.cancelled } == 1 && left.isOver)
  }

  @Test func whatAClientHasSentBeforeItLeftIsNotRecognized() {
    let script = ScriptedSpeech()
    let pool = pool(script, limit: 1)
    let answers = Answers()
    let utterances = (0..<3).map { _ in answers.utterance() }
    for utterance in utterances {
      pool.recognize(utterance)
      utterance.append([Int16](repeating: 0, count: 1_600))
    }
    #expect(Waiting.until { script.use.withLock { $0.started } == 1 })
    utterances[1].cancel()
    for utterance in [utterances[0], utterances[2]] { utterance.finish() }
    #expect(Waiting.until { answers.count == 2 })
    #expect(script.use.withLock { $0.started } == 2)
    #expect(script.use.withLock { $0.samples } == 3_200)
  }

  @Test func renewedRecognizersAreMadeAfterTheUtterancesOfBefore() throws {
    let script = ScriptedSpeech()
    let pool = pool(script, limit: 1)
    let answers = Answers()
    let (before, after) = (answers.utterance(), answers.utterance())
    pool.recognize(before)
    #expect(Waiting.until { script.use.withLock { $0.started } == 1 })
    try pool.renew()
    #expect(script.use.withLock { $0.made } == 1)
    before.finish()
    #expect(Waiting.until { script.use.withLock { $0.made } == 2 })
    pool.recognize(after)
    after.finish()
    #expect(Waiting.until { answers.count == 2 })
    #expect(script.use.withLock { $0.made } == 2)
  }

  @Test func aRecognizerThatCannotBeMadeIsToldAndTriedAgain() {
    let script = ScriptedSpeech(fault: .noEncoder(language: "en"))
    let pool = pool(script)
    let answers = Answers()
    for count in 1...2 {
      pool.recognize(answers.utterance())
      #expect(Waiting.until { answers.count == count })
    }
    #expect(answers.all.withLock { $0.allSatisfy { $0 == .failure(.noEncoder(language: "en")) } })
    #expect(script.use.withLock { $0.made } == 2)
  }
}
