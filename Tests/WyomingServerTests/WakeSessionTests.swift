import Networking
import Platform
import TestServers
import Testing
import WyomingServer

@Suite(.limited) struct WakeSessionTests {
  private static func event(_ type: String, _ json: JSON = [:], payload: [UInt8] = []) -> WyomingEvent {
    WyomingEvent(type, json.members ?? [], payload: payload)
  }

  private static let chunk = event(
    "audio-chunk", ["rate": 16_000, "width": 2, "channels": 1], payload: [1, 2])

  @Test func describeAndPingAreAnsweredWithoutAStream() {
    var session = WakeSession()
    #expect(session.handle(Self.event("describe")) == [.sendInfo])
    #expect(session.handle(Self.event("ping", ["text": "x"])) == [.send(Self.event("pong", ["text": "x"]))])
    #expect(session.handle(Self.event("ping")) == [.send(Self.event("pong", ["text": nil]))])
    #expect(session.handle(Self.event("select-program", ["name": "hotword"])).isEmpty)
    #expect(session.handle(Self.event("transcribe", ["language": "en"])).isEmpty)
  }

  @Test func namesAreSelectedAndNullMeansTheStandardModels() {
    var session = WakeSession()
    #expect(session.handle(Self.event("detect", ["names": ["a", "b"]])) == [.select(["a", "b"])])
    for names in [JSON.null, [], "a", [1]] {
      #expect(session.handle(Self.event("detect", ["names": names])) == [.select(nil)])
    }
    #expect(session.handle(Self.event("detect")) == [.select(nil)])
  }

  @Test func eachChunkStatesItsFormat() {
    var session = WakeSession()
    #expect(session.handle(Self.chunk) == [.process([1, 2], .standard)])
    let start = Self.event("audio-start", ["rate": 48_000, "width": 4, "channels": 2])
    #expect(session.handle(start) == [.start])
    guard case .process(let bytes, let shape)? = session.handle(Self.event("audio-chunk", payload: [7])).first
    else {
      Issue.record("not heard")
      return
    }
    #expect(bytes == [7] && shape.rate == 48_000 && shape.width == 4 && shape.channels == 2)
    #expect(session.handle(Self.chunk) == [.process([1, 2], .standard)])
  }

  @Test(arguments: [
    ("rate", JSON.number(0)), ("rate", 1e300), ("rate", "fast"), ("rate", 16_000.5), ("width", 5),
    ("width", 0),
    ("channels", 65), ("channels", -1),
  ])
  func unsupportedAudioIsRejected(_ name: String, _ value: JSON) {
    for type in ["audio-start", "audio-chunk"] {
      var session = WakeSession()
      guard case .refuse(let event)? = session.handle(WyomingEvent(type, [JSON.Member(name, value)])).first
      else {
        Issue.record("\(type) with \(name) \(value) is taken")
        continue
      }
      #expect(event.type == "error" && event["text"]?.string != nil)
    }
  }

  @Test func notDetectedIsSentOnlyWithoutADetectionSinceTheStart() {
    var session = WakeSession()
    #expect(session.handle(Self.event("audio-stop")) == [.finish])
    #expect(session.finished() == [WyomingEvent("not-detected")])
    _ = session.handle(Self.event("audio-start"))
    _ = session.detection(of: "a", endingAt: 0)
    #expect(session.finished().isEmpty)
    _ = session.detection(of: "a", endingAt: 0)
    _ = session.handle(Self.event("audio-start"))
    #expect(session.finished() == [WyomingEvent("not-detected")])
  }

  @Test func theTimestampIsTheClientsOrCounted() throws {
    var session = WakeSession()
    _ = session.handle(Self.event("audio-start"))
    _ = session.handle(Self.chunk)
    #expect(session.detection(of: "a", endingAt: 24_000)["timestamp"] == 1500)
    let time = "1764000000123456789"
    let data = try JSON(parsing: Array(#"{"timestamp":\#(time)}"#.utf8), what: "data")
    _ = session.handle(Self.event("audio-chunk", data))
    let detection = session.detection(of: "a", endingAt: 24_000)
    #expect(detection["name"] == "a" && detection["speaker"] == .null)
    #expect(detection["timestamp"]?.description == time)
    _ = session.handle(Self.event("audio-start"))
    #expect(session.detection(of: "a", endingAt: 16_000)["timestamp"] == 1000)
  }

  @Test func aLongContextIsRefused() {
    var session = WakeSession()
    let long = JSON.array((0..<2_500).map { _ in 0 })
    let actions = session.handle(Self.event("detect", ["context": long]))
    guard case .refuse(let event)? = actions.first, actions.count == 1 else {
      Issue.record("\(actions)")
      return
    }
    #expect(event.type == "error" && event["code"] == "context-too-long")
    let short = JSON.array((0..<2_000).map { _ in 0 })
    #expect(session.handle(Self.event("detect", ["context": short])) == [.select(nil)])
  }

  @Test func theContextOfDetectIsReturned() {
    var session = WakeSession()
    _ = session.handle(Self.event("detect", ["context": ["id": 7]]))
    #expect(session.detection(of: "a", endingAt: 0)["context"] == ["id": 7])
    _ = session.handle(Self.event("audio-start"))
    #expect(session.finished().first?["context"] == ["id": 7])
    _ = session.handle(Self.event("detect", ["context": nil]))
    #expect(session.detection(of: "a", endingAt: 0)["context"] == nil)
  }
}
