import AudioCapture
import Glibc
import PCM
import Platform
import TestServers
import Testing

/// The Wyoming wake-word server with the client that Home Assistant uses.
@Suite(.limited, .needsProgram, .serialized, .enabled(if: WakeServer.hasClient, "needs python3 with wyoming"))
struct ServeTests {
  private static func path(_ samples: [Int16]) throws -> JSON { .string(try Recordings.wave(samples)) }

  /// The ends of the hits that `hotword detect` finds, in milliseconds.
  private static func expected(_ path: JSON, _ model: String = "computer") throws -> [Double] {
    let outcome = try Program.run(["detect", "--model", model, path.string ?? ""])
    return try outcome.objects.compactMap { $0["end"]?.number }.map { ($0 * 1000).rounded() }
  }

  private static func times(_ events: [JSON]) -> [Double] {
    events.filter { $0["type"] == "detection" }.compactMap { $0["timestamp"]?.number }
  }

  private static let start: JSON = ["send", "audio-start", ["rate": 16_000, "width": 2, "channels": 1]]
  private static let stop: JSON = ["send", "audio-stop"]
  private static let ask: [JSON] = [["send", "ping", ["text": "last"]], ["until", "pong"]]

  @Test func theServerDetectsTheSameAsDetect() throws {
    let server = try WakeServer()
    let path = JSON.string(try Recordings.twoOrders())
    let expected = try Self.expected(path)
    try #require(expected.count == 2)
    for chunks in [
      ["wav", path, 1_024], ["wav", path, 77], ["bytes", path, 333], ["bytes", path, 100_001],
    ] {
      let events = try server.events([Self.start, .array(chunks), Self.stop] + Self.ask)
      #expect(events.map { $0["type"] } == ["detection", "detection", "pong"], "\(chunks)")
      #expect(Self.times(events) == expected, "\(chunks)")
      #expect(events.first?["name"] == "computer" && events.first?["speaker"] == .null)
    }
    for pieces in [1, 13, 1_000_000] {
      let events = try server.events([
        ["pieces", .number(Double(pieces))], Self.start, ["wav", path, 512], Self.stop,
        ["until", "detection"],
        ["until", "detection"],
      ])
      #expect(Self.times(events) == expected, "in pieces of \(pieces)")
    }
  }

  /// The hotword as a microphone in the next room hears it, louder by its amplifier: without high frequencies.
  private static func nextDoor(_ samples: [Int16]) -> [Int16] {
    var value = 0.0
    return samples.map {
      value += 0.25 * (Double($0) - value)
      return Int16(max(-32_768, min(32_767, 1.5 * value)))
    }
  }

  @Test func ofStreamsThatHearAHotwordTheNearestReportsIt() throws {
    let word = Array(Recordings.order.prefix(AudioFormat.samples(2)))
    let files = try [Recordings.wave(word), Recordings.wave(Self.nextDoor(word))]
    func detections(_ words: [String], _ files: [String]) throws -> [[String?]] {
      let server = try WakeServer(["--model", "computer"] + words)
      let events = try WakeServer.client("wyoming_wake_streams.py", [server.uri] + files)
      return files.indices.map { stream in
        events.filter { $0["stream"]?.number == Double(stream) && $0["type"] != "pong" }.map {
          $0["type"]?.string
        }
      }
    }
    #expect(try detections([], files) == [["detection"], ["detection"]])
    #expect(try detections(["--nearest"], files) == [["detection"], ["not-detected"]])
    #expect(try detections(["--nearest"], files.reversed()) == [["not-detected"], ["detection"]])
    #expect(try detections(["--nearest"], [files[1]]) == [["detection"]])
  }

  @Test func theEnrolledVoiceIsToldAndWithOnlyVoicesNoOtherIsHeard() throws {
    let data = Program.temporaryFolder()
    let path = JSON.string(try Recordings.twoOrders())
    func speakers(_ words: [String]) throws -> [JSON?] {
      let server = try WakeServer(["--model", "computer"] + words, environment: "XDG_DATA_HOME=\(data)")
      let events = try server.events([Self.start, ["wav", path, 512], Self.stop] + Self.ask)
      return events.filter { $0["type"] == "detection" }.map { $0["speaker"] }
    }
    try EnrollTests.enroll("bob", EnrollTests.otherClips(), in: data)
    #expect(try speakers([]) == [.null, .null])
    #expect(try speakers(["--only-voices"]) == [])
    try EnrollTests.enroll("ann", EnrollTests.clips(), in: data)
    #expect(try speakers([]) == ["ann", "ann"])
    #expect(try speakers(["--only-voices"]) == ["ann", "ann"])
    let outcome = try Program.shell(
      "XDG_DATA_HOME=\(data) hotword serve --uri tcp://127.0.0.1:0 --model jarvis --only-voices")
    #expect(outcome.code == 78 && outcome.onlyError?.contains("jarvis") == true, "\(outcome.errors)")
  }

  @Test func otherRatesWidthsAndChannelsAreConverted() throws {
    let server = try WakeServer(["--model", "computer"])
    let path = JSON.string(try Recordings.stereo48(Recordings.order))
    let expected = try Self.expected(path)
    try #require(expected.count == 1)
    let start: JSON = ["send", "audio-start", ["rate": 48_000, "width": 2, "channels": 2]]
    for chunks in [["wav", path, 480], ["bytes", path, 1_001]] as [[JSON]] {
      let events = try server.events([start, .array(chunks), Self.stop] + Self.ask)
      #expect(Self.times(events) == expected)
    }
  }

  @Test func describeListsTheModelsAndNeedsNoAudio() throws {
    let server = try WakeServer()
    let info = try #require(try server.events([["send", "describe"], ["until", "info"]]).first)
    let program = try #require(info["wake"]?.array?.first)
    #expect(
      program["models"]?.array?.compactMap { $0["name"]?.string } == [
        "alexa", "computer", "hey_jarvis", "hey_mycroft", "hey_rhasspy", "jarvis", "okay_nabu",
        "smart_mirror",
      ])
    #expect(program["models"]?.array?.last?["phrase"] == "smart mirror")
  }

  @Test func onlyTheRequestedModelsDetectUnderTheRequestedNames() throws {
    let server = try WakeServer()
    let path = try Self.path(Recordings.order)
    func detections(_ names: JSON) throws -> [JSON] {
      let events = try server.events(
        [["send", "detect", ["names": names]], Self.start, ["wav", path, 1_024], Self.stop] + Self.ask)
      return events.dropLast().map { $0["name"] ?? $0["type"] ?? .null }
    }
    #expect(try detections(["computer"]) == ["computer"])
    #expect(try detections(["jarvis", "Computer"]) == ["Computer"])
    #expect(try detections(["alexa"]) == ["not-detected"])
    #expect(try detections(["no such word"]) == ["not-detected"])
    #expect(try detections(nil) == ["computer"])
    #expect(server.messages.contains("unknown model 'no such word'"))
  }

  @Test func everyStartIsANewStreamOnTheSameConnection() throws {
    let server = try WakeServer(["--model", "computer"])
    let path = try Self.path(Recordings.order)
    let half = try Self.path(Array(Recordings.order.prefix(AudioFormat.samples(1))))
    let expected = try Self.expected(path)
    let events = try server.events(
      [
        Self.start, ["wav", path, 1_024], Self.start, ["wav", half, 1_024], Self.start, ["wav", path, 1_024],
        Self.stop, Self.start, ["wav", half, 1_024], Self.stop,
      ] + Self.ask)
    #expect(events.map { $0["type"] } == ["detection", "detection", "not-detected", "pong"])
    #expect(Self.times(events) == expected + expected)
  }

  @Test func detectionsHaveTheClientsTimestamps() throws {
    let server = try WakeServer(["--model", "computer"])
    let time = 1_764_000_000_123
    let path = try Self.path(Recordings.order)
    let events = try server.events([
      Self.start, ["wav", path, 160, .number(Double(time))], Self.stop, ["until", "detection"],
    ])
    let found = try #require(Self.times(events).first)
    let word = try #require(try Self.expected(path).first)
    #expect(abs(found - Double(time) - word) < 300)
  }

  @Test func aUnixSocketAndAPortServeTogetherAndEndOnSIGTERM() throws {
    let folder = Program.temporaryFolder()
    let server = try WakeServer(["--uri", "unix://\(folder)/wake", "--uri", "tcp://127.0.0.1:0"])
    #expect(server.uri == "unix://\(folder)/wake")
    #expect(try server.events([["send", "describe"], ["until", "info"]]).count == 1)
    #expect(server.terminate() == 0)
    #expect(!Files.exists("\(folder)/wake"))
    let again = try WakeServer(["--uri", "unix://\(folder)/wake"])
    let taken = try Program.run(["serve", "--uri", again.uri])
    #expect(taken.code == 69 && taken.onlyError?.contains("already in use") == true)
    #expect(try again.program.end(by: SIGKILL).code == -1)
    #expect(try WakeServer(["--uri", "unix://\(folder)/wake"]).terminate() == 0)
  }

  @Test func standardStreamsAreOneClient() throws {
    let events = #"{"type":"describe"}"# + "\n" + #"{"type":"ping","data":{"text":"x"}}"# + "\n"
    let outcome = try Program.run(["serve", "--uri", "stdio://"], input: Array(events.utf8))
    #expect(outcome.code == 0 && outcome.output.contains(#""type":"info""#))
    #expect(outcome.output.hasSuffix(#"{"text":"x"}"#))
  }

  @Test func whatIsStillBeingAnsweredAtTheEndOfTheInputIsAnswered() throws {
    let event = #"{"type":"transcript","data":{"text":"what time is it"}}"# + "\n"
    for _ in 0..<5 {
      let outcome = try Program.run(["serve", "--uri", "stdio://"], input: Array(event.utf8))
      #expect(outcome.code == 0 && outcome.output.contains(#""type":"handled""#), "\(outcome)")
    }
  }

  @Test(
    arguments: [
      ["raw", "GET / HTTP/1.1\r\n\r\n"], ["raw", "x", 70_000],
      ["raw", "{\"type\":\"a\",\"payload_length\":1e12}\n"],
      ["raw", "\n"], ["send", "audio-start", ["rate": 5]],
    ] as [JSON])
  func garbageEndsOnlyItsOwnConnection(_ step: JSON) throws {
    let server = try WakeServer(["--model", "computer"])
    let events = try server.events([step, ["until", "closed"]])
    #expect(events.last?["type"] == "closed")
    #expect(try server.events([["send", "describe"], ["until", "info"]]).count == 1)
    #expect(server.terminate() == 0)
  }

  @Test func fiveHundredConnectionsLeaveNothingBehind() throws {
    let server = try WakeServer()
    let idle = server.footprint.descriptors
    let words = [server.uri, "500", Program.recording, "once"]
    func footprintAfterLoad() throws -> (descriptors: Int, threads: Int, kilobytes: Int) {
      _ = try WakeServer.client("wyoming_wake_load.py", words)
      #expect(Waiting.until { server.footprint.descriptors == idle }, "\(server.footprint)")
      return server.footprint
    }
    let first = try footprintAfterLoad()
    var growths: [Int] = []
    var last = first
    // Memory grows while more connections are open at once than ever before; a leak grows each time.
    while growths.last ?? .max >= 2_000, growths.count < 8 {
      let next = try footprintAfterLoad()
      growths.append(next.kilobytes - last.kilobytes)
      last = next
    }
    #expect(last.threads == first.threads, "\(first) \(last)")
    #expect(growths.last ?? .max < 2_000, "\(growths)")
  }

  @Test func anIncompleteEventHoldsNoThreadAndLittleMemory() throws {
    let server = try WakeServer()
    let before = server.footprint
    let held = try WakeServer.client(
      "wyoming_wake_load.py", [server.uri, "300", Program.recording, "never", "\(server.process)"])
    #expect(held.first?["threads"]?.number == Double(before.threads))
    #expect(
      held.first?["kilobytes"]?.number ?? .infinity < Double(before.kilobytes + 8_000), "\(held) \(before)")
    #expect(Waiting.until { server.footprint.descriptors == before.descriptors }, "\(server.footprint)")
  }

  @Test(
    .enabled(if: PythonServer.python(with: ["wyoming", "flask"]) != nil, "needs python3 with wyoming[http]"))
  func theHTTPServerOfTheWyomingPackageWorks() throws {
    let server = try WakeServer(["--model", "computer"])
    let silence = [Int16](repeating: 0, count: AudioFormat.samples(2))
    let paths = try [Recordings.order, silence].map { try Recordings.wave($0) }
    let answers = try WakeServer.client("wyoming_http_wake.py", [server.uri] + paths)
    #expect(
      answers.first?["data"]?["name"] == "computer" && answers.last?["type"] == "not-detected", "\(answers)")
  }

  /// Measured in processor time, because other tests run at the same time.
  @Test func fiftyLiveStreamsKeepRealTime() throws {
    let server = try WakeServer()
    let before = server.processorTime
    let result = try WakeServer.client(
      "wyoming_wake_load.py", [server.uri, "50", Program.recording, "live"])
    let seconds = server.processorTime - before
    #expect(seconds > 0.5 && seconds < 10, "ten seconds of two processors' twenty took \(seconds) s")
    let slowest = try #require(result.first?["slowest"]?.number)
    #expect(slowest < 5, "an answer took \(slowest) s")
    #expect(result.first?["detections"]?.array?.allSatisfy { $0.number ?? 0 >= 1 } == true, "\(result)")
    #expect(server.footprint.threads < 20)
  }

  @Test(
    arguments: [
      (["--uri", "tcp://host"], "tcp://HOST:PORT", 78),
      (["--uri", "tcp://no.such.invalid:1"], "no.such.invalid", 69),
      (["--model", "nosuch"], "nosuch", 66), (["--custom-model-dir", "/nonexistent"], "/nonexistent", 66),
      (["--threshold", "2"], "0 to 1", 64),
      (["--uri", "stdio://", "--uri", "tcp://127.0.0.1:0"], "stdio://", 64),
      (["--thresold", "1"], "--threshold", 64),
    ] as [([String], String, Int32)])
  func wrongOptionsAreReportedInOneLine(_ words: [String], _ part: String, _ code: Int32) throws {
    let outcome = try Program.run(["serve"] + words)
    #expect(outcome.code == code && outcome.output.isEmpty)
    #expect(outcome.onlyError?.contains(part) == true, "\(outcome.errors)")
  }

  @Test func theThresholdAndRefractoryOptionsAreUsed() throws {
    let path = JSON.string(try Recordings.twoOrders())
    func count(_ words: [String]) throws -> Int {
      let server = try WakeServer(["--model", "computer"] + words)
      return Self.times(try server.events([Self.start, ["wav", path, 1_024], Self.stop] + Self.ask)).count
    }
    #expect(try count(["--threshold", "0.5", "--trigger-level", "4"]) == 2)
    #expect(try count(["--threshold", "0.999"]) == 0)
    #expect(try count(["--refractory-seconds", "30"]) == 1)
  }
}
