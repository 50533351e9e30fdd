import Platform

/// One event of the Wyoming protocol: a type, JSON data, and an optional payload such as audio.
public struct WyomingEvent: Sendable, Equatable {
  public var type: String
  public var data: [JSON.Member]
  public var payload: [UInt8]

  public init(_ type: String, _ data: [JSON.Member] = [], payload: [UInt8] = []) {
    self.type = type
    self.data = data
    self.payload = payload
  }

  /// The member `name` of the data.
  public subscript(name: String) -> JSON? { data.first { $0.name == name }?.value }

  /// The event as bytes: a line of JSON, the data, the payload.
  public func encoded() -> [UInt8] {
    let block = data.isEmpty ? [] : Array(JSON.object(data).description.utf8)
    var header: [JSON.Member] = [JSON.Member("type", .string(type)), JSON.Member("version", "1.0.0")]
    if !block.isEmpty { header.append(JSON.Member("data_length", .number(Double(block.count)))) }
    if !payload.isEmpty { header.append(JSON.Member("payload_length", .number(Double(payload.count)))) }
    return Array("\(JSON.object(header))\n".utf8) + block + payload
  }
}
