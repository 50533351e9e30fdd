import Networking
import Platform
import TestServers
import Testing
import WyomingServer

@Suite(.limited) struct TranscriptionSessionTests {
  private static func event(_ type: String, _ json: JSON = [:], payload: [UInt8] = []) -> WyomingEvent {
    WyomingEvent(type, json.members ?? [], payload: payload)
  }

  private static let start = event("audio-start", ["rate": 16_000, "width": 2, "channels": 1])

  @Test func anUtteranceBeginsIsProcessedAndEnds() {
    var session = TranscriptionSession(language: "en")
    #expect(session.handle(Self.event("transcribe", ["language": "en"])) == [])
    #expect(session.handle(Self.start) == [.begin])
    #expect(session.handle(Self.event("audio-chunk", payload: [1, 2])) == [.process([1, 2], .standard)])
    #expect(session.handle(Self.event("audio-stop")) == [.finish])
    #expect(session.handle(Self.event("audio-stop")) == [])
    #expect(session.handle(Self.start) == [.begin])
  }

  @Test func audioWithoutAStartBeginsAnUtterance() {
    var session = TranscriptionSession(language: "en")
    #expect(
      session.handle(Self.event("audio-chunk", payload: [1, 2])) == [.begin, .process([1, 2], .standard)])
  }

  @Test(arguments: [
    ("en", "en", true), ("en", "en-US", true), ("en_GB", "en-us", true), ("", "en", true), ("de", "", true),
    ("de", "en", false), ("e", "en", false),
  ])
  func onlyItsOwnLanguageIsRecognized(_ wanted: String, _ own: String, _ isOffered: Bool) {
    var session = TranscriptionSession(language: own)
    let actions = session.handle(Self.event("transcribe", ["language": .string(wanted)]))
    if isOffered {
      #expect(actions == [] && session.handle(Self.start) == [.begin])
    } else {
      guard case .send(let event)? = actions.first else {
        Issue.record("no answer")
        return
      }
      #expect(event.type == "error" && event["text"]?.string?.contains("'\(wanted)' is not offered") == true)
      #expect(session.handle(Self.start) == [] && session.handle(Self.event("audio-stop")) == [])
      #expect(session.handle(Self.event("transcribe")) == [] && session.handle(Self.start) == [.begin])
    }
  }

  @Test func unsupportedAudioIsRefused() {
    for type in ["audio-start", "audio-chunk"] {
      var session = TranscriptionSession(language: "en")
      guard case .refuse(let event)? = session.handle(Self.event(type, ["rate": 1])).first else {
        Issue.record("\(type) is taken")
        continue
      }
      #expect(event.type == "error" && event["code"] == "unsupported-audio")
    }
  }
}
