import Platform
import TestServers
import Testing

@testable import Web

/// The state of background work, from the lines of its command.
@Suite(.limited) struct WorkStateTests {
  private static func progress(_ part: Double, loss: Double?) -> String {
    let line: JSON = [
      "activity": "training: the model", "part": .number(part), "secondsLeft": 90,
      "loss": loss.map { .number($0) } ?? .null,
    ]
    return "\(line)"
  }

  @Test func progressAndMessagesAreDistinguished() {
    var work = WorkState(id: 1, kind: .train, name: "hello")
    work.take("hotword: 'wirbel' is not in the dictionary")
    work.take(Self.progress(0.25, loss: 0.5))
    work.take("{not JSON")
    #expect(work.activity == "training: the model")
    #expect(work.part == 0.25 && work.secondsLeft == 90)
    #expect(work.curve == [WorkState.CurvePoint(part: 0.25, loss: 0.5)])
    #expect(work.messages == ["'wirbel' is not in the dictionary", "{not JSON"])
    #expect(work.json["state"] == "running")
  }

  @Test func anActivityWithoutALossIsNoPointOfTheCurve() {
    var work = WorkState(id: 1, kind: .train, name: "hello")
    work.take(Self.progress(0.5, loss: nil))
    #expect(work.part == 0.5 && work.curve.isEmpty)
  }

  @Test func aLongCurveIsThinnedEvenly() throws {
    var work = WorkState(id: 1, kind: .train, name: "hello")
    for index in 0..<10_000 { work.take(Self.progress(Double(index) / 10_000, loss: 1)) }
    #expect((WorkState.mostPoints / 2...WorkState.mostPoints).contains(work.curve.count))
    let gaps = zip(work.curve, work.curve.dropFirst()).map { $1.part - $0.part }
    let (least, most) = (try #require(gaps.min()), try #require(gaps.max()))
    #expect(most - least < 1e-9)
    #expect(try #require(work.curve.last).part > 0.98)
  }

  @Test func theResultIsTheJSONThatTheCommandPrints() {
    var work = WorkState(id: 1, kind: .enroll, name: "hello")
    work.end(.exited(0), output: Array("{\"name\":\"ann\"}\n".utf8), lastError: nil)
    #expect(work.phase == .done && work.error == nil)
    #expect(work.json["result"]?["name"] == "ann")
    #expect(work.json["part"] == .null)
  }

  private static let failures: [(Subprocess.Ending, String?, String)] = [
    (.exited(65), "hotword: no clip is labelled", "no clip is labelled"),
    (.exited(70), nil, "the command failed without a message"),
    (.exited(70), "{\"activity\":\"training\"}", "the command failed without a message"),
    (.killed(signal: 9), nil, "the command was ended by signal 9; check the free memory"),
    (.timedOut, nil, "the command took too long"),
  ]

  @Test(arguments: failures)
  func aFailureHasTheLineOfTheCommand(ending: Subprocess.Ending, line: String?, error: String) {
    var work = WorkState(id: 1, kind: .improve, name: "hello")
    work.end(ending, output: [], lastError: line)
    #expect(work.phase == .failed)
    #expect(work.error == error)
  }

  @Test func aCancelledWorkIsNoFailure() {
    var work = WorkState(id: 1, kind: .train, name: "hello")
    work.end(.cancelled, output: [], lastError: "hotword: interrupted; nothing was written")
    #expect(work.phase == .cancelled && work.error == nil)
  }

  @Test func onlyTheLastMessagesAreKept() {
    var work = WorkState(id: 1, kind: .record, name: "hello")
    for index in 0..<50 { work.take("line \(index)") }
    #expect(work.messages.count == WorkState.mostMessages)
    #expect(work.messages.last == "line 49")
  }
}
