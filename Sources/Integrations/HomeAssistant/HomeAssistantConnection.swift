import Networking
import Platform

/// A connection to Home Assistant's WebSocket interface. One thread at a time uses it.
public final class HomeAssistantConnection {
  /// The maximum size of a message in bytes: the states of a large home.
  private static let messageLimit = 64 << 20
  private static let timeout = 30.0

  private let socket: WebSocketConnection
  private var lastCommand = 0

  /// Connects and authenticates.
  ///
  /// - Parameters:
  ///   - address: with the scheme `http` or `https`, such as `http://homeassistant.local:8123`.
  ///   - key: a long-lived access token of an administrator.
  ///   - authorities: a file of certificates to trust instead of the system's.
  public init(_ address: WebAddress, key: Secret, authorities: String? = nil) throws(HomeAssistantFault) {
    let deadline = Connection.Deadline(seconds: Self.timeout)
    do throws(NetworkFault) {
      let address = try WebAddress(
        "ws" + address.appending("/api/websocket").text.dropFirst("http".count), schemes: ["ws", "wss"],
        expected: "http://HOST:PORT")
      socket = try WebSocketConnection(
        address, authorities: authorities, limit: Self.messageLimit, deadline)
    } catch {
      throw .network(error)
    }
    var answer = try receive(deadline)
    if answer["type"] == "auth_required" {
      try send(["type": "auth", "access_token": .string(key.text)], deadline)
      answer = try receive(deadline)
    }
    switch answer["type"]?.string {
    case "auth_ok": break
    case "auth_invalid": throw .refused(peer: socket.peer)
    default: throw .network(.notUnderstood(peer: socket.peer, reason: "is not Home Assistant"))
    }
  }

  deinit { socket.close() }

  /// Reads the names of the home.
  public func house() throws(HomeAssistantFault) -> House {
    let exposed = try result(of: "homeassistant/expose_entity/list")
    let identifiers = House.exposedIdentifiers(exposed)
    return House(
      floors: try result(of: "config/floor_registry/list"),
      areas: try result(of: "config/area_registry/list"),
      states: try result(of: "get_states"), exposed: exposed,
      entries: try result(
        of: "config/entity_registry/get_entries",
        [JSON.Member("entity_ids", .array(identifiers.map { .string($0) }))]),
      registered: try result(of: "config/entity_registry/list"),
      devices: try result(of: "config/device_registry/list"))
  }

  /// Sends a command and waits for its result; events that come before it are dropped.
  private func result(
    of command: String, _ fields: [JSON.Member] = []
  ) throws(HomeAssistantFault) -> JSON {
    let deadline = Connection.Deadline(seconds: Self.timeout)
    lastCommand += 1
    let number = JSON.number(Double(lastCommand))
    try send(.object([JSON.Member("id", number), JSON.Member("type", .string(command))] + fields), deadline)
    while true {
      let answer = try receive(deadline)
      guard answer["id"] == number, answer["type"] == "result" else { continue }
      if answer["success"]?.bool == true { return answer["result"] ?? .null }
      throw .failed(
        peer: socket.peer, command: command, reason: answer["error"]?["message"]?.string ?? "no reason")
    }
  }

  private func send(_ message: JSON, _ deadline: Connection.Deadline) throws(HomeAssistantFault) {
    do throws(NetworkFault) {
      try socket.send(text: message.description, deadline)
    } catch {
      throw .network(error)
    }
  }

  private func receive(_ deadline: Connection.Deadline) throws(HomeAssistantFault) -> JSON {
    let message: WebSocketMessage?
    do throws(NetworkFault) {
      message = try socket.receive(deadline)
    } catch {
      throw .network(error)
    }
    guard let message else { throw .network(.closed(peer: socket.peer)) }
    guard case .text(let text) = message, let json = try? JSON(parsing: Array(text.utf8)) else {
      throw .network(.notUnderstood(peer: socket.peer, reason: "sent something that is not JSON"))
    }
    return json
  }
}
