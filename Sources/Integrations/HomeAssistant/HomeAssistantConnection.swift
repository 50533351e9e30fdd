import Networking
import Platform

/// A connection to Home Assistant's WebSocket interface. One thread at a time uses it.
public final class HomeAssistantConnection {
  /// The maximum size of a message in bytes: the states of a large home.
  private static let messageLimit = 64 << 20
  /// In seconds: for an answer with many names.
  private static let timeout = 30.0
  /// In seconds: to connect, and for an answer to a ping.
  private static let connectionTimeout = 10.0
  /// The events after which names may have changed.
  private static let events = [
    "area_registry_updated", "floor_registry_updated", "entity_registry_updated", "device_registry_updated",
    "homeassistant_started",
  ]

  private let socket: WebSocketConnection
  private var lastCommand = 0
  /// Whether a name may have changed since ``home()`` began to read.
  private var hasChanged = false

  /// Connects and authenticates.
  ///
  /// - Parameters:
  ///   - address: with the scheme `http` or `https`, such as `http://homeassistant.local:8123`.
  ///   - key: a long-lived access token of an administrator.
  ///   - authorities: a file of certificates to trust instead of the system's.
  public init(_ address: WebAddress, key: Secret, authorities: String? = nil) throws(HomeAssistantFault) {
    let deadline = Connection.Deadline(seconds: Self.connectionTimeout)
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
  ///
  /// - Throws: also ``HomeAssistantFault/starting(peer:)``, because names are missing until Home Assistant has started.
  public func home() throws(HomeAssistantFault) -> Home {
    hasChanged = false
    if try result(of: "get_config")["state"]?.string != "RUNNING" { throw .starting(peer: socket.peer) }
    let exposed = try result(of: "homeassistant/expose_entity/list")
    let identifiers = Home.exposedIdentifiers(exposed)
    return Home(
      floors: try result(of: "config/floor_registry/list"),
      areas: try result(of: "config/area_registry/list"),
      states: try result(of: "get_states"), exposed: exposed,
      entries: try result(
        of: "config/entity_registry/get_entries",
        [JSON.Member("entity_ids", .array(identifiers.map { .string($0) }))]),
      registered: try result(of: "config/entity_registry/list"),
      devices: try result(of: "config/device_registry/list"))
  }

  /// Asks to be told of changes of names, for ``waitForChange(within:)``.
  func watchNames() throws(HomeAssistantFault) {
    for event in Self.events {
      _ = try result(of: "subscribe_events", [JSON.Member("event_type", .string(event))])
    }
  }

  /// Waits for a change of names, `seconds` at most.
  ///
  /// - Returns: whether one has come, now or while ``home()`` read.
  func waitForChange(within seconds: Double) throws(HomeAssistantFault) -> Bool {
    let end = MonotonicClock.now() + seconds
    while true {
      for message in try receiveNow() { observe(message) }
      let left = end - MonotonicClock.now()
      if hasChanged || left <= 0 { return hasChanged }
      socket.wait(for: left)
    }
  }

  /// Waits until no change has come for `seconds`, or for ten times as long.
  func waitForQuiet(_ seconds: Double) throws(HomeAssistantFault) {
    for _ in 0..<10 {
      hasChanged = false
      if try !waitForChange(within: seconds) { return }
    }
  }

  /// Checks that Home Assistant answers.
  func ping() throws(HomeAssistantFault) {
    _ = try answer(to: "ping", [], "pong", Connection.Deadline(seconds: Self.connectionTimeout))
  }

  /// Sends a command and waits for its result.
  private func result(
    of command: String, _ fields: [JSON.Member] = []
  ) throws(HomeAssistantFault) -> JSON {
    let answer = try answer(to: command, fields, "result", Connection.Deadline(seconds: Self.timeout))
    if answer["success"]?.bool == true { return answer["result"] ?? .null }
    throw .failed(
      peer: socket.peer, command: command, reason: answer["error"]?["message"]?.string ?? "no reason")
  }

  /// Sends a command and waits for its answer of `type`; observes the events that come before it.
  private func answer(
    to command: String, _ fields: [JSON.Member], _ type: String, _ deadline: Connection.Deadline
  ) throws(HomeAssistantFault) -> JSON {
    lastCommand += 1
    let number = JSON.number(Double(lastCommand))
    try send(.object([JSON.Member("id", number), JSON.Member("type", .string(command))] + fields), deadline)
    while true {
      let answer = try receive(deadline)
      if answer["id"] == number, answer["type"] == .string(type) { return answer }
      observe(answer)
    }
  }

  private func observe(_ message: JSON) {
    if message["type"] == "event", let event = message["event"]?["event_type"]?.string {
      hasChanged = hasChanged || Self.events.contains(event)
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
    return try json(of: message)
  }

  /// The messages that have arrived.
  private func receiveNow() throws(HomeAssistantFault) -> [JSON] {
    let messages: [WebSocketMessage]
    do throws(NetworkFault) {
      messages = try socket.receiveNow(Connection.Deadline(seconds: Self.timeout))
    } catch {
      throw .network(error)
    }
    return try messages.map { (message) throws(HomeAssistantFault) in try json(of: message) }
  }

  private func json(of message: WebSocketMessage?) throws(HomeAssistantFault) -> JSON {
    switch message {
    case nil, .close: throw .network(.closed(peer: socket.peer))
    case .text(let text):
      if let json = try? JSON(parsing: Array(text.utf8)) { return json }
    default: break
    }
    throw .network(.notUnderstood(peer: socket.peer, reason: "sent something that is not JSON"))
  }
}
