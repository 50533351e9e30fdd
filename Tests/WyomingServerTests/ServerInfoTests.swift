import Networking
import Platform
import TestServers
import Testing
import WyomingServer

@Suite(.limited) struct ServerInfoTests {
  /// Whether the client of Home Assistant can read it: it requires these members.
  private func isArtifact(_ part: JSON) -> Bool {
    part["name"]?.string != nil && part["attribution"]?["name"]?.string != nil
      && part["attribution"]?["url"]?.string != nil
      && part["installed"] == true && part["version"] == "1" && part["description"]?.string != nil
  }

  @Test func hotwordsAloneLeaveTheOtherArraysEmpty() throws {
    var info = ServerInfo(version: "1")
    info.offer(try Fixtures.catalog(["a"]))
    #expect(info.event.type == "info")
    for name in ["asr", "tts", "handle", "intent", "mic", "snd"] { #expect(info.event[name] == []) }
    let program = try #require(info.event["wake"]?.array?.first)
    let model = try #require(program["models"]?.array?.first)
    #expect(isArtifact(program) && isArtifact(model))
    #expect(model["name"] == "a" && model["phrase"] == "the a" && model["languages"] == ["en"])
    #expect(info.event["satellite"] == nil)
  }

  @Test func speechToTextAndIntentsNameTheirLanguage() throws {
    var info = ServerInfo(version: "1")
    info.offerTranscription(by: "builtin", language: "en")
    info.offerConversation(language: "en")
    for kind in ["asr", "handle", "intent"] {
      let program = try #require(info.event[kind]?.array?.first)
      let model = try #require(program["models"]?.array?.first)
      #expect(isArtifact(program) && isArtifact(model) && model["languages"] == ["en"], "\(kind)")
    }
    let speech = try #require(info.event["asr"]?.array?.first)
    #expect(speech["models"]?.array?.first?["name"] == "builtin")
    #expect(speech["requires_external_vad"] == false)
    #expect(
      speech["prefers_auto_gain_enabled"] == false && speech["prefers_noise_reduction_enabled"] == false)
    #expect(info.event["handle"]?.array?.first?["supports_home_control"] == true)
  }

  @Test func aSatelliteNamesItsHotwords() throws {
    var info = ServerInfo(version: "1")
    info.offerSatellite("kitchen", try Fixtures.catalog(["a", "b"]))
    let satellite = try #require(info.event["satellite"])
    #expect(isArtifact(satellite) && satellite["active_wake_words"] == ["a", "b"])
  }
}
