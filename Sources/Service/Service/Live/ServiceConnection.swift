import Platform

/// A program or device that the service works with, as a page shows it.
package struct ServiceConnection: Sendable {
  /// What it is: `MQTT broker`, `recognizer`, `Wyoming client`.
  package let kind: String
  /// Its address or name, without secrets.
  package let name: String
  /// nil if the service is not connected to such a thing all the time, or does not observe it.
  package let isConnected: Bool?
  package let since: WallTime?
  package let detail: String

  package init(
    _ kind: String, _ name: String, isConnected: Bool? = nil, since: WallTime? = nil, detail: String = ""
  ) {
    self.kind = kind
    self.name = name
    self.isConnected = isConnected
    self.since = since
    self.detail = detail
  }

  package var json: JSON {
    [
      "kind": .string(kind), "name": .string(name), "connected": isConnected.map { .bool($0) } ?? .null,
      "since": since.map { .string($0.iso) } ?? .null, "detail": .string(detail),
    ]
  }
}
