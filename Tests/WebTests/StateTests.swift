import AudioCapture
import Networking
import Platform
import Service
import TestServers
import Testing

@testable import Web

/// The log, the connections, a reload, speech and dialogues over the JSON interface.
@Suite(.limited) struct StateTests {
  private let page = try! TestPage()

  @Test func theLogHasWhatWasWrittenByItsLevel() throws {
    let mark = "a line of \(UInt64.random(in: 0 ... .max))"
    Log.note(mark)
    Log.debug("not written: \(mark)")
    let lines = try #require(page.json("GET", "/api/log", query: ["count": "400"])["lines"]?.array)
    let own = lines.filter { $0["message"]?.string?.contains(mark) == true }
    #expect(own.map { $0["level"]?.string } == ["notice"])
    let errors = try page.json("GET", "/api/log", query: ["level": "error", "count": "400"])["lines"]?.array
    #expect(errors?.contains { $0["message"]?.string?.contains(mark) == true } == false)
    #expect(page.send("GET", "/api/log", query: ["level": "loud"]).status == 400)
    #expect(page.send("GET", "/api/log", query: ["count": "401"]).status == 400)
  }

  @Test func theStateHasTheConnections() throws {
    let connection = try #require(page.json("GET", "/api/state")["connections"]?.array?.first)
    #expect(connection["kind"] == "MQTT broker" && connection["connected"] == true)
  }

  @Test func aReloadIsRequested() throws {
    #expect(try page.json("POST", "/api/reload")["requested"] == true)
    #expect(page.reloads.takeIfAny() == true)
    #expect(try TestPage(hasService: false).send("POST", "/api/reload").status == 409)
  }

  @Test(arguments: [
    ("command:notify --key 123", "command:notify"),
    ("https://user:pass@example.com/api/webhook/secret,key=k.txt", "https://example.com"),
    ("wyoming:tcp://10.0.0.2:10300,language=de", "wyoming:tcp://10.0.0.2:10300"), ("speak", "speak"),
    ("mqtt://example/topic?x=1", "mqtt://example"),
  ])
  func namesOfPlugInsHaveNoSecrets(_ plugIn: String, _ shown: String) {
    #expect(ServiceConnection.withoutSecrets(plugIn) == shown)
  }

  @Test func aDialogueGoesOnUntilAnotherBegins() throws {
    func say(_ text: String, in name: String) throws -> JSON {
      try page.json("POST", "/api/dialogue", ["conversation": .string(name), "text": .string(text)])
    }
    #expect(try say("set a timer", in: "one")["status"] == "needsValue")
    let answer = try say("five minutes", in: "one")
    #expect(answer["intent"]?["name"]?.string?.contains("Timer") == true)
    #expect(answer["status"] == "ready")
    #expect(try say("five minutes", in: "two")["status"] != "ready", "another conversation has no question")
    for index in 0..<40 { _ = try say("turn on the kitchen light", in: "\(index)") }
    #expect(page.send("POST", "/api/dialogue", ["text": "x"]).status == 400)
  }

  @Test func onlyAShortWAVFileIsRecognized() {
    func send(_ bytes: [UInt8], type: String = "audio/wav") -> Int {
      let headers = ["host": "localhost", "x-hotword-token": TestPage.token, "content-type": type]
      let request = ServedRequest("POST", "/api/transcribe", headers: headers, body: bytes)
      return page.operations.response(to: request).status
    }
    #expect(send(Array("no audio".utf8)) == 400)
    #expect(send(AudioFile.wave([Int16](repeating: 0, count: 1_600)), type: "application/json") == 400)
    #expect(send([UInt8](repeating: 0, count: SpeechOperations.limit + 1)) == 413)
  }
}
