import Networking
import Platform
import TestServers
import Testing

@testable import Web

/// Background work in the JSON interface.
@Suite(.limited) struct BackgroundWorkTests {
  private func training(listens: Bool = true) throws -> TeachPage {
    let teach = try TeachPage(listens: listens)
    _ = try teach.add("hello")
    let answer = try teach.page.json("POST", "/api/phrases/hello/train", ["steps": 10])
    #expect(answer["work"]?["kind"] == "train" && answer["work"]?["name"] == "hello")
    return teach
  }

  @Test func progressIsKeptForEveryPageThatAsks() throws {
    let teach = try training()
    #expect(Waiting.until { teach.page.operations.teaching?.work.state?.curve.count == 1 })
    let work = try #require(try teach.page.json("GET", "/api/work")["work"])
    #expect(work["state"] == "running" && work["part"] == 0.5 && work["secondsLeft"] == 60)
    try teach.finish()
    #expect(try teach.work(until: "done")["result"] == ["phrase": "computer"])
    let models = try teach.page.json("GET", "/api/models")["models"]
    #expect(models == [["name": "hello", "installed": false, "candidate": true, "previous": false]])
  }

  @Test func oneWorkRunsAtATime() throws {
    let teach = try training()
    for path in ["/api/phrases/hello/train", "/api/phrases/hello/record"] {
      let answer = teach.page.send("POST", path, ["speaker": "ann"])
      #expect(answer.status == 409 && answer.error?.hasPrefix("hello: work") == true, "\(path)")
    }
    #expect(teach.page.send("DELETE", "/api/phrases/hello").status == 409)
    try teach.finish()
    _ = try teach.work(until: "done")
    #expect(teach.page.send("POST", "/api/phrases/hello/train", [:]).status == 200)
    #expect(try teach.work(until: "done")["id"] == 2)
  }

  @Test func aCancelledWorkEndsAndLeavesNothing() throws {
    let teach = try training()
    #expect(teach.page.send("DELETE", "/api/work").status == 200)
    let work = try teach.work(until: "cancelled")
    #expect(work["error"] == .null)
    try teach.finish()
    #expect(try teach.page.json("GET", "/api/models")["models"] == [])
    #expect(teach.page.send("POST", "/api/models/hello/use").status == 404)
  }

  @Test func aFailureHasTheLineThatTheCommandPrints() throws {
    let teach = try training()
    try Files.write([], to: "\(teach.folder)/fail")
    try teach.finish()
    #expect(try teach.work(until: "failed")["error"] == "no clip is labelled")
  }

  @Test func workEndsWithTheServer() throws {
    let teach = try training()
    _ = try teach.work(until: "running")
    teach.page.operations.stopWork()
    #expect(try teach.page.json("GET", "/api/work")["work"]?["state"] == "cancelled")
  }

  @Test func beforeTheFirstWorkThereIsNone() throws {
    #expect(try TeachPage().page.json("GET", "/api/work") == ["work": .null])
    #expect(try TeachPage().page.json("DELETE", "/api/work") == ["work": .null])
  }

  @Test func aTrainingUsesTheRecordingsAndASpeakerThoseOfTheirOwn() throws {
    let teach = try TeachPage()
    _ = try teach.add("hello")
    try teach.finish()
    let path = "/api/phrases/hello/takes"
    for speaker in ["ann", "bob"] {
      #expect(try teach.send(path, query: ["speaker": speaker], TeachPage.speech).json["flaw"] == .null)
    }
    _ = try teach.page.json("POST", "/api/phrases/hello/train", [:])
    _ = try teach.work(until: "done")
    let recordings = "\(teach.folder)/phrases/hello/recordings"
    #expect(try #require(teach.calls.last).contains("--positives=\(recordings) --output="))
    _ = try teach.page.json("POST", "/api/models/hello/use")
    _ = try teach.page.json("POST", "/api/phrases/hello/enroll", ["speaker": "ann"])
    #expect(try teach.work(until: "done")["result"]?["name"] == "ann")
    #expect(teach.calls.last == "enroll --phrase=hello -- ann \(recordings)/clips/hello_ann_0001.wav")
    #expect(teach.page.send("POST", "/api/phrases/hello/enroll", ["speaker": "eve"]).status == 404)
  }

  @Test func aTakeIsRecordedOnTheMachineByTheRecordCommand() throws {
    let teach = try TeachPage()
    _ = try teach.add("hello")
    _ = try teach.page.json("POST", "/api/phrases/hello/record", ["speaker": "ann"])
    let work = try teach.work(until: "done")
    #expect(work["messages"] == ["1 of 1: say it"])
    let call = try #require(teach.calls.last)
    #expect(call.contains("--count=1 --speaker=ann --language=en --input=alsa:default --pace -- hello"))
    #expect(teach.page.send("POST", "/api/phrases/hello/record", ["speaker": "../x"]).status == 400)
  }
}
