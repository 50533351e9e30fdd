import Networking
import Platform
import TestServers
import Testing

@testable import Web

/// Phrases and their recordings in the JSON interface.
@Suite(.limited) struct TeachPhraseTests {
  private static let speaker = ["speaker": "ann"]

  @Test func aPhraseIsAddedUnderTheNameOfItsModelAndSurvives() throws {
    let teach = try TeachPage()
    let added = try teach.add("Hello house")
    #expect(added["name"] == "hello_house" && added["phrase"] == "Hello house" && added["takes"] == [])
    let listed = try teach.page.json("GET", "/api/phrases")["phrases"]?.array ?? []
    #expect(listed.map { $0["name"] } == ["hello_house"])
    #expect(try teach.page.json("DELETE", "/api/phrases/hello_house")["deleted"] == "hello_house")
    #expect(try teach.page.json("GET", "/api/phrases")["phrases"] == [])
    #expect(teach.page.send("GET", "/api/phrases/hello_house").status == 404)
    #expect(try Files.names(in: "\(teach.folder)/phrases").isEmpty)
  }

  @Test func aPhraseThatTheProgramRejectsHasItsMessage() throws {
    let answer = try TeachPage().page.send("POST", "/api/phrases", ["phrase": "?"])
    #expect(answer.status == 400 && answer.error == "the phrase is empty")
  }

  @Test func aPhraseIsNoOptionOfTheProgram() throws {
    let teach = try TeachPage()
    _ = try teach.page.json(
      "POST", "/api/pronounce",
      ["phrase": "--output=/tmp/x", "language": "--seed=1", "pronunciations": ["-x"]])
    #expect(teach.calls == ["phrase --language=--seed=1 --pronunciation=-x -- --output=/tmp/x"])
  }

  @Test func aPhraseIsSpokenByAVoice() throws {
    let teach = try TeachPage()
    let answer = teach.page.send("POST", "/api/say", ["phrase": "hello", "voice": "flite slt"])
    #expect(answer.status == 200 && answer.header("Content-Type") == "audio/wav")
    #expect(answer.bytes.starts(with: "RIFF".utf8))
    #expect(teach.calls == ["say --voice=flite slt --language=en -- hello"])
  }

  @Test func fieldsOutOfRangeAreRejected() throws {
    let page = try TeachPage().page
    let bodies: [JSON] = [
      [:], ["phrase": ""], ["phrase": .string(String(repeating: "a", count: 101))],
      ["phrase": "a", "language": 3], ["phrase": "a", "pronunciations": [3]],
      ["phrase": "a", "pronunciations": .array([JSON](repeating: "AH", count: 9))],
    ]
    for body in bodies { #expect(page.send("POST", "/api/pronounce", body).status == 400, "\(body)") }
  }

  @Test func aGoodTakeIsKeptCutToTheSpeech() throws {
    let teach = try TeachPage()
    _ = try teach.add("hello")
    let answer = try teach.send("/api/phrases/hello/takes", query: Self.speaker, TeachPage.speech).json
    #expect(answer["flaw"] == .null)
    let name = try #require(answer["take"]?["name"]?.string)
    #expect(answer["take"]?["speaker"] == "ann")
    let takes = try #require(try teach.page.json("GET", "/api/phrases/hello")["takes"]?.array)
    #expect(takes.map { $0["name"]?.string } == [name])
    #expect(try #require(takes[0]["seconds"]?.number) < 1.5, "of 2 s")
    let query = ["phrase": "hello"]
    let audio = teach.page.send("GET", "/api/takes/\(name)/audio", query: query)
    #expect(audio.status == 200 && audio.bytes.starts(with: "RIFF".utf8))
    #expect(teach.page.send("DELETE", "/api/takes/\(name)", query: query).status == 200)
    #expect(try teach.page.json("GET", "/api/phrases/hello")["takes"] == [])
    #expect(teach.page.send("GET", "/api/takes/\(name)/audio", query: query).status == 404)
  }

  @Test func aFlawedTakeIsNotKeptAndTheFlawIsSaid() throws {
    let teach = try TeachPage()
    _ = try teach.add("hello")
    let loud = TeachPage.speech.map { $0 > 1_000 ? Int16.max : $0 < -1_000 ? Int16.min : $0 }
    let recordings = [
      ([Int16](repeating: 0, count: 32_000), "no speech"), (loud, "clipped"),
      (Array(TeachPage.speech[9_600...]), "beginning is cut off"),
      (TeachPage.speech.map { $0 / 80 }, "too quiet"),
    ]
    for (samples, flaw) in recordings {
      let answer = try teach.send("/api/phrases/hello/takes", query: Self.speaker, samples).json
      #expect(answer["take"] == .null)
      #expect(answer["flaw"]?.string?.contains(flaw) == true, "\(answer)")
    }
    #expect(try teach.page.json("GET", "/api/phrases/hello")["takes"] == [])
  }

  @Test func recordingsHaveALimitOfTheirOwn() throws {
    let teach = try TeachPage()
    _ = try teach.add("hello")
    let path = "/api/phrases/hello/takes"
    let large = [UInt8](repeating: 0, count: TeachOperations.audioLimit + 1)
    #expect(teach.send(path, query: Self.speaker, bytes: large).status == 413)
    let long = [Int16](repeating: 1, count: 16_000 * TeachOperations.longestRecording + 1)
    let answer = teach.send(path, query: Self.speaker, long)
    #expect(answer.status == 400 && answer.error?.contains("12 s") == true, "\(answer.error ?? "")")
    #expect(teach.send(path, query: Self.speaker, bytes: [1, 2, 3]).error?.contains("not WAV") == true)
    #expect(teach.send(path, query: Self.speaker, bytes: [], type: "application/json").status == 400)
    let wide = [UInt8](repeating: 32, count: WebServer.bodyLimit + 1)
    #expect(teach.send("/api/pronounce", query: [:], bytes: wide, type: "application/json").status == 413)
  }

  @Test func noNameLeadsOutOfTheFolder() throws {
    let teach = try TeachPage()
    _ = try teach.add("hello")
    let outside = "\(teach.folder)/secret.wav"
    try Files.write([1], to: outside)
    for name in ["..", ".hidden", "-x", "a/b", "%2e%2e", "../../secret.wav", "a\u{0}b", ""] {
      #expect(teach.page.send("GET", "/api/phrases/\(name)").status == 404, "\(name)")
      #expect(teach.page.send("GET", "/api/models/\(name)").status == 404, "\(name)")
      let query = ["phrase": "hello"]
      #expect(teach.page.send("GET", "/api/takes/\(name)/audio", query: query).status == 404, "\(name)")
      #expect(teach.page.send("DELETE", "/api/takes/\(name)", query: query).status == 404, "\(name)")
      let speaker = ["speaker": name]
      let answer = teach.send("/api/phrases/hello/takes", query: speaker, TeachPage.speech)
      #expect(answer.status == 400, "\(name)")
    }
    #expect(teach.page.send("GET", "/api/takes/x/audio", query: ["phrase": "../hello"]).status == 404)
    #expect(Files.exists(outside))
  }

  @Test func whatChangesSomethingNeedsTheToken() throws {
    let teach = try TeachPage()
    for operation in TeachOperation.allCases where operation.route.method != "GET" {
      let path = operation.route.path.replacing("{}", with: "hello")
      let answer = teach.page.send(operation.route.method, path, headers: ["x-hotword-token": "wrong"])
      #expect(answer.status == 403, "\(path)")
    }
    #expect(teach.calls.isEmpty)
  }

  @Test func withoutTeachingThereIsNoneOfIt() throws {
    let page = try TestPage()
    #expect(try page.json("GET", "/api/session")["views"]?.array?.contains("teach") == false)
    for operation in TeachOperation.allCases {
      let path = operation.route.path.replacing("{}", with: "hello")
      #expect(page.send(operation.route.method, path, [:]).status == 404, "\(path)")
    }
  }
}
