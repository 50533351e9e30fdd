import Platform

@testable import Web

/// `openapi.json`, to check answers with.
struct OpenAPIFile {
  let json = try! JSON(parsing: PageFiles.openAPI)

  /// What a value has that its JSON schema does not allow; members that the schema does not name are defects too.
  func defects(of value: JSON, _ schema: JSON, _ place: String) -> [String] {
    if let name = schema["$ref"]?.string?.split(separator: "/").last {
      return defects(of: value, json["components"]?["schemas"]?[String(name)] ?? .null, place)
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
