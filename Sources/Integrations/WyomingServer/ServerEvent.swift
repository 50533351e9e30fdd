import Detection
import PCM
import Platform

/// What happens between a server and a client, for people who watch it.
public struct ServerEvent: Sendable {
  public enum Kind: Sendable {
    case connected, disconnected
    /// The models that the client's audio is searched for from now on.
    case models([String])
    /// A hotword, under the name by which the client requested it, and its model.
    case wake(Hit, model: String, speaker: String?)
    case transcript(String)
    /// The answer to a sentence: a Wyoming event of the type `intent`, `handled`, `not-handled` or `not-recognized`.
    case answer(String, JSON)
  }

  /// The number of the connection.
  public let client: UInt64
  /// The client's address.
  public let peer: String
  public let kind: Kind

  public init(_ kind: Kind, client: UInt64, peer: String) {
    self.kind = kind
    self.client = client
    self.peer = peer
  }

  /// The event as those of `hotword run --events json`, with the `client`; nil if it has no counterpart there.
  ///
  /// - Parameter time: seconds since the server began.
  public func json(at time: Double) -> JSON? {
    func object(_ name: String, _ members: [JSON.Member]) -> JSON {
      .object(
        [
          JSON.Member("event", .string(name)), JSON.Member("time", .rounded(time)),
          JSON.Member("client", .string(peer)),
        ] + members)
    }
    switch kind {
    case .connected: return object("connected", [])
    case .disconnected: return object("disconnected", [])
    case .models: return nil
    case .wake(let hit, _, let speaker):
      let members = [
        JSON.Member("keyword", .string(PlainText.line(hit.keyword, limit: 64))),
        JSON.Member("score", .rounded(hit.score)),
        JSON.Member("end", .rounded(AudioFormat.seconds(hit.end))),
      ]
      return object("wake", members + (speaker.map { [JSON.Member("speaker", .string($0))] } ?? []))
    case .transcript(let text):
      return object("transcript", [JSON.Member("text", .string(PlainText.line(text, limit: 500)))])
    case .answer("intent", let data):
      let entities = (data["entities"]?.array ?? []).compactMap { entity in
        entity["name"]?.string.map { JSON.Member($0, ["value": entity["value"] ?? .null]) }
      }
      let name: JSON = ["name": data["name"] ?? .null]
      return object("intent", [JSON.Member("intent", name), JSON.Member("slots", .object(entities))])
    case .answer("not-recognized", _): return object("intent", [JSON.Member("intent", .null)])
    case .answer(_, let data): return object("reply", [JSON.Member("text", data["text"] ?? "")])
    }
  }
}
