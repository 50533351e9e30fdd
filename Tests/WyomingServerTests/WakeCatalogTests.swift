import Detection
import FrontEnd
import Networking
import Platform
import TestServers
import Testing
import WyomingServer

@Suite(.limited) struct WakeCatalogTests {
  @Test func modelsAreFoundByTheNamesOfTheClient() throws {
    let catalog = try Fixtures.catalog(["computer", "smart_mirror"])
    let (choices, unknown) = catalog.choose(["Smart Mirror", "smart_mirror", "lamp", "computer"])
    #expect(choices.map(\.name) == ["Smart Mirror", "computer"] && choices.map(\.entry) == [1, 0])
    #expect(unknown == ["lamp"])
  }

  @Test func theStandardModelsAreAllOrTheChosenOnes() throws {
    #expect(try Fixtures.catalog(["a", "b"]).standard.map(\.name) == ["a", "b"])
    #expect(try Fixtures.catalog(["a", "b"], standard: ["b"]).standard.map(\.name) == ["b"])
  }
}
