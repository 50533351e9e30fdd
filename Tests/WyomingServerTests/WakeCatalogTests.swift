import Detection
import FrontEnd
import Networking
import Platform
import TestServers
import Testing
import WyomingServer

@Suite(.limited) struct WakeCatalogTests {
  private static func catalog(_ names: [String], standard: [String] = []) throws -> WakeCatalog {
    let shape = try NetworkShape(channels: 1, dilations: [])
    let entries = try names.map { name in
      WakeCatalog.Entry(
        name: name,
        model: try HotwordModel(
          name: "model", phrase: "the \(name)", frontEnd: FrontEndSettings(), features: FeatureSettings(),
          networks: [NetworkWeights(zero: shape)], decision: DecisionSettings()),
        sensitivity: .standard)
    }
    return WakeCatalog(entries, standard: standard)
  }

  @Test func modelsAreFoundByTheNamesOfTheClient() throws {
    let catalog = try Self.catalog(["computer", "smart_mirror"])
    let (choices, unknown) = catalog.choose(["Smart Mirror", "smart_mirror", "lamp", "computer"])
    #expect(choices.map(\.name) == ["Smart Mirror", "computer"] && choices.map(\.entry) == [1, 0])
    #expect(unknown == ["lamp"])
  }

  @Test func theStandardModelsAreAllOrTheChosenOnes() throws {
    #expect(try Self.catalog(["a", "b"]).standard.map(\.name) == ["a", "b"])
    #expect(try Self.catalog(["a", "b"], standard: ["b"]).standard.map(\.name) == ["b"])
  }

  @Test func theInfoHasEveryArrayAndAttribution() throws {
    let info = try Self.catalog(["a"]).info(version: "1")
    #expect(info.type == "info")
    for name in ["asr", "tts", "handle", "intent", "mic", "snd"] { #expect(info[name] == []) }
    let program = try #require(info["wake"]?.array?.first)
    let model = try #require(program["models"]?.array?.first)
    for part in [program, model] {
      #expect(part["attribution"]?["name"]?.string != nil && part["attribution"]?["url"]?.string != nil)
      #expect(part["installed"] == true && part["version"] == "1" && part["description"]?.string != nil)
    }
    #expect(model["name"] == "a" && model["phrase"] == "the a" && model["languages"] == ["en"])
  }
}
