import AudioCapture
import Glibc
import Networking
import PCM
import Platform
import TestServers
import Testing

private let canRun =
  MosquittoBroker.path != nil && PythonServer.python(with: ["rhasspyhermes", "paho.mqtt"]) != nil

/// The service on a real broker, its messages read by PyPI's rhasspy-hermes.
@Suite(
  .limited, .needsProgram, .serialized,
  .enabled(if: canRun, "needs mosquitto, and python3 with rhasspy-hermes"))
struct HermesTests {
  private let broker: MosquittoBroker
  private let listener: PythonServer

  init() throws {
    broker = try MosquittoBroker()
    listener = try PythonServer(
      "hermes_listener.py", ["\(broker.port)"], modules: ["rhasspyhermes", "paho.mqtt"])
  }

  /// Seconds of the example, with quiet before it, by which its first command is over; the second hotword begins later.
  private static let pause = 6.4

  /// Two seconds of quiet and the example: commands in which the hotword begins at 2.6 s and at 7.1 s.
  private static let commands =
    try? [Int16](repeating: 0, count: AudioFormat.samples(2))
    + AudioFile.read(Program.recording)

  /// The service, once it is on the broker; its audio comes from what the test writes.
  private func start(_ words: [String] = [], options: String = "") throws -> RunningProgram {
    let input = words.contains("--input") ? [] : ["--input", "-", "--pace"]
    let address = "mqtt://127.0.0.1:\(broker.port),site=kitchen\(options)"
    let service = try RunningProgram(
      ["run", "--events", "json", "--metrics", "127.0.0.1:0", "--hermes", address] + input + words,
      isFed: true)
    #expect(!heard("kitchen/status").isEmpty, "\(service.errors)")
    return service
  }

  /// Gives the service the first command and waits until it has searched it for hotwords.
  private func giveFirstCommand(to service: RunningProgram) throws {
    service.write(try #require(Self.commands).prefix(AudioFormat.samples(Self.pause)))
    #expect(service.waits(untilHeard: Self.pause - 0.1), "\(service.errors)")
  }

  private func giveSecondCommand(to service: RunningProgram) throws {
    service.write(try #require(Self.commands).dropFirst(AudioFormat.samples(Self.pause)))
  }

  private func end(_ service: RunningProgram, by signal: Int32? = nil) throws -> [JSON] {
    let outcome = try service.end(by: signal)
    #expect(outcome.code == 0, "\(outcome.errors)")
    return try outcome.objects
  }

  /// What the listener has received on topics that end with `ending`, once there are `count`.
  private func heard(_ ending: String, count: Int = 1) -> [JSON] {
    var found: [JSON] = []
    _ = Waiting.until {
      found = listener.requests.filter { $0["topic"]?.string?.hasSuffix(ending) ?? false }
      return found.count >= count
    }
    return found
  }

  private func send(_ topic: String, _ body: JSON) throws {
    try send(topic, Array(body.description.utf8))
  }

  private func send(_ topic: String, _ payload: [UInt8]) throws {
    let address = try WebAddress("mqtt://127.0.0.1:\(broker.port)", schemes: ["mqtt"], expected: "")
    try MQTTBroker(address).publish(MQTTMessage(topic, payload), timeout: 30)
  }

  /// Turns hotwords on or off for both reasons, and waits until the service has done so: it answers requests in order.
  private func toggle(_ topic: String, answers: Int) throws {
    for reason in ["ttsSay", "playAudio"] {
      try send(topic, ["siteId": "kitchen", "reason": .string(reason)])
    }
    try send("rhasspy/hotword/getHotwords", ["siteId": "kitchen", "id": "toggled"])
    #expect(heard("hotword/hotwords", count: answers).count == answers)
  }

  @Test func aWakeIsToldWithAllThatFollows() throws {
    let service = try start()
    try giveFirstCommand(to: service)
    try giveSecondCommand(to: service)
    let events = try end(service)
    #expect(events.count { $0["event"] == "wake" } == 2)
    #expect(heard("dialogueManager/sessionEnded", count: 2).count == 2)
    let kinds = listener.requests.compactMap { $0["kind"]?.string }
    let dialogue = [
      "HotwordDetected", "DialogueSessionStarted", "AsrTextCaptured", "NluIntent", "DialogueSessionEnded",
    ]
    #expect(kinds == dialogue + dialogue)
    let sessions = Set(listener.requests.compactMap { $0["payload"]?["sessionId"]?.string })
    #expect(sessions.count == 2)
    #expect(
      listener.requests.allSatisfy {
        $0["topic"] == "hotword/kitchen/status" || $0["payload"]?["siteId"] == "kitchen"
      })
    #expect(heard("textCaptured").first?["payload"]?["text"] == "turn on the kitchen light")
    #expect(heard("intent/TurnOn").first?["slots"]?["area"] == ["kitchen", 8, 19])
    #expect(heard("kitchen/status", count: 2).map { $0["payload"] } == ["online", "offline"])
  }

  @Test func hotwordsAreHeededWhileNoReasonSpeaksAgainst() throws {
    let service = try start()
    try toggle("hermes/hotword/toggleOff", answers: 1)
    #expect(Waiting.until { service.metric("hotword_detecting") == 0 })
    #expect(Waiting.until { service.errors.contains("hotwords are switched off") })
    try giveFirstCommand(to: service)
    try toggle("hermes/hotword/toggleOn", answers: 2)
    try giveSecondCommand(to: service)
    let events = try end(service)
    let wakes = events.filter { $0["event"] == "wake" }
    #expect(wakes.count == 1)
    #expect((wakes.first?["time"]?.number ?? 0) > 7)
  }

  @Test func aBrokerThatIsRestartedLosesNoWake() throws {
    let service = try start()
    broker.stop()
    #expect(service.waits(for: "error"))
    try giveFirstCommand(to: service)
    #expect(service.waits(for: "idle"))
    try broker.start()
    #expect(heard("computer/detected").count == 1)
    try giveSecondCommand(to: service)
    let events = try end(service)
    #expect(events.count { $0["event"] == "wake" } == 2)
    #expect(events.count { $0["event"] == "error" } == 1)
    #expect(heard("computer/detected", count: 2).count == 2)
    #expect(heard("dialogueManager/sessionEnded", count: 2).count == 2)
  }

  private func send(audio samples: [Int16]) throws {
    for start in stride(from: 0, to: samples.count, by: 2_048) {
      let piece = Array(samples[start..<min(start + 2_048, samples.count)])
      try send("hermes/audioServer/kitchen/audioFrame", AudioFile.wave(piece))
    }
  }

  @Test func aSenderMayBeQuietBetweenSessions() throws {
    let service = try start(["--input", "hermes"], options: ",dialogue=elsewhere")
    try send(audio: [Int16](repeating: 0, count: 16_000))
    #expect(service.waits(for: "device"), "a silence of 5 s is a loss: \(service.errors)")
    try send("hermes/asr/startListening", ["siteId": "kitchen", "sessionId": "s1"])
    #expect(service.waits(for: "listening"))
    try send(audio: Array(Recordings.order[AudioFormat.samples(1.4)...]))
    #expect(heard("textCaptured").first?["payload"]?["text"] == "turn on the kitchen light")
    _ = try end(service, by: SIGTERM)
  }

  @Test func audioMayComeOverTheBroker() throws {
    let service = try start(["--input", "hermes"])
    try send(audio: Recordings.order)
    try send("hermes/audioServer/kitchen/audioFrame", [1, 2, 3])
    #expect(service.waits(for: "idle"), "\(service.errors)")
    let events = try end(service, by: SIGTERM)
    #expect(events.count { $0["event"] == "wake" } == 1)
    #expect(heard("intent/TurnOn").count == 1)
    #expect(service.errors.contains("audio of the site was dropped: no RIFF/WAVE header"))
  }

  @Test func anotherDialogueManagerMayLead() throws {
    let service = try start(options: ",dialogue=elsewhere")
    let commands = try #require(Self.commands)
    // The hotword, and the command only once the other dialogue manager has answered it.
    let word = AudioFormat.samples(3.9)
    service.write(commands[..<word])
    #expect(heard("computer/detected").count == 1)
    try send(
      "hermes/asr/startListening", ["siteId": "kitchen", "sessionId": "s1", "wakewordId": "computer"])
    #expect(service.waits(for: "listening"))
    service.write(commands[word...])
    let events = try end(service)
    #expect(heard("textCaptured").first?["payload"]?["text"] == "turn on the kitchen light")
    #expect(heard("textCaptured").first?["payload"]?["sessionId"] == "s1")
    #expect(listener.requests.allSatisfy { $0["kind"] != "NluIntent" })
    let idle = events.filter { $0["event"] == "idle" }.map { $0["reason"] }
    #expect(idle.allSatisfy { $0 == "handedOver" } && idle.count == 3)
  }

  @Test func questionsOfOthersAreAnswered() throws {
    let service = try start()
    try send("rhasspy/hotword/getHotwords", ["siteId": "kitchen", "id": "a"])
    try send("hermes/nlu/query", ["siteId": "kitchen", "id": "b", "input": "turn on the bedroom light"])
    try send("hermes/nlu/query", ["siteId": "kitchen", "id": "c", "input": "purple monkeys"])
    #expect(heard("hotword/hotwords").first?["payload"]?["models"]?.array?.first?["modelId"] == "computer")
    #expect(heard("intent/TurnOn").first?["payload"]?["id"] == "b")
    #expect(heard("intentNotRecognized").first?["payload"]?["id"] == "c")
    _ = try end(service)
  }

  @Test(arguments: [
    ("mqtt://h/topic", "not an address"), ("http://h", "not an address"),
    ("mqtt://h,site=a/b", "not a name of a site"),
    ("mqtt://h,dialogue=me", "not a dialogue manager"), ("mqtt://h,sit=a", "sit"),
  ])
  func wrongBrokersAreRefused(_ name: String, _ reason: String) throws {
    let outcome = try Program.run(["run", "--input", Program.recording, "--hermes", name])
    #expect(outcome.code == 78 && outcome.onlyError?.contains(reason) ?? false, "\(outcome.errors)")
  }

  @Test func audioOverABrokerNeedsOne() throws {
    let outcome = try Program.run(["run", "--input", "hermes"])
    #expect(outcome.code == 78 && outcome.onlyError?.contains("--hermes") ?? false, "\(outcome.errors)")
  }
}
