import AudioCapture
import Detection
import Networking
import Platform
import TestServers
import Testing

@testable import Web

/// Models in the JSON interface: curves, versions, scores.
@Suite(.limited) struct ModelOperationsTests {
  private static let recording = String(
    #filePath.dropLast("/Tests/WebTests/ModelOperationsTests.swift".count)
      + "/Examples/turn-on-the-kitchen-light.wav")

  /// A page with a new version of a model that waits.
  private func improved(_ name: String, isOwn: Bool = true) throws -> TeachPage {
    let teach = try TeachPage()
    try teach.install(name, isOwn: isOwn)
    try teach.finish()
    _ = try teach.page.json("POST", "/api/models/\(name)/improve", ["steps": 20])
    _ = try teach.work(until: "done")
    return teach
  }

  @Test func theCurvesAreThoseOfTheModelFile() throws {
    let teach = try TeachPage()
    try teach.install("computer")
    let answer = try teach.page.json("GET", "/api/models/computer")
    let model = try HotwordModel(reading: TeachPage.shipped)
    #expect(answer["installed"]?["phrase"]?.string == model.phrase)
    #expect(answer["installed"]?["points"]?.array?.count == model.curve.points.count)
    let settings = try #require(answer["installed"]?["sensitivities"]?.array)
    #expect(settings.count == 21 && settings[10]["sensitivity"] == 0.5)
    #expect(settings[10]["falseAlarmsPerHour"] == 0.5)
    let misses = settings.compactMap { $0["missRate"]?.number }
    #expect(misses == misses.sorted(by: >))
    #expect(answer["candidate"] == .null && answer["previous"] == .null)
  }

  @Test func improvingUsesTheLabelledClipsAndChangesNothingUntilItIsUsed() throws {
    let teach = try improved("computer")
    let call = try #require(teach.calls.last)
    let clips = teach.page.store.folder
    #expect(call.contains("--improve=\(teach.folder)/models/computer.safetensors"))
    #expect(
      call.contains("--false-alarms=\(clips) --missed=\(clips) --output=\(teach.folder)/phrases/computer/"))
    #expect(call.hasSuffix("--json --progress=json --steps=20"))
    let models = try teach.page.json("GET", "/api/models")["models"]
    #expect(models == [["name": "computer", "installed": true, "candidate": true, "previous": false]])
    #expect(teach.listened.takeIfAny() == nil)
  }

  @Test func theOldVersionIsOneStepAway() throws {
    let teach = try improved("computer")
    let file = "\(teach.folder)/models/computer.safetensors"
    let (old, new) = (Array("old".utf8), try Files.read(TeachPage.shipped))
    try Files.write(old, to: file)
    let used = try teach.page.json("POST", "/api/models/computer/use")
    #expect(used["file"]?.string == file && used["listening"] == true)
    #expect(try Files.read(file) == new && Files.read("\(file).previous") == old)
    #expect(teach.listened.takeIfAny() == file)
    #expect(teach.page.send("POST", "/api/models/computer/use").status == 409, "no candidate is left")
    #expect(teach.page.send("POST", "/api/models/computer/restore").status == 200)
    #expect(try Files.read(file) == old && Files.read("\(file).previous") == new)
    #expect(teach.page.send("POST", "/api/models/computer/restore").status == 200)
    #expect(try Files.read(file) == new)
  }

  @Test func onesOwnModelCanBeRemovedAShippedOneCannot() throws {
    let teach = try improved("computer", isOwn: false)
    #expect(try teach.page.json("GET", "/api/models/computer")["removable"] == false)
    #expect(teach.page.send("DELETE", "/api/models/computer/installed").status == 409)
    _ = try teach.page.json("POST", "/api/models/computer/use")
    #expect(teach.listened.takeIfAny() != nil)
    #expect(try teach.page.json("GET", "/api/models/computer")["removable"] == true)
    #expect(teach.page.send("DELETE", "/api/models/computer/installed").status == 200)
    #expect(try Files.names(in: "\(teach.folder)/models").isEmpty)
    #expect(teach.listened.takeIfAny() == "\(teach.folder)/shipped/computer.safetensors")
    #expect(try teach.page.json("GET", "/api/models/computer")["installed"] != .null)
    #expect(teach.page.send("DELETE", "/api/models/computer/installed").status == 409)
  }

  @Test func aShippedModelIsNotChangedTheUsersIsFoundFirst() throws {
    let teach = try improved("computer", isOwn: false)
    let shipped = "\(teach.folder)/shipped/computer.safetensors"
    let before = try Files.read(shipped)
    #expect(
      try teach.page.json("POST", "/api/models/computer/use")["file"]?.string
        == "\(teach.folder)/models/computer.safetensors")
    #expect(try Files.read(shipped) == before)
    #expect(try teach.page.json("GET", "/api/models/computer")["previous"] != .null)
  }

  @Test func keepingTheOldOneDeletesTheCandidate() throws {
    let teach = try improved("computer")
    #expect(teach.page.send("DELETE", "/api/models/computer/candidate").status == 200)
    #expect(try teach.page.json("GET", "/api/models/computer")["candidate"] == .null)
    #expect(teach.page.send("DELETE", "/api/models/computer/candidate").status == 409)
    #expect(
      teach.listened.takeIfAny() == "\(teach.folder)/models/computer.safetensors",
      "a service that tried the candidate listens for the installed one again")
  }

  @Test func aRecordingIsScoredByTheChainOfTheService() throws {
    let teach = try TeachPage()
    try teach.install("computer")
    let samples = try AudioFile.read(Self.recording)
    let query = ["version": "installed", "sensitivity": "0.5"]
    let found = try teach.send("/api/models/computer/score", query: query, samples).json
    let detections = try #require(found["detections"]?.array)
    #expect(detections.count == 2, "as 'hotword detect' finds")
    let times = detections.compactMap { $0["at"]?.number }
    #expect((0.2...1.5).contains(times.first ?? 0))
    let scores = (found["scores"]?.array ?? []).compactMap(\.number)
    let highest = try #require(scores.max())
    #expect(highest >= found["threshold"]?.number ?? 1)
    let place = Double(scores.firstIndex(of: highest) ?? 0) * (found["step"]?.number ?? 0)
    #expect(times.contains { abs(place - $0) < 1 })
    let silence = [Int16](repeating: 0, count: 16_000)
    #expect(try teach.send("/api/models/computer/score", query: query, silence).json["detections"] == [])
  }

  @Test func versionsAndSensitivitiesAreChecked() throws {
    let teach = try TeachPage()
    try teach.install("computer")
    let silence = [Int16](repeating: 0, count: 1_600)
    let path = "/api/models/computer/score"
    #expect(teach.send(path, query: [:], silence).status == 400)
    #expect(teach.send(path, query: ["version": "other"], silence).status == 400)
    #expect(teach.send(path, query: ["version": "candidate"], silence).status == 409)
    #expect(teach.send(path, query: ["version": "installed", "sensitivity": "2"], silence).status == 400)
    #expect(teach.page.send("POST", "/api/models/other/improve", [:]).status == 404)
    #expect(teach.page.send("POST", "/api/models/computer/improve", ["steps": 5]).status == 400)
    #expect(teach.page.send("POST", "/api/models/computer/restore").status == 409)
  }

  @Test func theServiceListensForAVersion() throws {
    let teach = try TeachPage()
    try teach.install("computer")
    let answer = try teach.page.json("POST", "/api/models/computer/listen", ["version": "installed"])
    #expect(answer["listening"] == true)
    #expect(teach.listened.takeIfAny() == answer["file"]?.string)
    let silent = try TeachPage(listens: false)
    try silent.install("computer")
    let refused = silent.page.send("POST", "/api/models/computer/listen", ["version": "installed"])
    #expect(refused.status == 409)
  }
}
