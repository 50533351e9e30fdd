import Assistant
import Hermes
import Networking
import PCM
import Platform
import TestServers
import Testing

@Suite(.limited) struct HermesDialogueManagerTests {
  private static func desk(leads: Bool = true) -> HermesDialogueManager {
    var settings = HermesSettings()
    settings.site = "kitchen"
    settings.managesDialogues = leads
    settings.hotwords = [HermesSettings.Hotword(id: "computer", phrase: "computer", sensitivity: 0.7)]
    return HermesDialogueManager(settings, seed: 1)
  }

  private func message(_ topic: String, _ body: JSON) -> HermesDialogueManager.Input {
    .received(MQTTMessage(topic, Array(body.description.utf8)))
  }

  private func told(_ kind: AssistantEvent.Kind, at: SampleIndex = 16_000) -> HermesDialogueManager.Input {
    .event(AssistantEvent(at: at, kind))
  }

  private let woke = AssistantEvent.Kind.wake(
    Wake(keyword: "computer", start: 0, end: 16_000, score: 0.9), snr: nil)

  /// The last parts of the topics that are published, and the other actions.
  private func outline(_ actions: [HermesDialogueManager.Action]) -> [String] {
    actions.map {
      if case .publish(let message) = $0 {
        String(message.topic.split(separator: "/").last ?? "")
      } else {
        "\($0)"
      }
    }
  }

  private func payload(_ actions: [HermesDialogueManager.Action], _ topic: String) throws -> JSON {
    for case .publish(let message) in actions where message.topic == topic {
      return try JSON(parsing: message.payload, what: topic)
    }
    Issue.record("nothing on \(topic)")
    return .null
  }

  private func meaning(_ intent: String?) -> JSON {
    [
      "text": "lights on", "language": "en",
      "intent": intent.map { ["name": .string($0), "confidence": 1] } ?? .null,
      "slots": ["area": ["value": "kitchen", "text": "the kitchen", "confidence": 1, "range": [7, 18]]],
      "status": intent == nil ? "notUnderstood" : "ready",
    ]
  }

  @Test func aSlotWithoutAWholeRangeHasNone() {
    for range: JSON in [[], [7], .null, 5] {
      let intent = HermesIntent(["slots": ["area": ["value": "kitchen", "range": range]]], site: "hall")
      #expect(intent.json["slots"]?.array?.first?["range"] == .null)
    }
  }

  @Test func aWakeOpensASessionThatEndsWithTheAnswer() throws {
    var desk = Self.desk()
    let opened = desk.advance(told(woke), at: 0)
    #expect(outline(opened) == ["detected", "sessionStarted"])
    let detected = try payload(opened, "hermes/hotword/computer/detected")
    #expect(detected["siteId"] == "kitchen" && detected["currentSensitivity"] == 0.7)
    let session = try #require(detected["sessionId"]?.string)
    _ = desk.advance(told(.listening), at: 0)
    let heard: JSON = [
      "text": "lights on", "confidence": 0.9,
      "segments": [
        ["text": "lights", "start": 1.2, "end": 1.5, "confidence": 0.8],
        ["text": "on", "start": 1.5, "end": 1.7, "confidence": 0.9],
      ],
    ]
    let captured = desk.advance(told(.transcript(result: heard), at: 48_000), at: 1)
    let text = try payload(captured, "hermes/asr/textCaptured")
    #expect(text["text"] == "lights on" && text["sessionId"] == .string(session) && text["seconds"] == 2)
    #expect(text["asrTokens"]?.array?[0].array?[1]["rangeStart"] == 7)
    let meant = desk.advance(told(.intent(result: meaning("TurnOn"))), at: 1)
    let intent = try payload(meant, "hermes/intent/TurnOn")
    #expect(intent["sessionId"] == .string(session) && intent["wakewordId"] == "computer")
    #expect(intent["slots"]?.array?.first?["range"]?["rawEnd"] == 18)
    #expect(desk.advance(told(.reply(text: "Done.")), at: 1).isEmpty)
    let ended = desk.advance(told(.idle(.done)), at: 1)
    let ending = try payload(ended, "hermes/dialogueManager/sessionEnded")
    #expect(ending["termination"]?["reason"] == "nominal" && ending["sessionId"] == .string(session))
  }

  @Test func anIntentThatNobodyAnsweredWaitsForASkill() throws {
    for (skill, expected) in [
      ("endSession", ["say(\"Done.\")", "sessionEnded"]),
      ("continueSession", ["listen(prompt: Optional(\"Done.\"), Assistant.Goal.command)"]),
    ] {
      var desk = Self.desk()
      let session = try payload(desk.advance(told(woke), at: 0), "hermes/hotword/computer/detected")[
        "sessionId"]
      _ = desk.advance(told(.intent(result: meaning("TurnOn"))), at: 1)
      #expect(desk.advance(told(.idle(.done)), at: 1).isEmpty)
      #expect(desk.advance(.tick, at: 5).isEmpty)
      let answer = desk.advance(
        message("hermes/dialogueManager/\(skill)", ["sessionId": try #require(session), "text": "Done."]),
        at: 5)
      #expect(outline(answer) == expected)
      #expect(desk.advance(.tick, at: 20).isEmpty)
    }
  }

  @Test func patienceWithSkillsEnds() throws {
    var desk = Self.desk()
    _ = desk.advance(told(woke), at: 0)
    _ = desk.advance(told(.intent(result: meaning("TurnOn"))), at: 1)
    _ = desk.advance(told(.idle(.done)), at: 1)
    let ended = desk.advance(.tick, at: 11)
    #expect(try payload(ended, "hermes/dialogueManager/sessionEnded")["termination"]?["reason"] == "timeout")
  }

  @Test func aSkillMayAnswerWhileTheIntentIsStillCarriedOut() throws {
    var desk = Self.desk()
    let session = try payload(desk.advance(told(woke), at: 0), "hermes/hotword/computer/detected")[
      "sessionId"]
    _ = desk.advance(told(.intent(result: meaning("TurnOn"))), at: 1)
    let more: JSON = [
      "sessionId": try #require(session), "text": "Which one?", "intentFilter": ["ChooseLight", "Cancel"],
    ]
    #expect(desk.advance(message("hermes/dialogueManager/continueSession", more), at: 1).isEmpty)
    let next = desk.advance(told(.idle(.done)), at: 1)
    #expect(next == [.listen(prompt: "Which one?", .intents(["ChooseLight", "Cancel"]))])
    #expect(outline(desk.advance(told(.idle(.noSpeech)), at: 9)) == ["sessionEnded"])
  }

  @Test func whatIsNotUnderstoodIsTold() throws {
    var desk = Self.desk()
    _ = desk.advance(told(woke), at: 0)
    #expect(outline(desk.advance(told(.intent(result: meaning(nil))), at: 1)) == ["intentNotRecognized"])
    let ended = desk.advance(told(.idle(.notUnderstood)), at: 1)
    #expect(
      try payload(ended, "hermes/dialogueManager/sessionEnded")["termination"]?["reason"]
        == "intentNotRecognized")
  }

  @Test func togglesAreASetOfReasons() {
    var desk = Self.desk()
    func toggle(_ way: String, _ reason: String?, site: String = "kitchen") -> [HermesDialogueManager.Action]
    {
      desk.advance(
        message(
          "hermes/hotword/toggle\(way)",
          ["siteId": .string(site), "reason": reason.map(JSON.string) ?? .null]),
        at: 0)
    }
    #expect(toggle("Off", "ttsSay") == [.detect(false)])
    #expect(toggle("Off", "dialogueSession").isEmpty)
    #expect(toggle("Off", "ttsSay").isEmpty)
    #expect(toggle("On", "ttsSay").isEmpty)
    #expect(toggle("On", "playAudio").isEmpty)
    #expect(toggle("On", "dialogueSession", site: "attic").isEmpty)
    #expect(toggle("On", "dialogueSession") == [.detect(true)])
    #expect(toggle("Off", "") == [.detect(false)])
    #expect(toggle("Off", "playAudio").isEmpty)
    #expect(toggle("On", nil) == [.detect(true)])
  }

  @Test func anotherLeaderIsGivenTheWakeAndTheText() throws {
    var desk = Self.desk(leads: false)
    let detected = desk.advance(told(woke), at: 0)
    #expect(outline(detected) == ["detected"])
    #expect(desk.advance(told(.idle(.handedOver)), at: 0).isEmpty)
    let start: JSON = [
      "siteId": "kitchen", "sessionId": "s1", "wakewordId": "computer", "stopOnSilence": false,
    ]
    #expect(
      desk.advance(message("hermes/asr/startListening", start), at: 0)
        == [.listen(prompt: nil, .text(endsBySilence: false))])
    let again = desk.advance(message("hermes/asr/startListening", start), at: 0)
    #expect(outline(again) == ["asr"])
    let other = message("hermes/asr/stopListening", ["siteId": "kitchen", "sessionId": "s2"])
    #expect(desk.advance(other, at: 0).isEmpty)
    let stop = message("hermes/asr/stopListening", ["siteId": "kitchen", "sessionId": "s1"])
    #expect(desk.advance(stop, at: 0) == [.dismiss(wantsResult: true)])
    let text = try payload(
      desk.advance(told(.transcript(result: ["text": "hello", "confidence": 0.9])), at: 1),
      "hermes/asr/textCaptured")
    #expect(text["sessionId"] == "s1" && text["wakewordId"] == "computer" && text["text"] == "hello")
    #expect(desk.advance(told(.idle(.handedOver)), at: 1).isEmpty)
  }

  @Test func aTextThatNobodySpeaksIsEmpty() throws {
    var desk = Self.desk()
    _ = desk.advance(message("hermes/asr/startListening", ["siteId": "kitchen", "sessionId": "s1"]), at: 0)
    let text = try payload(desk.advance(told(.idle(.noSpeech)), at: 5), "hermes/asr/textCaptured")
    #expect(text["text"] == "" && text["likelihood"] == 0 && text["sessionId"] == "s1")
  }

  @Test func aRecognizerThatIsSwitchedOffDoesNotListen() {
    var desk = Self.desk()
    _ = desk.advance(message("hermes/asr/toggleOff", ["siteId": "kitchen"]), at: 0)
    let start = message("hermes/asr/startListening", ["siteId": "kitchen"])
    #expect(outline(desk.advance(start, at: 0)) == ["asr"])
    _ = desk.advance(message("hermes/asr/toggleOn", ["siteId": "kitchen"]), at: 0)
    #expect(desk.advance(start, at: 0) == [.listen(prompt: nil, .text(endsBySilence: true))])
  }

  @Test func queriesAreAnsweredWithWhatTheyAskedBy() throws {
    var desk = Self.desk()
    for (filter, name) in [(["TurnOn"], "TurnOn"), (["TurnOff"], nil)] as [([String], String?)] {
      let body: JSON = [
        "input": "lights on", "siteId": "kitchen", "id": "q7", "sessionId": "s1", "customData": "mine",
        "intentFilter": .array(filter.map { .string($0) }),
      ]
      let asked = desk.advance(message("hermes/nlu/query", body), at: 0)
      guard case .understand(let query)? = asked.first else {
        Issue.record("no query")
        return
      }
      #expect(query.text == "lights on")
      let answer = desk.advance(.understood(query, meaning("TurnOn")), at: 0)
      let topic = name.map { "hermes/intent/\($0)" } ?? "hermes/nlu/intentNotRecognized"
      let told = try payload(answer, topic)
      #expect(told["id"] == "q7" && told["sessionId"] == "s1" && told["customData"] == "mine")
    }
  }

  @Test func skillsOpenSessionsOneAfterTheOther() throws {
    var desk = Self.desk()
    func start(_ type: String, _ text: String, mayWait: Bool = true) -> [HermesDialogueManager.Action] {
      desk.advance(
        message(
          "hermes/dialogueManager/startSession",
          [
            "siteId": "kitchen", "customData": .string(text),
            "init": [
              "type": .string(type), "text": .string(text), "canBeEnqueued": .bool(mayWait),
              "intentFilter": text == "Milk?" ? ["Answer"] : .null,
            ],
          ]), at: 0)
    }
    #expect(
      outline(start("notification", "Tea is ready.")) == [
        "sessionStarted", "say(\"Tea is ready.\")", "sessionEnded",
      ])
    let asked = start("action", "Which tea?")
    #expect(asked.last == .listen(prompt: "Which tea?", .command))
    #expect(outline(start("action", "Milk?")) == ["sessionQueued"])
    #expect(outline(start("action", "Sugar?", mayWait: false)) == ["dialogueManager"])
    let next = desk.advance(told(.idle(.noSpeech)), at: 9)
    #expect(outline(next).prefix(2) == ["sessionEnded", "sessionStarted"])
    #expect(next.last == .listen(prompt: "Milk?", .intents(["Answer"])))
    #expect(try payload(next, "hermes/dialogueManager/sessionStarted")["customData"] == "Milk?")
  }

  @Test func theHotwordsAreListed() throws {
    var desk = Self.desk()
    let list = desk.advance(message("rhasspy/hotword/getHotwords", ["siteId": "kitchen", "id": "x"]), at: 0)
    let told = try payload(list, "rhasspy/hotword/hotwords")
    #expect(told["id"] == "x" && told["models"]?.array?.first?["modelWords"] == "computer")
  }

  @Test func audioIsPassedOnForItsSiteAlone() {
    var desk = Self.desk()
    let frame = MQTTMessage("hermes/audioServer/kitchen/audioFrame", [1, 2])
    #expect(desk.advance(.received(frame), at: 0) == [.audio([1, 2])])
    let other = MQTTMessage("hermes/audioServer/attic/audioFrame", [1, 2])
    #expect(desk.advance(.received(other), at: 0).isEmpty)
  }

  @Test(arguments: ["", "{", "[]", "7", "{\"siteId\":7}", "{\"siteId\":\"attic\"}", "{\"init\":[]}"])
  func garbageIsNotHeeded(_ payload: String) {
    var desk = Self.desk()
    for topic in HermesSettings().topics(audio: false) {
      let actions = desk.advance(.received(MQTTMessage(topic, Array(payload.utf8))), at: 0)
      let areWarnings = actions.allSatisfy { if case .warn = $0 { true } else { false } }
      #expect(areWarnings && desk.reasons.isEmpty, "\(topic) \(actions)")
    }
  }

  @Test func aCommandThatTheBrokerHasKeptIsIgnoredAndTold() {
    var desk = Self.desk()
    let body: JSON = ["siteId": "kitchen"]
    let kept = MQTTMessage("hermes/hotword/toggleOff", Array(body.description.utf8), isRetained: true)
    let actions = desk.advance(.received(kept), at: 0)
    guard case .warn(let text)? = actions.first, actions.count == 1 else {
      Issue.record("\(actions)")
      return
    }
    #expect(text.contains("toggleOff") && text.contains("retain") && desk.reasons.isEmpty)
  }

  @Test func namesThatNoTopicCanContainAreReportedAllTheSame() throws {
    var desk = Self.desk()
    let wake = Wake(keyword: "c++", start: 0, end: 16_000, score: 0.9)
    let opened = desk.advance(told(.wake(wake, snr: nil)), at: 0)
    #expect(try payload(opened, "hermes/hotword/c__/detected")["modelId"] == "c++")
    let answer = desk.advance(told(.intent(result: meaning("Turn#On"))), at: 0)
    #expect(try payload(answer, "hermes/intent/Turn_On")["intent"]?["intentName"] == "Turn#On")
  }
}
