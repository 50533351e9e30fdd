import Networking
import Platform
import TestServers
import Testing

@testable import Web

/// `openapi.json` against what the server does.
@Suite(.limited) struct OpenAPITests {
  private let file = OpenAPIFile()
  private let page = try! TestPage(signIn: "secret")

  @Test func everyOperationIsInTheFileAndNoOther() throws {
    let paths = try #require(file.json["paths"]?.members)
    let described = paths.flatMap { path in
      (path.value.members ?? []).map {
        "\($0.name.uppercased()) \(path.name.replacing("{name}", with: "{}"))"
      }
    }
    let routes = WebOperation.allCases.map(\.route) + TeachOperation.allCases.map(\.route)
    let served = routes.map { "\($0.method) \($0.path)" }
    #expect(described.sorted() == served.sorted())
  }

  @Test func whatChangesSomethingIsDescribedWithTheToken() throws {
    for path in try #require(file.json["paths"]?.members) {
      for operation in path.value.members ?? [] {
        let needsToken = operation.value["security"] == [["token": []]]
        let changes = operation.name != "get" && path.name != "/api/sign-in"
        #expect(needsToken == changes, "\(operation.name) \(path.name)")
      }
    }
  }

  @Test func everyAnswerHasTheFormThatIsDescribed() throws {
    try page.keep(1..<60)
    let clip = try #require(try page.store.all().first).clip.fileName
    page.tap.items.append(.models)
    let bodies: [String: JSON] = [
      "/api/dialogue": ["conversation": "one", "text": "turn on the kitchen light"],
      "/api/files/{name}/check": ["text": "volume: 300\n"],
      "/api/sign-in": ["token": "secret"], "/api/clips/{name}/label": ["label": "wake"],
      "/api/understand": ["text": "turn on the kitchen light"],
    ]
    var checked = 0
    // The clip is deleted last.
    let all = try #require(file.json["paths"]?.members)
    let paths = all.filter { $0.name != "/api/clips/{name}" } + all.filter { $0.name == "/api/clips/{name}" }
    for path in paths {
      for operation in path.value.members ?? []
      where !isTestedElsewhere(path.name) {
        let isFile = path.name.hasPrefix("/api/files/")
        let target = path.name.replacing("{name}", with: isFile ? "configuration" : clip)
        var body = bodies[path.name]
        if operation.name == "put", isFile {
          body = ["text": "volume: 30\n", "hash": try page.json("GET", target)["hash"] ?? .null]
        }
        let answer = page.send(operation.name.uppercased(), target, body)
        #expect(answer.status == 200, "\(operation.name) \(path.name): \(answer.error ?? "")")
        let content = try #require(operation.value["responses"]?["200"]?["content"]?.members?.first)
        #expect(answer.header("Content-Type") == content.name)
        guard content.name == "application/json" else { continue }
        let faults = file.defects(of: try answer.json, content.value["schema"] ?? .null, "\(path.name)")
        #expect(faults.isEmpty, "\(faults)")
        checked += 1
      }
    }
    #expect(checked == 18)
    let fault = try page.json("GET", "/api/nothing")
    #expect(file.defects(of: fault, ["$ref": "#/components/schemas/Error"], "error").isEmpty)
  }

  @Test func aWrongFormIsFound() {
    let schema: JSON = ["$ref": "#/components/schemas/Sensitivity"]
    #expect(file.defects(of: ["model": "x", "sensitivity": 0.5], schema, "").isEmpty)
    for wrong: JSON in [
      ["model": "x"], ["model": 1, "sensitivity": 0], ["model": "x", "sensitivity": 2], [],
      ["model": "x", "sensitivity": 0, "more": 1],
    ] {
      #expect(!file.defects(of: wrong, schema, "").isEmpty, "\(wrong)")
    }
  }

  private func isTestedElsewhere(_ path: String) -> Bool {
    ["/api/live", "/api/sensitivity", "/api/transcribe"].contains(path)
      || TeachOperation.allCases.contains { $0.route.path == path.replacing("{name}", with: "{}") }
  }
}
