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
@Suite(.serialized, .enabled(if: canRun, "needs mosquitto, and python3 with rhasspy-hermes"))
struct HermesTests {
  private let broker: MosquittoBroker
  private let listener: PythonServer

  init() throws {
    broker = try MosquittoBroker()
    listener = try PythonServer(
      "hermes_listener.py", ["\(broker.port)"], modules: ["rhasspyhermes", "paho.mqtt"])
  }

  /// What runs beside the service, once it is on the broker.
  private typealias Meanwhile = @Sendable (MosquittoBroker, PythonServer) throws -> Void

  private struct Servers: @unchecked Sendable {
    let broker: MosquittoBroker
    let listener: PythonServer
  }

  /// Runs the service over two seconds of quiet and the example, or until `seconds` are over.
  private func run(
    _ words: [String] = [], options: String = "", seconds: Double = 30,
    meanwhile: @escaping Meanwhile = { _, _ in }
  ) throws -> [JSON] {
    let quiet = [Int16](repeating: 0, count: AudioFormat.samples(2))
    let samples = try AudioFile.read(Program.recording)
    let input = try words.contains("--input") ? [] : ["--input", Recordings.wave(quiet + samples), "--pace"]
    let line =
      (["run", "--events", "json", "--hermes", "mqtt://127.0.0.1:\(broker.port),site=kitchen\(options)"]
      + input + words).map(Program.quoted).joined(separator: " ")
    let servers = Servers(broker: broker, listener: listener)
    try DetachedThread.start {
      while servers.listener.requests.isEmpty { usleep(20_000) }
      do { try meanwhile(servers.broker, servers.listener) } catch { Issue.record(error) }
    }
    let outcome = try Program.shell(
      "timeout --preserve-status -s TERM \(seconds) \(Program.path) \(line)", timeout: seconds + 20)
    #expect(outcome.code == 0, "\(outcome.errors)")
    return try outcome.objects
  }

  /// What the listener has heard on topics that end with `ending`, once there are `count`.
  private func heard(_ ending: String, count: Int = 1) -> [JSON] {
    let deadline = MonotonicClock.now() + 15
    while true {
      let found = listener.requests.filter { $0["topic"]?.string?.hasSuffix(ending) ?? false }
      if found.count >= count || MonotonicClock.now() > deadline { return found }
      usleep(20_000)
    }
  }

  private static func send(_ broker: MosquittoBroker, _ topic: String, _ body: JSON) throws {
    try send(broker, topic, Array(body.description.utf8))
  }

  private static func send(_ broker: MosquittoBroker, _ topic: String, _ payload: [UInt8]) throws {
    let address = try WebAddress("mqtt://127.0.0.1:\(broker.port)", schemes: ["mqtt"], expected: "")
    try MQTTBroker(address).publish(MQTTMessage(topic, payload), timeout: 10)
  }

  @Test func aWakeIsToldWithAllThatFollows() throws {
    let events = try run()
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
    let events = try run { broker, _ in
      for reason in ["ttsSay", "playAudio"] {
        try Self.send(broker, "hermes/hotword/toggleOff", ["siteId": "kitchen", "reason": .string(reason)])
      }
      usleep(4_500_000)
      for reason in ["ttsSay", "playAudio"] {
        try Self.send(broker, "hermes/hotword/toggleOn", ["siteId": "kitchen", "reason": .string(reason)])
      }
    }
    let wakes = events.filter { $0["event"] == "wake" }
    #expect(wakes.count == 1)
    #expect((wakes.first?["time"]?.number ?? 0) > 7)
  }

  @Test func aBrokerThatIsRestartedLosesNoWake() throws {
    let events = try run { broker, _ in
      broker.stop()
      usleep(4_000_000)
      try broker.start()
    }
    #expect(events.count { $0["event"] == "wake" } == 2)
    #expect(events.count { $0["event"] == "error" } == 1)
    #expect(heard("computer/detected", count: 2).count == 2)
    #expect(heard("dialogueManager/sessionEnded", count: 2).count == 2)
  }

  @Test func audioMayComeOverTheBroker() throws {
    let whole = Recordings.order
    let events = try run(["--input", "hermes"], seconds: 12) { broker, _ in
      for start in stride(from: 0, to: whole.count, by: 2_048) {
        let piece = Array(whole[start..<min(start + 2_048, whole.count)])
        let header = WAVHeader(dataLength: 2 * piece.count).encoded()
        let bytes = piece.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
        try Self.send(broker, "hermes/audioServer/kitchen/audioFrame", header + bytes)
        usleep(100_000)
      }
      try Self.send(broker, "hermes/audioServer/kitchen/audioFrame", [1, 2, 3])
    }
    #expect(events.count { $0["event"] == "wake" } == 1)
    #expect(heard("intent/TurnOn").count == 1)
  }

  @Test func anotherDialogueManagerMayLead() throws {
    let events = try run(options: ",dialogue=elsewhere") { broker, listener in
      let deadline = MonotonicClock.now() + 10
      while MonotonicClock.now() < deadline,
        !listener.requests.contains(where: { $0["kind"] == "HotwordDetected" })
      {
        usleep(5_000)
      }
      try Self.send(
        broker, "hermes/asr/startListening",
        ["siteId": "kitchen", "sessionId": "s1", "wakewordId": "computer"])
    }
    #expect(heard("textCaptured").first?["payload"]?["text"] == "turn on the kitchen light")
    #expect(heard("textCaptured").first?["payload"]?["sessionId"] == "s1")
    #expect(listener.requests.allSatisfy { $0["kind"] != "NluIntent" })
    let idle = events.filter { $0["event"] == "idle" }.map { $0["reason"] }
    #expect(idle.allSatisfy { $0 == "handedOver" } && idle.count == 3)
  }

  @Test func questionsOfOthersAreAnswered() throws {
    _ = try run { broker, _ in
      try Self.send(broker, "rhasspy/hotword/getHotwords", ["siteId": "kitchen", "id": "a"])
      try Self.send(
        broker, "hermes/nlu/query", ["siteId": "kitchen", "id": "b", "input": "turn on the bedroom light"])
      try Self.send(broker, "hermes/nlu/query", ["siteId": "kitchen", "id": "c", "input": "purple monkeys"])
    }
    #expect(heard("hotword/hotwords").first?["payload"]?["models"]?.array?.first?["modelId"] == "computer")
    #expect(heard("intent/TurnOn", count: 2).first?["payload"]?["id"] == "b")
    #expect(heard("intentNotRecognized").first?["payload"]?["id"] == "c")
  }

  @Test(arguments: [
    ("mqtt://h/topic", "no address"), ("http://h", "no address"), ("mqtt://h,site=a/b", "no name of a site"),
    ("mqtt://h,dialogue=me", "does not lead"), ("mqtt://h,sit=a", "sit"),
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
