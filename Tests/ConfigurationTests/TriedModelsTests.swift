import Configuration
import Glibc
import Platform
import TestServers
import Testing

/// Models that a service tries besides those of its settings.
@Suite(.limited) struct TriedModelsTests {
  private let folder: String

  init() throws {
    folder = PythonServer.temporaryFolder("tried")
    for name in ["hello", "computer"] { try Files.write([], to: path(name)) }
  }

  private func path(_ name: String) -> String { "\(folder)/\(name).safetensors" }

  private func models(_ tried: TriedModels, _ models: [String]) -> [String] {
    var settings = ServiceSettings()
    settings.models = models
    return tried.added(to: LoadedSettings(settings)).settings.models
  }

  @Test func aModelIsAddedOrReplacesTheOneOfItsNameWithItsSensitivity() {
    let tried = TriedModels()
    #expect(models(tried, ["computer"]) == ["computer"])
    tried.add(path("hello"))
    #expect(models(tried, ["computer:0.7"]) == ["computer:0.7", path("hello")])
    tried.add(path("computer"))
    #expect(models(tried, ["/srv/computer.safetensors:0.7"]) == [path("hello"), path("computer") + ":0.7"])
    #expect(models(tried, ["computer", "jarvis"]) == ["jarvis", path("hello"), path("computer")])
  }

  @Test func theLastFileOfANameIsUsedAndOneThatIsGoneIsNot() throws {
    let tried = TriedModels()
    tried.add("/nowhere/hello.safetensors")
    #expect(models(tried, ["hello"]) == ["hello"])
    tried.add(path("hello"))
    #expect(models(tried, ["hello"]) == [path("hello")])
    unlink(path("hello"))
    #expect(models(tried, ["hello"]) == ["hello"])
  }
}
