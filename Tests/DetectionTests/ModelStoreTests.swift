import Detection
import Platform
import TestServers
import Testing

@Suite(.limited) struct ModelStoreTests {
  @Test func theFirstFolderWins() throws {
    let folder = try TemporaryFolder()
    let store = ModelStore(folders: [folder.makeFolder("a"), folder.path("none"), folder.makeFolder("b")])
    try smallModel(seed: 1).write(to: folder.path("a/computer.safetensors"))
    try smallModel(seed: 2).write(to: folder.path("b/computer.safetensors"))
    try smallModel(name: "alexa").write(to: folder.path("b/alexa.safetensors"))
    try Files.write([], to: folder.path("b/alexa.md"))
    #expect(store.list().map(\.name) == ["alexa", "computer"])
    #expect(try store.model(ModelReference("computer:0.7")) == smallModel(seed: 1))
    #expect(try store.path(of: ModelReference("./x.safetensors")) == "./x.safetensors")
  }

  @Test func unknownNamesAreReportedWithSuggestions() throws {
    let folder = try TemporaryFolder()
    let store = ModelStore(folders: [folder.makeFolder("a")])
    try Files.write([], to: folder.path("a/computer.safetensors"))
    try Files.write([], to: folder.path("a/alexa.safetensors"))
    let fault = thrown(DetectionFault.self) { try store.model(ModelReference("compter")) }
    #expect(fault?.exitCode == .noInput)
    #expect(
      fault?.message == "no model named \"compter\"; did you mean \"computer\"? available: alexa, computer")
    let far = thrown(DetectionFault.self) { try store.model(ModelReference("zebra")) }
    #expect(far?.message == "no model named \"zebra\"; available: alexa, computer")
    let empty = thrown(DetectionFault.self) {
      try ModelStore(folders: ["/none"]).model(ModelReference("x"))
    }
    #expect(empty?.message == "no model named \"x\"; there are no models in /none")
  }

  @Test func searchesTheStandardFolders() {
    let system = ["/var/lib/hotword/models", "/usr/local/share/hotword/models", "/usr/share/hotword/models"]
    let own = ModelStore.standard(shared: nil, checkout: nil) {
      ["XDG_DATA_HOME": "/data", "HOME": "/home/ann"][$0]
    }
    #expect(own.folders == ["./Models", "/data/hotword/models"] + system)
    let usual = ModelStore.standard(shared: nil, checkout: nil) { ["HOME": "/home/ann"][$0] }
    #expect(usual.folders == ["./Models", "/home/ann/.local/share/hotword/models"] + system)
    let built = ModelStore.standard(
      shared: nil, checkout: Executable.checkout(of: "/src/hotword/.build/x86_64/release")
    ) {
      _ in nil
    }
    #expect(built.folders.last == "/src/hotword/Models" && built.folders.dropLast().last == system.last)
    #expect(Executable.checkout(of: "/usr/bin") == nil)
    let elsewhere = ModelStore.standard(shared: "/opt/hotword/share/hotword", checkout: nil) { _ in nil }
    #expect(elsewhere.folders.last == "/opt/hotword/share/hotword/models")
    let usr = ModelStore.standard(shared: "/usr/share/hotword", checkout: nil) { _ in nil }
    #expect(usr.folders.count == elsewhere.folders.count - 1)
  }
}

@Suite(.limited) struct ModelReferenceTests {
  @Test func splitsNameAndSensitivity() throws {
    #expect(try ModelReference("computer") == ModelReference(name: "computer"))
    #expect(
      try ModelReference("computer:0.7") == ModelReference(name: "computer", sensitivity: Sensitivity(0.7)))
    #expect(try ModelReference("./a:b/c.safetensors:1").name == "./a:b/c.safetensors")
    #expect(try ModelReference("./a:b.safetensors") == ModelReference(name: "./a:b.safetensors"))
  }

  @Test(arguments: [
    "computer:1.1", "computer:-0.1", "computer:nan", "computer:inf", "computer:", "computer:high",
  ])
  func refusesOtherSensitivities(text: String) {
    let fault = thrown(DetectionFault.self) { try ModelReference(text) }
    #expect(fault?.exitCode == .usage)
  }
}
