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

  /// The name of a plug-in without its options, paths and arguments, which may hold secrets.
  package static func withoutSecrets(_ plugIn: String) -> String {
    if let line = PlugIns.commandLine(plugIn) {
      return "command:" + (line.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? "")
    }
    let address = plugIn.prefix { $0 != "," && $0 != "?" }
    guard let scheme = address.firstRange(of: "://") else { return String(address) }
    let host = address[scheme.upperBound...].prefix { $0 != "/" }
    let place = host.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    return "\(address[..<scheme.upperBound])\(place)"
  }

  package var json: JSON {
    [
      "kind": .string(kind), "name": .string(name), "connected": isConnected.map { .bool($0) } ?? .null,
      "since": since.map { .string($0.iso) } ?? .null, "detail": .string(detail),
    ]
  }
}
