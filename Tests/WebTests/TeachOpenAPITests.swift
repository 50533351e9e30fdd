import Networking
import Platform
import TestServers
import Testing

@testable import Web

/// The part of `openapi.json` about teaching against what the server does.
@Suite(.limited) struct TeachOpenAPITests {
  private let file = OpenAPIFile()

  @Test func everyAnswerHasTheFormThatIsDescribed() throws {
    let teach = try TeachPage()
    try teach.install("hello")
    try teach.finish()
    _ = try teach.add("hello")
    var checked: Set<String> = []
    func check(
      _ operation: TeachOperation, _ name: String, _ body: JSON? = [:], query: [String: String] = [:],
      samples: [Int16]? = nil
    ) throws -> JSON {
      let path = operation.route.path.replacing("{}", with: name)
      let answer =
        samples.map { teach.send(path, query: query, $0) }
        ?? teach.page.send(operation.route.method, path, query: query, body)
      #expect(answer.status == 200, "\(path): \(answer.error ?? "")")
      let described = file.json["paths"]?[operation.route.path.replacing("{}", with: "{name}")]
      let content = try #require(
        described?[operation.route.method.lowercased()]?["responses"]?["200"]?["content"]?.members?.first)
      #expect(answer.header("Content-Type") == content.name)
      checked.insert("\(operation)")
      guard content.name == "application/json" else { return .null }
      let json = try answer.json
      #expect(file.defects(of: json, content.value["schema"] ?? .null, path) == [])
      return json
    }
    let phrase: JSON = ["phrase": "hello", "voice": "flite slt"]
    let speaker: JSON = ["speaker": "ann"]
    _ = try check(.work, "", nil)
    _ = try check(.pronounce, "", phrase)
    _ = try check(.say, "", phrase)
    _ = try check(.addPhrase, "", phrase)
    _ = try check(.listPhrases, "", nil)
    let flawed = [Int16](repeating: 0, count: 16_000)
    _ = try check(.addTake, "hello", query: ["speaker": "ann"], samples: flawed)
    let added = try check(.addTake, "hello", query: ["speaker": "ann"], samples: TeachPage.speech)
    let take = try #require(added["take"]?["name"]?.string)
    _ = try check(.phrase, "hello", nil)
    _ = try check(.takeAudio, take, nil, query: ["phrase": "hello"])
    for operation in [TeachOperation.recordTake, .enroll, .train] {
      _ = try check(operation, "hello", speaker)
      _ = try teach.work(until: "done")
      _ = try check(.work, "", nil)
    }
    _ = try check(.listModels, "", nil)
    _ = try check(.model, "hello", nil)
    _ = try check(.useModel, "hello")
    _ = try check(.model, "hello", nil)
    _ = try check(.restoreModel, "hello")
    _ = try check(.improve, "hello")
    _ = try teach.work(until: "done")
    _ = try check(.cancelWork, "")
    _ = try check(.discardModel, "hello")
    _ = try check(.score, "hello", query: ["version": "installed"], samples: TeachPage.speech)
    _ = try check(.listen, "hello", ["version": "installed"])
    _ = try check(.removeModel, "hello")
    _ = try check(.deleteTake, take, query: ["phrase": "hello"])
    _ = try check(.deletePhrase, "hello")
    #expect(checked.count == TeachOperation.allCases.count)
  }
}
