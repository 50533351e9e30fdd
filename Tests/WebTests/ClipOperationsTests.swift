import Clips
import Glibc
import Platform
import TestServers
import Testing

@testable import Web

/// Clips over the JSON interface.
@Suite(.limited) struct ClipOperationsTests {
  private let page = try! TestPage()

  private func list(_ query: [String: String] = [:]) throws -> [JSON] {
    try #require(try page.json("GET", "/api/clips", query: query)["clips"]?.array)
  }

  private func name(_ second: Int) throws -> String {
    try #require(try page.store.all().first { $0.clip.time.milliseconds == second * 1_000 }).clip.fileName
  }

  @Test func withoutClipsTheListIsEmpty() throws {
    let answer = try page.json("GET", "/api/clips")
    #expect(answer["clips"] == [])
    #expect(answer["total"] == 0 && answer["next"] == .null)
    #expect(answer["folder"]?.string == page.store.folder)
  }

  @Test func clipsAreListedNewestFirstWithTheirNumbers() throws {
    try page.keep(1..<4)
    try page.keep(4..<6, .nearMiss, keyword: "jarvis")
    let answer = try page.json("GET", "/api/clips")
    #expect(
      answer["clips"]?.array?.compactMap { $0["time"]?.string?.suffix(7) }
        == ["05.000Z", "04.000Z", "03.000Z", "02.000Z", "01.000Z"])
    #expect(answer["keywords"] == ["computer", "jarvis"])
    #expect(answer["counts"]?["none"] == 5)
  }

  @Test func filtersSelectByLabelKindAndHotword() throws {
    try page.keep(1..<4)
    try page.keep(4..<6, .nearMiss, keyword: "jarvis")
    let label: JSON = ["label": "false-alarm"]
    #expect(page.send("PUT", "/api/clips/\(try name(2))/label", label).status == 200)
    #expect(try list(["label": "false-alarm"]).count == 1)
    #expect(try list(["label": "none"]).count == 4)
    #expect(try list(["kind": "near-miss"]).count == 2)
    #expect(try list(["keyword": "computer", "label": "none"]).count == 2)
    #expect(page.send("GET", "/api/clips", query: ["label": "good"]).status == 400)
    #expect(page.send("GET", "/api/clips", query: ["kind": "good"]).status == 400)
    for count in ["0", "201", "x"] {
      #expect(page.send("GET", "/api/clips", query: ["count": count]).status == 400)
    }
  }

  @Test func aLabelMovesTheClipToWhereTrainingReadsItAndCanBeTakenBack() throws {
    try page.keep(1..<2)
    let clip = try name(1)
    let labelled = try page.json("PUT", "/api/clips/\(clip)/label", ["label": "false-alarm"])
    #expect(labelled["label"] == "false-alarm")
    #expect(try page.store.all().map(\.path) == ["\(page.store.folder)/computer/false-alarms/\(clip)"])
    #expect(try page.json("PUT", "/api/clips/\(clip)/label", ["label": "wake"])["label"] == "wake")
    #expect(try page.json("PUT", "/api/clips/\(clip)/label", ["label": nil])["label"] == .null)
    #expect(try page.store.all().map(\.path) == ["\(page.store.folder)/\(clip)"])
    #expect(page.send("PUT", "/api/clips/\(clip)/label", ["label": "missed"]).status == 400)
    #expect(page.send("PUT", "/api/clips/\(clip)/label", ["label": "good"]).status == 400)
    #expect(page.send("PUT", "/api/clips/\(clip)/label", [:]).status == 400)
  }

  @Test func aVoiceIsASecondNameOfTheClipThatEnrollReads() throws {
    try page.keep(1..<4)
    let path = "/api/clips/\(try name(1))/label"
    #expect(try page.json("PUT", path, ["label": "wake", "voice": "ann"])["voice"] == "ann")
    let folder = "\(page.store.folder)/computer"
    #expect(try Files.read("\(folder)/voices/ann/\(name(1))") == Files.read("\(folder)/wakes/\(name(1))"))
    #expect(try list(["voice": "ann"]).map { $0["name"]?.string } == [name(1)])
    #expect(try list(["voice": "ben"]).isEmpty)
    #expect(try page.json("GET", "/api/clips")["voices"] == ["ann", "ben"])
    #expect(
      try page.json("PUT", path, ["label": "wake"])["voice"] == "ann", "another label alone changes no voice")
    #expect(try page.json("PUT", path, ["label": "wake", "voice": "ben"])["voice"] == "ben")
    #expect(try Files.names(in: "\(folder)/voices/ann").isEmpty)
    #expect(try page.json("PUT", path, ["label": "false-alarm"])["voice"] == .null)
    #expect(try Files.names(in: "\(folder)/voices/ben").isEmpty)
    #expect(try page.json("PUT", path, ["label": "wake", "voice": "ann"])["voice"] == "ann")
    #expect(try page.json("PUT", path, ["label": nil])["voice"] == .null)
    #expect(try Files.names(in: "\(folder)/voices/ann").isEmpty)
  }

  @Test func aVoiceNeedsTheWordAndAnEnrolledName() throws {
    try page.keep(1..<2)
    let path = "/api/clips/\(try name(1))/label"
    for label: JSON in ["false-alarm", nil] {
      #expect(page.send("PUT", path, ["label": label, "voice": "ann"]).status == 400)
    }
    #expect(try page.store.unlabelled().count == 1)
    for voice: JSON in ["eve", "../ann", 7] {
      #expect(page.send("PUT", path, ["label": "wake", "voice": voice]).status == 400, "\(voice)")
    }
  }

  @Test func aDeletedClipHasNoSecondName() throws {
    try page.keep(1..<2)
    let clip = try name(1)
    #expect(page.send("PUT", "/api/clips/\(clip)/label", ["label": "wake", "voice": "ann"]).status == 200)
    #expect(page.send("DELETE", "/api/clips/\(clip)").status == 200)
    #expect(try Files.names(in: "\(page.store.folder)/computer/voices/ann").isEmpty)
  }

  @Test func theAudioIsTheFileOfTheClip() throws {
    try page.keep(1..<2)
    let answer = page.send("GET", "/api/clips/\(try name(1))/audio")
    #expect(answer.header("Content-Type") == "audio/wav")
    #expect(try answer.bytes == Files.read("\(page.store.folder)/\(name(1))"))
  }

  @Test func aDeletedClipIsGone() throws {
    try page.keep(1..<3)
    let clip = try name(1)
    #expect(page.send("DELETE", "/api/clips/\(clip)").status == 200)
    #expect(try page.store.all().count == 1)
    #expect(page.send("DELETE", "/api/clips/\(clip)").status == 404)
    #expect(page.send("GET", "/api/clips/\(clip)/audio").error?.contains("no such clip") == true)
  }

  @Test func noNameLeadsOutOfTheFolder() throws {
    try page.keep(1..<2)
    let outside = "\(page.store.folder)/.."
    let clip = try name(1)
    try Files.write([1], to: "\(outside)/\(clip)")
    try Files.write([1], to: "\(page.store.folder)/notes.txt")
    symlink("../\(clip)", "\(page.store.folder)/\(clip.replacing("01.000Z", with: "02.000Z"))")
    for name in [
      "../\(clip)", "..", ".", "", "notes.txt", "../../etc/passwd", "/etc/passwd", "computer",
      "19700101T000001.000Z_../../x_wake_0.750.wav", "19700101T000001.000Z_..\\x_wake_0.750.wav",
      clip.replacing("01.000Z", with: "02.000Z"),
    ] {
      #expect(page.store.entry(fileName: name) == nil, "\(name)")
      #expect(page.send("GET", "/api/clips/\(name)/audio").status == 404, "\(name)")
      #expect(page.send("DELETE", "/api/clips/\(name)").status != 200, "\(name)")
    }
    #expect(Files.exists("\(outside)/\(clip)"))
    #expect(page.store.entry(fileName: clip) != nil)
  }

  @Test func tenThousandClipsAreListedInParts() throws {
    try Files.createFolder(page.store.folder)
    for second in 0..<10_000 {
      let clip = Clip(
        time: ClipTime(milliseconds: second * 1_000), keyword: "computer", kind: .wake, score: 0.5)
      try Files.write([], to: "\(page.store.folder)/\(clip.fileName)")
    }
    var query = ["count": "200"]
    var names: [String] = []
    for _ in 0..<3 {
      let answer = try page.json("GET", "/api/clips", query: query)
      #expect(answer["total"] == 10_000)
      names += answer["clips"]?.array?.compactMap { $0["name"]?.string } ?? []
      query["before"] = answer["next"]?.string
    }
    #expect(names.count == 600 && Set(names).count == 600)
    #expect(names == names.sorted(by: >))
    let last = try #require(try page.store.all().dropFirst(2).first).clip.fileName
    let end = try page.json("GET", "/api/clips", query: ["before": last])
    #expect(end["clips"]?.array?.count == 2 && end["next"] == .null)
  }
}
