import Networking
import Platform
import TestServers
import Testing

@testable import Web

/// `openapi.json` against what the server does.
@Suite(.limited) struct OpenAPITests {
  private let file = try! JSON(parsing: PageFiles.openAPI)
  private let page = try! TestPage(signIn: "secret")

  @Test func everyOperationIsInTheFileAndNoOther() throws {
    let paths = try #require(file["paths"]?.members)
    let described = paths.flatMap { path in
      (path.value.members ?? []).map {
        "\($0.name.uppercased()) \(path.name.replacing("{name}", with: "{}"))"
      }
    }
    let served = WebOperation.allCases.map { "\($0.route.method) \($0.route.path)" }
    #expect(described.sorted() == served.sorted())
  }

  @Test func whatChangesSomethingIsDescribedWithTheToken() throws {
    for path in try #require(file["paths"]?.members) {
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
    let all = try #require(file["paths"]?.members)
    let paths = all.filter { $0.name != "/api/clips/{name}" } + all.filter { $0.name == "/api/clips/{name}" }
    for path in paths {
      for operation in path.value.members ?? []
      where !["/api/live", "/api/sensitivity", "/api/transcribe"].contains(path.name) {
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
        let faults = defects(of: try answer.json, content.value["schema"] ?? .null, "\(path.name)")
        #expect(faults.isEmpty, "\(faults)")
        checked += 1
      }
    }
    #expect(checked == 18)
    let fault = try page.json("GET", "/api/nothing")
    #expect(defects(of: fault, ["$ref": "#/components/schemas/Error"], "error").isEmpty)
  }

  @Test func aWrongFormIsFound() {
    let schema: JSON = ["$ref": "#/components/schemas/Sensitivity"]
    #expect(defects(of: ["model": "x", "sensitivity": 0.5], schema, "").isEmpty)
    for wrong: JSON in [
      ["model": "x"], ["model": 1, "sensitivity": 0], ["model": "x", "sensitivity": 2], [],
      ["model": "x", "sensitivity": 0, "more": 1],
    ] {
      #expect(!defects(of: wrong, schema, "").isEmpty, "\(wrong)")
    }
  }

  /// What a value has that its JSON schema does not allow; members that the schema does not name are defects too.
  private func defects(of value: JSON, _ schema: JSON, _ place: String) -> [String] {
    if let name = schema["$ref"]?.string?.split(separator: "/").last {
      return defects(of: value, file["components"]?["schemas"]?[String(name)] ?? .null, place)
    }
    if let choices = schema["anyOf"]?.array {
      let all = choices.map { defects(of: value, $0, place) }
      return all.contains([]) ? [] : all.flatMap(\.self)
    }
    var found: [String] = []
    let types = schema["type"]?.array?.compactMap(\.string) ?? [schema["type"]?.string].compactMap(\.self)
    if !types.isEmpty, !types.contains(Self.type(of: value)) {
      found.append("\(place): \(value) is not of the type \(types)")
    }
    if let values = schema["enum"]?.array, !values.contains(value) { found.append("\(place): \(value)") }
    if let number = value.number {
      if let least = schema["minimum"]?.number, number < least { found.append("\(place): \(number)") }
      if let most = schema["maximum"]?.number, number > most { found.append("\(place): \(number)") }
    }
    for (index, item) in (value.array ?? []).enumerated() {
      found += defects(of: item, schema["items"] ?? .null, "\(place)[\(index)]")
    }
    return found + memberDefects(of: value, schema, place)
  }

  private func memberDefects(of value: JSON, _ schema: JSON, _ place: String) -> [String] {
    guard let properties = schema["properties"] else {
      guard let every = schema["additionalProperties"] else { return [] }
      return (value.members ?? []).flatMap { defects(of: $0.value, every, "\(place).\($0.name)") }
    }
    let missing = (schema["required"]?.array ?? []).compactMap(\.string).filter { value[$0] == nil }
    return missing.map { "\(place).\($0) is missing" }
      + (value.members ?? []).flatMap { member in
        properties[member.name].map { defects(of: member.value, $0, "\(place).\(member.name)") }
          ?? ["\(place).\(member.name) is not described"]
      }
  }

  private static func type(of value: JSON) -> String {
    switch value {
    case .null: "null"
    case .bool: "boolean"
    case .number, .longNumber: "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }
}
